"""ms-swift, which evaluates by evalscope, accepts the names of this package's benchmarks."""

from evalscope_qa import discovery
from evalscope_qa.replay.samples import shipped_benchmarks

discovery.load_plugins()  # in a Python that does not read start-up files it has not happened yet

from evalscope.api.registry import BENCHMARK_REGISTRY  # noqa: E402


def test_the_names_are_among_the_registrys_keys() -> None:
    # swift/arguments/eval_args.py of ms-swift checks --eval_dataset, in lower case, against the registry's sorted keys.
    accepted = {name.lower(): name for name in sorted(BENCHMARK_REGISTRY.keys())}
    for name in shipped_benchmarks():
        assert accepted.get(name) == name
        assert BENCHMARK_REGISTRY[name].data_adapter.__module__.startswith('evalscope_qa.')
