"""The pytest plugin ``evalscope_contract``: one test a rule of the scoring contract a benchmark. Off until asked for.

    pytest --evalscope-contract my_benchmark --evalscope-contract-import my_package.my_adapter
    pytest --evalscope-contract-scorer my_rewards:compute_score --evalscope-contract-questions questions.jsonl

pytest imports this module at every start where the package is installed, so it imports nothing of the package, and
nothing of evalscope, before a contract test runs.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence, Union

import pytest

if TYPE_CHECKING:
    from .audit.results import BenchmarkResult
    from .audit.rules.table import Rule
    from .audit.scorers.options import ScorerOptions
    from .audit.workers.pool import Pool

_MARK = 'evalscope_contract'


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    group = parser.getgroup('evalscope-contract', 'scoring contract of evalscope benchmarks')
    group.addoption(
        '--evalscope-contract',
        nargs='+',
        action='extend',
        default=[],
        metavar='NAME',
        help='test the scoring of these registered benchmarks, one test a rule; give test files before this option',
    )
    group.addoption(
        '--evalscope-contract-import',
        action='append',
        default=[],
        metavar='MODULE',
        help='import this module, or .py file, first: it registers benchmarks; may be repeated',
    )
    group.addoption(
        '--evalscope-contract-records',
        action='append',
        default=[],
        metavar='NAME=FILE',
        help='make the questions of a benchmark from these records; may be repeated',
    )
    group.addoption(
        '--evalscope-contract-scorer',
        action='append',
        default=[],
        metavar='MODULE:NAME',
        help='test this callable, or that of a .py file, as if it were a benchmark; may be repeated',
    )
    group.addoption(
        '--evalscope-contract-questions',
        metavar='FILE',
        help='what the callables are asked: JSON Lines with a prompt and a gold each',
    )
    group.addoption(
        '--evalscope-contract-form',
        default='',
        metavar='FORM',
        help='how the callables are called, where their signatures do not tell; as of `evalscope-qa audit --form`',
    )
    group.addoption(
        '--evalscope-contract-score-range',
        nargs=2,
        type=float,
        metavar=('WORST', 'BEST'),
        help='of the scores of the callables (default: 0 1)',
    )
    group.addoption(
        '--evalscope-contract-time-limit',
        type=float,
        default=120.0,
        metavar='S',
        help='seconds a benchmark may take (default: %(default)s)',
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark that contract tests carry."""
    config.addinivalue_line('markers', f'{_MARK}: a test of the scoring contract of an evalscope benchmark')


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the contract tests behind the others."""
    names = [name for value in config.getoption('--evalscope-contract') for name in value.split(',') if name]
    names += _scorer_names(config)
    if not names:
        return
    root = ContractCollector.from_parent(session, name='evalscope-contract', nodeid='evalscope-contract', names=names)
    items.extend(session.genitems(root))  # reports what is collected, so that pytest counts it


class ContractCollector(pytest.Collector):
    """Parent of all contract tests; knows what was asked for and audits each benchmark once."""

    def __init__(self, *, names: Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._names = list(dict.fromkeys(names))
        self._results: dict[str, BenchmarkResult] = {}
        self._pool: Optional[Pool] = None
        self._problem: Optional[ValueError] = None
        self._registered: list[str] = []

    def collect(self) -> Iterator[pytest.Collector]:
        """Yield the benchmarks."""
        for name in self._names:
            yield BenchmarkCollector.from_parent(self, name=name)

    def result(self, benchmark: str) -> 'BenchmarkResult':
        """Return the audit of a benchmark.

        Raises:
            ValueError: If it is unknown, its records cannot be used, or what was asked for does not fit together.
        """
        if self._problem is not None:
            raise self._problem
        if benchmark not in self._results:
            try:
                pool = self._started_pool()
            except ValueError as error:  # of what was asked for: the other tests need not find it out again
                self._problem = error
                raise
            if benchmark not in self._registered:
                raise ValueError(f'no benchmark named {benchmark} is registered with evalscope')
            (self._results[benchmark],) = pool.run([benchmark])
        return self._results[benchmark]

    def _started_pool(self) -> 'Pool':
        """Return the worker process, which stays for the next benchmark."""
        if self._pool is None:
            from .audit.rules.table import RULES
            from .audit.workers.pool import Options, Pool

            scorers = _scorers(self.config)
            records = _records(self.config.getoption('--evalscope-contract-records'))
            options = Options(
                rules=[rule.id for rule in RULES],
                records=records if scorers is None else {**records, **scorers.records},
                scorers=scorers,
                modules=self.config.getoption('--evalscope-contract-import'),
                time_limit=self.config.getoption('--evalscope-contract-time-limit'),
            )
            pool = Pool(options, workers=1)
            self.config.add_cleanup(pool.close)
            self._registered = pool.registered(self._names)
            self._pool = pool
        return self._pool


class BenchmarkCollector(pytest.Collector):
    """The contract tests of one benchmark."""

    def collect(self) -> Iterator['ContractItem']:
        """Yield one test a rule."""
        from .audit.rules.table import RULES

        for rule in RULES:
            yield ContractItem.from_parent(self, name=rule.id, rule=rule)


class ContractViolation(Exception):
    """A rule is broken; the message shows what was replayed."""


class ContractItem(pytest.Item):
    """Whether one benchmark keeps one rule."""

    def __init__(self, *, rule: 'Rule', **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rule = rule
        self.add_marker(getattr(pytest.mark, _MARK))

    def runtest(self) -> None:
        """Fail for a finding, and where the benchmark could not be audited; skip where the rule has nothing to try."""
        from .audit.results import AUDITED, NOT_APPLICABLE

        assert self.parent is not None
        benchmark, root = self.parent.name, self.parent.parent
        assert isinstance(root, ContractCollector)
        result = root.result(benchmark)
        violation = _violation(result, self.rule)
        if violation:
            raise ContractViolation(violation)
        outcome = result.rules.get(self.rule.id)
        if result.status != AUDITED and (outcome is None or outcome.status == NOT_APPLICABLE):
            raise ContractViolation(f'{benchmark} could not be audited: {result.reason}')
        if outcome is None:
            raise ContractViolation(f'{benchmark}: {"; ".join(result.notes) or "the rule was not tried"}')
        if outcome.status == NOT_APPLICABLE:
            pytest.skip(outcome.reason)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Union[str, Any]:
        """Show the message alone for what the audit says; anything else as usual."""
        if isinstance(excinfo.value, (ContractViolation, ValueError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, Optional[int], str]:
        """Name the test by what it demands."""
        assert self.parent is not None
        return self.config.rootpath, None, f'{self.parent.name}: {self.rule.id}'


def _violation(result: 'BenchmarkResult', rule: 'Rule') -> str:
    from .audit.report.examples import example_text

    lines = []
    for finding in result.findings:
        if finding.rule != rule.id:
            continue
        lines.append(f'{rule.demand}')
        lines.append(f'  broken by {finding.cause}' + (f' ({finding.location})' if finding.location else ''))
        if finding.detail:
            lines.append(f'  {finding.detail}')
        lines += [f'  - {example_text(example)}' for example in finding.examples]
    return '\n'.join([*lines, f'See {rule.description.page}']) if lines else ''


def _scorer_names(config: pytest.Config) -> list[str]:
    scorers = config.getoption('--evalscope-contract-scorer')
    if not scorers:
        return []
    from .audit.scorers.options import shown_name

    return [shown_name(scorer) for scorer in scorers]


def _scorers(config: pytest.Config) -> 'Optional[ScorerOptions]':
    from .audit.scorers.options import DEFAULT_SCORE_RANGE, ScorerOptions
    from .audit.scorers.question_file import read_questions

    scorers = config.getoption('--evalscope-contract-scorer')
    questions = config.getoption('--evalscope-contract-questions')
    if not scorers:
        return None
    if questions is None:
        raise ValueError('--evalscope-contract-scorer needs --evalscope-contract-questions FILE')
    score_range = config.getoption('--evalscope-contract-score-range') or DEFAULT_SCORE_RANGE
    form = config.getoption('--evalscope-contract-form')
    options = ScorerOptions(scorers, Path(questions), form=form, score_range=tuple(score_range))
    read_questions(options.questions)
    return options


def _records(pairs: list[str]) -> dict[str, Path]:
    records = {}
    for pair in pairs:
        name, separator, file = pair.partition('=')
        if not separator or not Path(file).is_file():
            raise ValueError(f'--evalscope-contract-records {pair}: expected NAME=FILE with a file that exists')
        records[name] = Path(file)
    return records
