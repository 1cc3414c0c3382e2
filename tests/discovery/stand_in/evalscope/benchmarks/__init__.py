from evalscope.benchmarks import shipped_adapter  # noqa: F401
