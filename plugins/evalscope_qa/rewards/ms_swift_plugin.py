"""A plugin for ms-swift: registers one reward a benchmark, by the name ``evalscope_qa_BENCHMARK``.

For ``--external_plugins``; needs ms-swift, and is imported by nothing else. ``docs/rewards.md`` has the command.
"""

from typing import Any

from evalscope_qa.rewards import Reward

try:
    from swift.rewards import ORM, orms
except ImportError:  # before ms-swift 4
    from swift.plugin import ORM, orms


class _QuestionAnsweringReward(ORM):
    benchmark: str

    def __init__(self, args: Any = None, **kwargs: Any) -> None:
        self.args = args
        self._reward = Reward(self.benchmark)

    def __call__(self, completions: list[Any], **columns: Any) -> list[float]:
        return self._reward(completions, **columns)


class SearchQAReward(_QuestionAnsweringReward):
    """Exact match of SearchQA."""

    benchmark = 'searchqa'


class PubMedQAReward(_QuestionAnsweringReward):
    """Accuracy of PubMedQA."""

    benchmark = 'pubmedqa'


class SelQASelectionReward(_QuestionAnsweringReward):
    """Average precision of SelQA's answer sentence selection."""

    benchmark = 'selqa_selection'


class RJUAQAReward(_QuestionAnsweringReward):
    """Final accuracy of RJUA-QA."""

    benchmark = 'rjua_qa'


for _reward in (SearchQAReward, PubMedQAReward, SelQASelectionReward, RJUAQAReward):
    orms[f'evalscope_qa_{_reward.benchmark}'] = _reward
