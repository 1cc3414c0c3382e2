"""Messages and outputs of models."""

from dataclasses import dataclass


class ModelName(str):
    pass


@dataclass
class ChatMessageUser:
    content: str


@dataclass
class ModelOutput:
    completion: str

    @property
    def message(self) -> str:
        return self.completion

    @classmethod
    def from_content(cls, model: str, content: str) -> 'ModelOutput':
        assert model
        return cls(content)
