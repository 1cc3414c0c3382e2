class MetricEntry:
    def __init__(self, **fields: object) -> None:
        self.fields = fields
