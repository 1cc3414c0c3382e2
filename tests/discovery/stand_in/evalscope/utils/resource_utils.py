from pathlib import Path
from typing import Optional

BENCHMARK_META_DIR = Path(__file__).parent / '_meta'


def load_benchmark_data(benchmark_name: Optional[str] = None) -> dict:
    return {}
