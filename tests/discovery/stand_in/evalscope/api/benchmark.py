class DefaultDataAdapter:
    pass


class BenchmarkMeta:
    def __init__(self, name: str, evaluation_version: str, **others: object) -> None:
        self.name = name
        self.evaluation_version = evaluation_version
        self.data_adapter: type | None = None
