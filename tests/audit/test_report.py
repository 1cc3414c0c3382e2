"""The report as text, JSON, HTML and Markdown: complete, ranked, and safe whatever a reply holds."""

import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from evalscope_qa.audit.report.causes import CauseCard, sections
from evalscope_qa.audit.report.examples import best_examples, example_text
from evalscope_qa.audit.report.html import html, write_html
from evalscope_qa.audit.report.json_file import read_json, write_json
from evalscope_qa.audit.report.markdown import code, fenced, markdown
from evalscope_qa.audit.report.severity import SEVERITIES
from evalscope_qa.audit.report.summary import summary_line
from evalscope_qa.audit.report.text import write_text
from evalscope_qa.audit.results import (
    AUDITED,
    FAILED,
    NOT_AUDITED,
    PASSED,
    AuditReport,
    Behaviour,
    BenchmarkResult,
    Effect,
    Example,
    Finding,
    RuleDescription,
    RuleOutcome,
)
from evalscope_qa.audit.rules.table import RULES

RULE_TEXTS = [known.description for known in RULES]
NASTY = '</code></td></table><script>alert("1")</script><img src=x onerror=alert(2)>|`a`\n\x00'


def finding(benchmark: str, cause: str, reply: str, rule: str = 'non-answer') -> Finding:
    return Finding(benchmark, rule, cause, 'package/file.py:7', [Example(reply, 'C', 'accuracy', 1.0, '0')], 3, 'why')


def result(benchmark: str, *findings: Finding) -> BenchmarkResult:
    return BenchmarkResult(
        benchmark,
        AUDITED,
        evaluation_version='v1.0',
        source='sample records',
        questions=4,
        replies=100,
        rules={'non-answer': RuleOutcome(FAILED if findings else PASSED)},
        findings=list(findings),
    )


@pytest.fixture
def report() -> AuditReport:
    return AuditReport(
        evalscope_version='9.9.9',
        python_version='3.11.0',
        package_version='0.1.0',
        rules=RULE_TEXTS,
        results=[
            result('alone', finding('alone', 'package.rare', "Don't know.")),
            result('first', finding('first', 'package.shared', 'Cannot be determined.')),
            result('second', finding('second', 'package.shared', NASTY)),
            result('spotless'),
            BenchmarkResult('judged', NOT_AUDITED, reason='its score needs a judge model'),
        ],
    )


def text_of(report: AuditReport) -> str:
    stream = io.StringIO()
    write_text(report, stream)
    return stream.getvalue()


def cards_of(*findings: Finding, section: str = 'causes') -> list[CauseCard]:
    """Return the causes of one section of a report of these findings."""
    by_benchmark: dict[str, list[Finding]] = {}
    for one in findings:
        by_benchmark.setdefault(one.benchmark, []).append(one)
    report = AuditReport('1', '3', '0', RULE_TEXTS, [result(name, *found) for name, found in by_benchmark.items()])
    return next((found.cards for found in sections(report) if found.id == section), [])


def of_kind(kind: str, benchmark: str, cause: str, rule: str = 'non-answer') -> Finding:
    found = finding(benchmark, cause, 'reply', rule)
    found.kinds, found.detail = ({kind: 1} if kind else {}), ''
    return found


def test_causes_stand_in_the_order_of_severity_times_reach() -> None:
    found = [
        of_kind('refusal', 'a', 'package.declines'),  # 4
        *(of_kind('cut off', name, 'package.thinks', 'cut-off-reasoning') for name in 'abcde'),  # 5 times 1
        of_kind('', 'a', 'package.raises', 'no-crash'),  # 8
        *(of_kind('hedge', name, 'package.hedges') for name in 'abc'),  # 3 times 2
    ]
    cards = cards_of(*found)
    assert [(card.group.cause.partition('.')[2], card.weight) for card in cards] == [
        ('raises', 8),
        ('hedges', 6),
        ('thinks', 5),
        ('declines', 4),
    ]
    assert [card.number for card in cards] == [1, 2, 3, 4]


def test_a_benchmark_counts_with_the_heaviest_that_was_measured_there() -> None:
    (card,) = cards_of(
        of_kind('blank', 'a', 'package.parse'),
        of_kind('cut off', 'a', 'package.parse', 'cut-off-reasoning'),
        of_kind('denial', 'b', 'package.parse'),
    )
    assert (card.sum, card.group.benchmarks) == ('8 × 1 + 2 × 1 = 10', ['a', 'b'])


@pytest.mark.parametrize(
    ('rule', 'kind', 'detail', 'weight'),
    [
        ('no-code', '', '', 8),
        ('no-crash', '', 'ValueError: no', 8),
        ('repeatable', '', '', 8),
        ('non-answer', 'blank', '', 8),
        ('non-answer', 'refusal', '', 4),
        ('non-answer', 'echo', '', 2),
        ('speed', '', "26 characters take more than 1 s of processor time; one '(' more multiplies the time by 2", 4),
        ('speed', '', '12,000 characters take more than 1 s of processor time', 2),
        ('speed', '', '120,000 characters take more than 1 s of processor time', 1),
        ('speed', '', 'it waits for something', 1),
        ('degenerate-gold', 'blank', '', 1),
        ('a rule of tomorrow', '', '', 1),
    ],
)
def test_severity_comes_from_what_was_measured(rule: str, kind: str, detail: str, weight: int) -> None:
    found = of_kind(kind, 'a', 'package.parse', rule)
    found.detail = detail
    rules = [*RULE_TEXTS, RuleDescription('a rule of tomorrow', 'It demands.', 'It is broken')]
    ((section),) = sections(AuditReport('1', '3', '0', rules, [result('a', found)]))
    assert section.cards[0].weight == weight


def test_every_rule_has_a_severity() -> None:
    assert {rule.id for rule in RULES} <= {rule for row in SEVERITIES for rule in row.rules}
    assert [row.weight for row in SEVERITIES] == sorted((row.weight for row in SEVERITIES), reverse=True)


def test_findings_that_rest_on_an_explicit_guess_alone_stand_apart() -> None:
    guess = of_kind('guess', 'a', 'package.parse', 'cut-off-reasoning')
    both = of_kind('guess', 'b', 'package.parse', 'cut-off-reasoning')
    both.kinds['cut off'] = 2
    assert [card.group.benchmarks for card in cards_of(guess, both)] == [['b']]
    assert [card.group.benchmarks for card in cards_of(guess, both, section='guess')] == [['a']]


def test_findings_on_a_condition_stand_apart_and_say_it(report: AuditReport) -> None:
    sure, unsure = of_kind('', 'a', 'package.score', 'offline'), of_kind('', 'b', 'package.score', 'offline')
    unsure.condition = 'the file is <not> there yet'
    assert [card.group.benchmarks for card in cards_of(sure, unsure)] == [['a']]
    (card,) = cards_of(sure, unsure, section='conditional')
    assert (card.group.benchmarks, card.conditions) == (['b'], [unsure.condition])
    report = AuditReport('1', '3', '0', RULE_TEXTS, [result('a', sure), result('b', unsure)])
    assert '**Only where** the file is \\<not\\> there yet.' in markdown(report)
    assert '<strong>Only where</strong> the file is &lt;not&gt; there yet.' in html(report)
    assert '  only where the file is <not> there yet\n' in text_of(report)
    assert '1 cause, 1 cause on a condition that was not looked up' in summary_line(report)


def test_official_behaviour_on_a_condition_is_official() -> None:
    theirs = of_kind(
        'blank', 'drop', 'evalscope.benchmarks.drop.drop_adapter.DROPAdapter.match_score', 'degenerate-gold'
    )
    theirs.condition, theirs.official = 'the dataset has such a gold', Behaviour('So there.', 'github.com/they')
    assert cards_of(theirs) == cards_of(theirs, section='conditional') == []
    (card,) = cards_of(theirs, section='official')
    assert card.conditions == [theirs.condition]


@pytest.mark.parametrize(
    ('explained', 'markdown_has', 'html_has', 'text_has'),
    [
        (
            Behaviour('A <b> counts.', 'github.com/they/score.py'),
            '**Official**, a: A \\<b\\> counts. [Source](https://github.com/they/score.py)',
            '<strong>Official</strong>, a: A &lt;b&gt; counts. <a href="https://github.com/they/score.py">Source</a></p>',
            '  official, a: A <b> counts. github.com/they/score.py\n',
        ),
        (
            Behaviour('A guess counts.'),
            '**Documented**, a: "A guess counts."\n',
            '<strong>Documented</strong>, a: &quot;A guess counts.&quot;</p>',
            '  documented, a: "A guess counts."\n',
        ),
    ],
)
def test_what_is_explained_stands_apart_and_says_by_what(
    explained: Behaviour, markdown_has: str, html_has: str, text_has: str
) -> None:
    theirs, ours = of_kind('refusal', 'a', 'package.parse'), of_kind('refusal', 'b', 'package.parse')
    theirs.official = explained
    (own,) = cards_of(theirs, ours)
    (card,) = cards_of(theirs, ours, section='official')
    assert (own.group.benchmarks, card.group.benchmarks, card.explained) == (['b'], ['a'], [('a', explained)])
    assert (own.also, card.also) == ([(2, 'Documented or official behaviour')], [(1, 'Causes')])
    report = AuditReport('1', '3', '0', RULE_TEXTS, [result('a', theirs), result('b', ours)])
    assert markdown_has in markdown(report) and '- The same function: [1](#cause-1), causes' in markdown(report)
    assert html_has in html(report) and '<li>The same function: <a href="#cause-1">1</a>, Causes</li>' in html(report)
    assert text_has in text_of(report) and '  the same function: 1, Causes\n' in text_of(report)


def test_a_card_shows_a_call_what_it_does_to_a_score_and_a_command(report: AuditReport) -> None:
    found = finding('arc', 'package.parse', "Don't know.")
    found.examples[0].call = "from package import parse\nparse(\"Don't know.\")\n# 'D'"
    found.effect = Effect("Don't know.", 'accuracy', 0.25, 0.0, 1.0, 0.8, 'D')
    report = AuditReport('1', '3', '0', RULE_TEXTS, [result('arc', found)], plugins='off')
    page, document, text = markdown(report), Elements(html(report)).text, text_of(report)
    assert "```python\nfrom package import parse\nparse(\"Don't know.\")\n# 'D'\n```" in page
    assert 'parse("Don\'t know.")' in document and '\n  call: from package import parse\n        parse(' in text
    for form in (page, document, text):
        assert 'it scores 0.25 on accuracy (ten wrong answers: 0)' in form
        assert 'two such replies, where the gold is "D", score 1 (two wrong answers: 0.8)' in form
        assert 'EVALSCOPE_PLUGINS=off evalscope-qa audit arc --rule non-answer' in form


def test_a_card_shows_the_call_that_raises_what_it_says() -> None:
    found = finding('arc', 'package.parse', '[[[ [[[')
    found.detail = 'ValueError: too many digits'
    found.examples.append(Example('9 9', 'C', '', None, 'a score'))
    found.examples[0].call, found.examples[1].call = (
        'parse(1)\n# raises RecursionError',
        'parse(2)\n# raises ValueError',
    )
    (card,) = cards_of(found)
    assert (card.detail, card.call) == ('ValueError: too many digits', 'parse(2)\n# raises ValueError')


def test_what_evalscope_does_with_every_reply_reaches_every_benchmark() -> None:
    found = of_kind('', 'evalscope', 'evalscope.api.model.ModelOutput.from_content', 'speed')
    found.detail = '12,000 characters take more than 1 s of processor time'
    results = [result('evalscope', found), result('spotless'), result('clean')]
    report = AuditReport('1', '3', '0', RULE_TEXTS, results)
    (section,) = sections(report)
    assert (section.cards[0].sum, section.cards[0].reach) == ('2 × 2 = 4', 'every benchmark')
    assert '2 benchmarks: 2 audited, of which 0 broke a rule and 2 kept all' in summary_line(report)


def test_a_report_of_callables_is_headed_by_their_names() -> None:
    report = AuditReport('1', '3', '0', RULE_TEXTS, [result('rewards:score'), result('rewards:format')])
    assert markdown(report).startswith('# Audit of rewards:score, rewards:format\n')
    assert '<h1>Audit of rewards:score, rewards:format</h1>' in html(report)


def test_no_form_calls_a_callable_a_benchmark() -> None:
    results = [result('rewards:score', finding('rewards:score', 'rewards.score', 'x')), result('rewards:format')]
    report = AuditReport('1', '3', '0', RULE_TEXTS, [*results, BenchmarkResult('rewards:other', NOT_AUDITED, 'why')])
    document, _, _ = html(report).partition('<script>')
    for form in (markdown(report), Elements(document).text, text_of(report)):
        assert 'benchmark' not in form.lower()
        assert '3 callables: 2 audited' in form and '1 finding in 1 callable' in form
    assert 'The questions are those of the file' in markdown(report)


@pytest.mark.parametrize(('noted', 'shown'), [(['judged'], True), (['judged', 'others'], False)])
def test_how_benchmarks_were_audited_stands_on_the_card_where_it_is_so_of_all(noted: list[str], shown: bool) -> None:
    results = [result(name, finding(name, 'package.parse', 'x')) for name in noted]
    results[0].notes = ['by default a judge scores it']
    report = AuditReport('1', '3', '0', RULE_TEXTS, results)
    (section,) = sections(report)
    assert section.cards[0].notes == ([('judged', 'by default a judge scores it')] if shown else [])
    note = 'judged: by default a judge scores it'
    assert (f'- Note: {note}' in markdown(report)) is shown
    assert (f'  note: {note}' in text_of(report)) is shown
    assert (f'<li>Note: {note}</li>' in html(report)) is shown


@pytest.mark.parametrize(
    ('metric', 'score', 'outcome'),
    [
        ('accuracy', 0.5, 'scores 0.5 on accuracy'),
        ('seconds', 1.0, 'takes 1 s or more'),
        ('num', 0, 'is counted 0 times'),
    ],
)
def test_an_example_says_in_words_what_became_of_the_reply(metric: str, score: float, outcome: str) -> None:
    shown = example_text(Example('x', 'C', metric, score, 'less'))
    assert shown == f'"x" where the gold is "C" {outcome}; allowed: less'


def test_the_command_for_a_callable_names_it_as_a_scorer() -> None:
    (card,) = cards_of(finding('rewards:compute_score', 'rewards.compute_score', 'x'))
    assert card.command('') == (
        'evalscope-qa audit --scorer rewards:compute_score --questions F.jsonl --rule non-answer'
    )


def test_many_benchmarks_are_folded_and_few_named() -> None:
    found = [result(name, finding(name, 'package.parse', 'x')) for name in 'abcdefg']
    assert '<details><summary>7 benchmarks</summary>' in markdown(AuditReport('1', '3', '0', RULE_TEXTS, found))
    assert '\n2 benchmarks: a, b.' in markdown(AuditReport('1', '3', '0', RULE_TEXTS, found[:2]))


def test_a_function_that_breaks_two_rules_is_one_cause_and_shows_a_reply_of_each() -> None:
    found = [
        finding('b', 'package.parse', '<think> B', 'cut-off-reasoning'),
        finding('b', 'package.parse', 'I do not know.'),
        finding('c', 'package.parse', 'I do not know.'),
    ]
    report = AuditReport('1', '3', '0', RULE_TEXTS, [result('b', *found[:2]), result('c', found[2])])
    (card,) = cards_of(*found)
    group = card.group
    assert ([rule.id for rule in group.rules], group.benchmarks) == (['non-answer', 'cut-off-reasoning'], ['b', 'c'])
    assert group.fault == (
        'A reply that answers nothing is credited; a reply that was cut off while reasoning is credited'
    )
    assert [example.reply for _, example in best_examples(group, 1)] == ['I do not know.', '<think> B']
    assert '[non-answer, cut-off-reasoning]' in text_of(report)
    assert '[non-answer](audit.md#non-answer), [cut-off-reasoning](audit.md#cut-off-reasoning)' in markdown(report)
    assert ': 1 cause.' in summary_line(report)


def test_the_summary_counts_what_could_not_be_audited_apart_from_what_is_clean(report: AuditReport) -> None:
    line = summary_line(report)
    assert '5 benchmarks: 4 audited, of which 3 broke a rule and 1 kept all; 1 could not be audited.' in line
    assert '3 findings in 3 benchmarks: 2 causes.' in line


def test_findings_of_what_could_not_be_audited_are_counted_apart() -> None:
    online = BenchmarkResult(
        'online', NOT_AUDITED, reason='online', findings=[finding('online', 'c', 'any', 'offline')]
    )
    line = summary_line(AuditReport('1', '3', '0', RULE_TEXTS, [online, result('spotless')]))
    assert line == (
        '2 benchmarks: 1 audited, of which 0 broke a rule and 1 kept all; 1 could not be audited, of which 1 broke a '
        'rule that needs no right answer. 1 finding in 1 benchmark: 1 cause.'
    )


def test_more_findings_than_benchmarks_are_explained(report: AuditReport) -> None:
    assert 'so a benchmark may have several' not in summary_line(report)
    report.results[0].findings.append(finding('alone', 'package.another', 'Unknown.'))
    assert '4 findings in 3 benchmarks: 3 causes. A finding is one rule' in summary_line(report)
    assert 'so a benchmark may have several' in Elements(html(report)).text


def test_the_text_shows_several_examples_of_a_cause_and_how_many_there_are() -> None:
    found = finding('b', 'package.cause', 'Unknown.')
    found.examples += [Example(reply, 'C', 'accuracy', 1.0, '0') for reply in ('', 'I do not know.', 'Unknown.')]
    found.count = 9
    shown = text_of(AuditReport('1', '3', '0', RULE_TEXTS, [result('b', found)]))
    assert [line.strip() for line in shown.splitlines() if 'scores 1 on accuracy' in line] == [
        'e.g. b: "" where the gold is "C" scores 1 on accuracy; allowed: 0',
        'b: "I do not know." where the gold is "C" scores 1 on accuracy; allowed: 0',
        'b: "Unknown." where the gold is "C" scores 1 on accuracy; allowed: 0',
    ]
    assert '3 of 9 cases are shown' in shown
    assert '1 benchmark: 1 audited' in shown and '1 finding in 1 benchmark: 1 cause.' in shown


def test_the_text_shows_cause_names_a_typeable_reply_and_the_reasons(report: AuditReport) -> None:
    text = text_of(report)
    assert 'cause: package.shared (package/file.py:7)' in text
    assert 'in 2 benchmarks: first, second' in text
    assert 'first: "Cannot be determined." where the gold is "C" scores 1 on accuracy; allowed: 0' in text
    assert 'its score needs a judge model: judged' in text
    assert text.index('package.shared') < text.index('package.rare')


def test_a_terminal_that_is_not_unicode_gets_escapes() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding='ascii')
    write_text(
        AuditReport('1', '3', '0', RULE_TEXTS, [result('b', finding('b', 'c', '无法确定。 无法'))]),
        stream,
    )
    stream.flush()
    assert b'\\u65e0\\u6cd5' in raw.getvalue()


def test_the_json_holds_everything_and_reads_back(report: AuditReport, tmp_path: Path) -> None:
    file = tmp_path / 'report.json'
    write_json(report, file)
    document = json.loads(file.read_text())
    assert [BenchmarkResult.from_dict(item) for item in document['results']] == report.results
    assert document['causes'][0]['benchmarks'] == ['first', 'second']
    assert (document['causes'][0]['section'], document['causes'][0]['weight']) == ('causes', 2)
    assert document['rules']['non-answer']['page'] == 'docs/audit.md#non-answer'


def test_a_report_is_rendered_from_its_json_as_from_the_audit(report: AuditReport, tmp_path: Path) -> None:
    report.results[0].findings[0].effect = Effect('x', 'accuracy', 0.25, 0.0, 1.0, 0.8)
    file = tmp_path / 'report.json'
    write_json(report, file)
    assert read_json(file) == report
    assert markdown(read_json(file)) == markdown(report)


@pytest.mark.parametrize(('text', 'problem'), [('{', 'not JSON'), ('[]', 'format 4'), ('{"format": 3}', 'format 4')])
def test_a_file_that_is_no_report_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / 'report.json'
    file.write_text(text)
    with pytest.raises(ValueError, match=f'report.json: .*{problem}'):
        read_json(file)


class Elements(HTMLParser):
    """Collects tags, attributes and text of a document."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ''
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_html_escapes_replies_and_loads_nothing(report: AuditReport) -> None:
    document = html(report)
    elements = Elements(document)
    assert elements.tags.count('script') == 1 and 'img' not in elements.tags and 'link' not in elements.tags
    assert not [name for name, _ in elements.attributes if name in ('src', 'onerror', 'onclick')]
    assert {value[:7] for name, value in elements.attributes if name == 'href'} == {'#causes', '#cause-'}
    assert 'http://' not in document and 'https://' not in document and '@import' not in document
    assert '<script>alert(' in elements.text.replace('\\"', '"'), 'the reply is shown as text'
    assert "default-src 'none'" in document


def test_the_html_unfolds_every_finding_and_can_be_filtered(report: AuditReport) -> None:
    elements = Elements(html(report))
    rules = [value for name, value in elements.attributes if name == 'data-rule']
    assert rules == ['non-answer', 'non-answer', 'non-answer']
    named = [value for name, value in elements.attributes if name == 'data-benchmark']
    assert {'first', 'second', 'alone', 'spotless'} <= set(named)
    assert elements.tags.count('details') == 6, 'severities, two causes, three findings'
    assert [value for name, value in elements.attributes if name == 'id' and value.startswith('cause-')] == [
        value[1:] for name, value in elements.attributes if name == 'href' and value.startswith('#cause-')
    ], 'each card is reached from the contents, which the filter hides with it'
    assert {'select', 'input', 'datalist'} <= set(elements.tags)


def test_the_html_is_written_even_with_a_lone_surrogate(report: AuditReport, tmp_path: Path) -> None:
    report.results[0].findings[0].examples[0].reply = 'a \ud800 b'
    write_html(report, tmp_path / 'report.html')
    assert 'ud800' in (tmp_path / 'report.html').read_text(encoding='utf-8')


def test_an_interrupted_report_says_so_everywhere(report: AuditReport) -> None:
    report.interrupted, report.not_reached = True, ['later']
    assert 'INTERRUPTED: 1 more were not reached.' in text_of(report)
    assert 'Not reached: later' in html(report)
    assert 'INTERRUPTED' in markdown(report)


def test_an_audit_without_findings_says_so() -> None:
    clean = AuditReport('1.0', '3.11', '0.1', RULE_TEXTS, [result('spotless')])
    assert 'Nothing was found.' in html(clean)
    assert 'Nothing was found.' in markdown(clean)
    assert '0 findings in 0 benchmarks.' in text_of(clean)


def test_the_markdown_page_ranks_links_and_lists(report: AuditReport) -> None:
    page = markdown(report)
    assert '\n1. [`package.shared`](#cause-1), 2 benchmarks, weight 2: a reply that answers nothing is credited' in page
    assert '### 2. `package.rare`' in page and '[non-answer](audit.md#non-answer)' in page
    assert '<a id="cause-2"></a>' in page
    assert '- its score needs a judge model: judged' in page
    assert '1 of the audited benchmarks: spotless.' in page
    assert '<script>' not in re.sub(r'`+[^`\n]*`+', '', page)


@pytest.mark.parametrize(
    ('text', 'expected'),
    [
        ('plain', '`plain`'),
        ('a `tick`', '`` a `tick` ``'),
        ('two\nlines', '`"two\\nlines"`'),
        (' ', '`" "`'),
        ('', '`""`'),
    ],
)
def test_code_stays_on_one_line(text: str, expected: str) -> None:
    assert code(text) == expected


class Cells(HTMLParser):
    """Collects the heads and the cells of the tables of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tables: list[tuple[list[str], list[dict[str, str | None]]]] = []
        self._in_head = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == 'table':
            self.tables.append(([], []))
        self._in_head = tag == 'th'
        if tag == 'td':
            self.tables[-1][1].append(dict(attrs))

    def handle_data(self, data: str) -> None:
        if self._in_head:
            self.tables[-1][0].append(data)
            self._in_head = False


def test_a_narrow_screen_can_label_every_cell_and_a_wide_one_breaks_no_metric_name(report: AuditReport) -> None:
    page = html(report)
    tables = Cells(page).tables
    assert len(tables) >= 6
    for titles, cells in tables:
        assert [cell['data-label'] for cell in cells] == titles * (len(cells) // len(titles))
        assert all(cell['class'] for cell in cells)
    kinds = {cell['data-label']: cell['class'] for _, cells in tables for cell in cells}
    assert (kinds['metric'], kinds['benchmark'], kinds['score']) == ('word', 'word', 'number')
    style = page.partition('<style>')[2].partition('</style>')[0]
    wide, _, narrow = style.partition('@media')
    assert re.search(r'td\.word, td\.number, th \{[^}]*white-space: nowrap', wide)
    assert not re.search(r'\btd\b[^{}]*\{[^}]*anywhere', wide)
    assert 'display: block' in narrow and 'attr(data-label)' in narrow


def test_the_reply_of_a_cause_is_seen_without_a_click(report: AuditReport) -> None:
    """Neither form folds it: what is folded is taken out here."""
    report.results += [result(name, finding(name, 'package.shared', 'x')) for name in 'abcdef']
    for page in (html(report), markdown(report)):
        unfolded = page
        while '<details' in unfolded:
            unfolded = re.sub(r'<details(?:(?!<details).)*?</details>', '', unfolded, flags=re.DOTALL)
        assert 'Cannot be determined.' in unfolded


def test_a_page_on_a_narrow_screen_has_nothing_wide(report: AuditReport) -> None:
    """A row of Markdown's one table is short; long names and calls wrap in the HTML."""
    assert max(len(line) for line in markdown(report).split('\n') if line.startswith('| [')) < 80
    style = html(report).partition('<style>')[2].partition('</style>')[0]
    assert 'overflow-wrap: anywhere' in style and 'white-space: pre-wrap' in style


@pytest.mark.parametrize('source', ['plain()', "parse('```')"])
def test_a_call_is_fenced_whatever_it_holds(source: str) -> None:
    fence, inside, end = fenced(source).split('\n')
    assert inside == source and fence == f'{end}python' and end not in source
