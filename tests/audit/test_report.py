"""The report as text, JSON, HTML and Markdown: complete, ranked, and safe whatever a reply holds."""

import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from evalscope_qa.audit.report.html import html, write_html
from evalscope_qa.audit.report.json_file import write_json
from evalscope_qa.audit.report.markdown import code, markdown
from evalscope_qa.audit.report.summary import best_examples, summary_line
from evalscope_qa.audit.report.text import write_text
from evalscope_qa.audit.results import (
    AUDITED,
    FAILED,
    NOT_AUDITED,
    PASSED,
    AuditReport,
    BenchmarkResult,
    Example,
    Finding,
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


def test_causes_are_grouped_and_ranked_by_the_benchmarks_they_reach(report: AuditReport) -> None:
    assert [(group.cause, group.benchmarks) for group in report.groups()] == [
        ('package.shared', ['first', 'second']),
        ('package.rare', ['alone']),
    ]


def test_a_function_that_breaks_two_rules_is_one_cause_and_shows_a_reply_of_each() -> None:
    found = [
        finding('b', 'package.parse', '<think> B', 'cut-off-reasoning'),
        finding('b', 'package.parse', 'I do not know.'),
        finding('c', 'package.parse', 'I do not know.'),
    ]
    report = AuditReport('1', '3', '0', RULE_TEXTS, [result('b', *found[:2]), result('c', found[2])])
    (group,) = report.groups()
    assert ([rule.id for rule in group.rules], group.benchmarks) == (['non-answer', 'cut-off-reasoning'], ['b', 'c'])
    assert group.fault == (
        'A reply that answers nothing is credited; a reply that was cut off while reasoning is credited'
    )
    assert [example.reply for _, example in best_examples(group, 1)] == ['I do not know.', '<think> B']
    assert '[non-answer, cut-off-reasoning]' in text_of(report)
    assert '[non-answer](audit.md#non-answer), [cut-off-reasoning](audit.md#cut-off-reasoning)' in markdown(report)
    assert 'of 1 cause.' in summary_line(report)


def test_the_summary_counts_what_could_not_be_audited_apart_from_what_is_clean(report: AuditReport) -> None:
    line = summary_line(report)
    assert '5 benchmarks: 4 audited, 3 with findings and 1 without; 1 could not be audited.' in line
    assert '3 findings of 2 causes' in line


def test_findings_of_what_could_not_be_audited_are_counted_apart() -> None:
    online = BenchmarkResult(
        'online', NOT_AUDITED, reason='online', findings=[finding('online', 'c', 'any', 'offline')]
    )
    line = summary_line(AuditReport('1', '3', '0', RULE_TEXTS, [online, result('spotless')]))
    assert line == (
        '2 benchmarks: 1 audited, 0 with findings and 1 without; 1 could not be audited, 1 of them with findings all '
        'the same. 1 finding of 1 cause.'
    )


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
    assert '1 benchmark: 1 audited' in shown and '1 finding of 1 cause.' in shown


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
    assert document['rules']['non-answer']['page'] == 'docs/audit.md#non-answer'


class Elements(HTMLParser):
    """Collects tags, attributes and text of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ''

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_html_escapes_replies_and_loads_nothing(report: AuditReport) -> None:
    document = html(report)
    elements = Elements()
    elements.feed(document)
    assert elements.tags.count('script') == 1 and 'img' not in elements.tags and 'link' not in elements.tags
    assert not [name for name, _ in elements.attributes if name in ('src', 'href', 'onerror', 'onclick')]
    assert 'http://' not in document and 'https://' not in document and '@import' not in document
    assert '<script>alert(' in elements.text.replace('\\"', '"'), 'the reply is shown as text'
    assert "default-src 'none'" in document


def test_the_html_unfolds_every_finding_and_can_be_filtered(report: AuditReport) -> None:
    elements = Elements()
    elements.feed(html(report))
    rules = [value for name, value in elements.attributes if name == 'data-rule']
    assert rules == ['non-answer', 'non-answer', 'non-answer']
    named = [value for name, value in elements.attributes if name == 'data-benchmark']
    assert {'first', 'second', 'alone', 'spotless'} <= set(named)
    assert elements.tags.count('details') == 5
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
    assert '0 findings of 0 causes' in text_of(clean)


def test_the_markdown_page_ranks_links_and_lists(report: AuditReport) -> None:
    page = markdown(report)
    rows = [line for line in page.split('\n') if line.startswith('| [')]
    assert rows[0].startswith('| [1](#cause-1) | 2 | [non-answer](audit.md#non-answer) | `package.shared` |')
    assert '<a id="cause-2"></a>' in page
    assert '- its score needs a judge model: judged' in page
    assert '1 of the audited benchmarks: spotless.' in page
    assert '<script>' not in re.sub(r'`+[^`\n]*`+', '', page)


@pytest.mark.parametrize(
    ('text', 'expected'),
    [
        ('plain', '`plain`'),
        ('a `tick`', '`` a `tick` ``'),
        ('a | b', '`a \\| b`'),
        ('two\nlines', '`"two\\nlines"`'),
        (' ', '`" "`'),
        ('', '`""`'),
    ],
)
def test_code_stays_on_one_line_and_inside_its_cell(text: str, expected: str) -> None:
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
    summaries = re.findall(r'<summary>.*?</summary>', html(report), re.DOTALL)
    assert any('Cannot be determined.' in summary for summary in summaries)
