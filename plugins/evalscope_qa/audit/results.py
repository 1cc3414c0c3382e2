"""What an audit finds, as plain data that goes through JSON between worker, parent and report."""

import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

AUDITED = 'audited'
NOT_AUDITED = 'not audited'

FRAMEWORK = 'evalscope'
"""What stands in the place of a benchmark's name for what evalscope does with every reply, whatever the benchmark."""

PASSED = 'passed'
FAILED = 'failed'
NOT_APPLICABLE = 'not applicable'


@dataclass
class Example:
    """One replayed case of a finding."""

    reply: str
    """The reply as anyone can type it; a description where it is long, unprintable, or ten replies."""
    gold: str
    metric: str
    score: float | None
    """What the reply scored; None where scoring raised or did not end."""
    expected: str
    """What the rule allows."""
    kind: str = ''
    """What the reply is: ``refusal``, ``blank``, ``guess``, …; empty where no rule says."""
    call: str = ''
    """Python that can be pasted: one call of the function to mend that shows it; empty where there is none."""

    @property
    def names_gold(self) -> bool:
        """Whether the reply has the gold's first word in it: one that has not is the more telling.

        >>> Example("Don't know.", 'D (iron)', 'accuracy', 1.0, '0').names_gold
        False
        >>> Example('It is not D.', 'D (iron)', 'accuracy', 1.0, '0').names_gold
        True
        >>> Example('A definitive answer cannot be given.', 'A (iron)', 'accuracy', 1.0, '0').names_gold
        False
        >>> Example('It is either A or D.', 'A (iron)', 'accuracy', 1.0, '0').names_gold
        True
        """
        first = self.gold.split()[:1]
        if not first:
            return False
        # "A definitive answer" and "I cannot" are an article and a pronoun; "A or B" is none.
        word = rf'{first[0]}(?!\s+(?!or\b|is\b)[a-z])' if first[0] in 'AI' else re.escape(first[0])
        return re.search(rf'(?<!\w){word}(?!\w)', self.reply) is not None


@dataclass(frozen=True)
class Behaviour:
    """Why a benchmark scores so: its authors do, or evalscope says that it does."""

    text: str
    """What the official script does, or what evalscope's description says."""
    source: str = ''
    """Address of the official script, without the scheme; empty for evalscope's description."""

    @property
    def sort(self) -> str:
        return 'Official' if self.source else 'Documented'

    @property
    def shown(self) -> str:
        """The text, in quotation marks where it is evalscope's."""
        return self.text if self.source else f'"{self.text}"'


@dataclass
class Effect:
    """How far a reply that answers nothing moves a score, over ten questions whose golds go in turn."""

    reply: str
    metric: str
    always: float
    """If it is the reply to all ten."""
    always_wrong: float
    """If the ten are answered wrongly."""
    twice: float
    """If eight are answered rightly and it is the reply to two."""
    twice_wrong: float
    """If eight are answered rightly and two wrongly."""
    gold: str = ''
    """That of the two."""
    golds: int = 0
    """How many golds the ten have."""


@dataclass
class Finding:
    """One rule broken by one benchmark for one cause."""

    benchmark: str
    rule: str
    cause: str
    """Dotted name of the function that gave the credit (lost the question, raised, …)."""
    location: str
    """File, relative to its package, and line of that function; empty where unknown."""
    examples: list[Example] = field(default_factory=list)
    """The most telling cases, best first."""
    count: int = 0
    """Cases replayed, shown or not."""
    detail: str = ''
    kinds: dict[str, int] = field(default_factory=dict)
    """Cases by kind of reply, shown or not."""
    effect: Effect | None = None
    condition: str = ''
    """What has to be so besides, which canned replies cannot show; empty where nothing has."""
    official: Behaviour | None = None
    """What explains it, where it is documented or official behaviour."""

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> 'Finding':
        effect, official = value.get('effect'), value.get('official')
        return cls(
            **{
                **value,
                'examples': [Example(**example) for example in value['examples']],
                'effect': Effect(**effect) if effect else None,
                'official': Behaviour(**official) if official else None,
            }
        )


@dataclass(frozen=True)
class RuleDescription:
    """A rule in words."""

    id: str
    demand: str
    """What it demands, in one line."""
    fault: str
    """What a finding of it says, as a headline."""

    @property
    def page(self) -> str:
        return f'docs/audit.md#{self.id}'


@dataclass
class RuleOutcome:
    """What became of one rule on one benchmark."""

    status: str
    """``passed``, ``failed`` or ``not applicable``."""
    reason: str = ''
    """Why the rule could not be applied."""


@dataclass
class BenchmarkResult:
    """The audit of one benchmark."""

    benchmark: str
    status: str
    """``audited`` or ``not audited``. Robustness findings may exist in both."""
    reason: str = ''
    """Why it could not be audited."""
    evaluation_version: str = ''
    source: str = ''
    """Where the questions came from."""
    questions: int = 0
    """Questions scored, with the variants made of them."""
    replies: int = 0
    """Replies scored."""
    seconds: float = 0.0
    rules: dict[str, RuleOutcome] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tainted: bool = False
    """Whether scoring was interrupted, so that its process had better not audit anything else."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> 'BenchmarkResult':
        return cls(
            **{
                **value,
                'rules': {name: RuleOutcome(**outcome) for name, outcome in value['rules'].items()},
                'findings': [Finding.from_dict(finding) for finding in value['findings']],
            }
        )


def noun_of(names: Sequence[str]) -> str:
    """Return what names are those of.

    >>> noun_of(['arc', 'mmlu']), noun_of(['rewards:score'])
    ('benchmark', 'callable')
    """
    return 'callable' if names and all(':' in name for name in names) else 'benchmark'


@dataclass
class Group:
    """Findings of one cause: the function to mend, whatever rules it breaks."""

    cause: str
    location: str
    rules: list[RuleDescription]
    """The rules broken, the most severe first."""
    findings: list[Finding]

    @property
    def fault(self) -> str:
        """What the findings say, as a headline."""
        first, *others = [rule.fault for rule in self.rules]
        return '; '.join([first, *(f'{fault[:1].lower()}{fault[1:]}' for fault in others)])

    @property
    def benchmarks(self) -> list[str]:
        return sorted({finding.benchmark for finding in self.findings})

    @property
    def noun(self) -> str:
        return noun_of(self.benchmarks)


@dataclass
class AuditReport:
    """A whole audit: environment, rules, results in the order asked for, and what was not reached."""

    evalscope_version: str
    python_version: str
    package_version: str
    rules: list[RuleDescription]
    """Every rule there is, in the order of the table."""
    results: list[BenchmarkResult]
    interrupted: bool = False
    not_reached: list[str] = field(default_factory=list)
    seconds: float = 0.0
    plugins: str = field(default_factory=lambda: os.environ.get('EVALSCOPE_PLUGINS', ''))
    """What ``EVALSCOPE_PLUGINS`` was; empty if it was not set."""

    @property
    def findings(self) -> list[Finding]:
        return [finding for result in self.results for finding in result.findings]

    @property
    def noun(self) -> str:
        """What was audited, in a word."""
        return noun_of([result.benchmark for result in self.results])

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
