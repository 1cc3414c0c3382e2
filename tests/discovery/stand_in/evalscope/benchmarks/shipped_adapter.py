from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.registry import register_benchmark


@register_benchmark(BenchmarkMeta(name='shipped', evaluation_version='v1.9'))
class ShippedAdapter(DefaultDataAdapter):
    pass
