"""Which function is named as the cause."""

import random
import re
from types import ModuleType
from typing import Any

import pytest
from evalscope_qa.audit.scoring.tracing import Tracer, aggregating, answering, crediting, extracting

SOURCE = """
import random
import re

class Adapter:
    def extract(self, reply):
        return self.clean(parse(reply))

    def clean(self, answer):
        return answer.strip()

    def aggregate(self, values):
        return {'accuracy': mean(values)}

def parse(reply):
    return fallback(reply) or ''

def fallback(reply):
    for letter in reversed(reply):
        if letter.isupper():
            return {letter}.pop()

def character(index):
    return 'ABCD'[index]

def score(reply, gold):
    return float(equal(reply, gold))

def equal(reply, gold):
    return reply == gold

def judge(reply, gold):
    return same(nearest(reply, ['A', 'B']), gold)

def nearest(reply, letters):
    distances = [distance(reply, letter) for letter in letters]
    return letters[distances.index(min(distances))]

def distance(reply, letter):
    return 1 if reply != letter else 0

def same(letter, gold):
    return float(letter == gold)

def verdict(reply):
    return float(read_verdict(answer_line(reply)) == 'NO')

def answer_line(reply):
    return reply.partition('ANSWER: ')[2] or reply

def read_verdict(text):
    return 'NO' if 'NO' in text.upper().split() else None

def counted(reply):
    return str(first_number(reply))

def first_number(reply):
    return next((int(word) for word in reply.split() if word.isdigit()), None)

def parsed(reply):
    return several_results(reply)[1]

def several_results(reply):
    return [object()], reply.split()[-1]

def exact_and_overlap(reply, gold):
    return {'exact': float(reply == gold), 'overlap': rounded(reply, gold)}

def rounded(reply, gold):
    return 'ratio: ' + str(precision(reply, gold))

def precision(reply, gold):
    return 1.0 if not reply else 0.0

def lenient(reply, gold):
    distance = far(reply, gold)
    return 1.0 if distance < 2 else 0.0

def far(reply, gold):
    return float(abs(len(reply) - len(gold)) + (reply[:1] != gold[:1]))

def outer(reply):
    def inner(text):
        return text[-1]
    return inner(reply)

def mean(values):
    return sum(values) / len(values)

def guess(letters):
    return pick(letters)

def pick(letters):
    return random.choice(letters)

def find_answer():
    return search('(', 'text')

def search(pattern, text):
    return re.search(pattern, text)

def fail():
    raise ValueError('no')

def fail_anew():
    try:
        fail()
    except ValueError as error:
        raise RuntimeError('it failed: no') from error

def swallow():
    for function in (fail, fail_anew):
        try:
            function()
        except (ValueError, RuntimeError):
            result = 0.0
    return result

def wait():
    raise TimeoutError

def wait_and_fail():
    try:
        wait()
    except TimeoutError as error:
        raise RuntimeError('not done in 30 s') from error

def swallow_a_deadline():
    try:
        wait_and_fail()
    except RuntimeError:
        return None
"""


@pytest.fixture
def project() -> Any:
    module = ModuleType('project_of_the_tests')
    exec(compile(SOURCE, '/nowhere/project_of_the_tests.py', 'exec'), vars(module))
    return module


@pytest.fixture
def tracer() -> Tracer:
    return Tracer(['project_of_the_tests'])


def test_the_innermost_function_that_made_the_answer_of_the_reply_is_named(project: Any, tracer: Tracer) -> None:
    def scoring() -> str:
        project.character(3)  # returns the answer too, but not from the reply
        return project.Adapter().extract("Don't know")

    result, calls, _ = tracer.run(scoring)
    assert result == 'D'
    cause = extracting(calls, 'D')
    assert cause is not None
    assert cause.name == 'project_of_the_tests.fallback'
    assert cause.location.startswith('project_of_the_tests.py:')


def test_nothing_extracted_has_no_extracting_function(project: Any, tracer: Tracer) -> None:
    _, calls, _ = tracer.run(lambda: project.Adapter().extract('nothing here'))
    assert extracting(calls, '') is None


def test_a_credit_is_given_by_the_function_that_does_not_give_it_to_a_wrong_reply(project: Any, tracer: Tracer) -> None:
    _, credited, _ = tracer.run(lambda: project.score('x', 'x'))
    _, control, _ = tracer.run(lambda: project.score('y', 'x'))
    call = crediting(credited, control, 1.0)
    assert call is not None and call.cause.name.endswith('.equal')
    assert crediting(credited, credited, 1.0) is None


def test_a_number_that_equals_the_credit_by_chance_is_not_taken_for_it(project: Any, tracer: Tracer) -> None:
    """The distances are 1, and the innermost; what calls for them returns a letter."""
    _, credited, _ = tracer.run(lambda: project.judge('', 'A'))
    _, control, _ = tracer.run(lambda: project.score('y', 'x'))
    call = crediting(credited, control, 1.0)
    assert call is not None and call.cause.name.endswith('.same')


def test_a_number_that_its_caller_made_something_else_of_is_not_taken_for_the_credit(
    project: Any, tracer: Tracer
) -> None:
    """Of silence, precision is 1 as the credit is, but what compares the texts gave that."""
    _, credited, _ = tracer.run(lambda: project.exact_and_overlap('', ''))
    _, control, _ = tracer.run(lambda: project.exact_and_overlap('y', 'x'))
    call = crediting(credited, control, 1.0)
    assert call is not None and call.cause.name.endswith('.exact_and_overlap')


def test_a_function_that_gives_a_right_reply_less_than_it_earns_did_not_give_the_credit(
    project: Any, tracer: Tracer
) -> None:
    """How far a reply is from the gold is 1 for the credited one, and 0 for the right one, which earns 1 too."""
    traces = [tracer.run(lambda reply=reply: project.lenient(reply, 'ab'))[1] for reply in ('a', 'zzz', 'ab')]
    credited, control, right = traces
    by_wrong_alone = crediting(credited, control, 1.0)
    assert by_wrong_alone is not None and by_wrong_alone.cause.name.endswith('.far')
    call = crediting(credited, control, 1.0, right, 1.0)
    assert call is not None and call.cause.name.endswith('.lenient')


@pytest.mark.parametrize(
    ('function', 'reply', 'answers', 'expected'),
    [
        ('verdict', 'No answer.', ['NO'], 'read_verdict'),  # not what scores it, which returns a number
        ('verdict', 'ANSWER: not NO', ['NO'], 'read_verdict'),  # the line it is on still says not
        ('verdict', 'ANSWER: NO', ['NO'], 'answer_line'),
        ('counted', 'row 1 has 3', ['1'], 'first_number'),  # an int, made a text by its caller
        ('parsed', 'x = 4', [r'\boxed{4}'], 'several_results'),
        ('verdict', 'nothing', ['NO'], None),
        ('verdict', 'NO', ['NO'], None),  # the reply is the answer
    ],
)
def test_the_innermost_function_that_turned_a_text_of_the_reply_into_the_gold_is_named(
    project: Any, tracer: Tracer, function: str, reply: str, answers: list[str], expected: str | None
) -> None:
    _, calls, _ = tracer.run(lambda: getattr(project, function)(reply))
    call = answering(calls, reply, answers)
    assert (call.cause.name.rpartition('.')[2] if call else None) == expected


def test_an_aggregate_is_made_by_the_innermost_function_that_returns_it(project: Any, tracer: Tracer) -> None:
    _, calls, _ = tracer.run(lambda: project.Adapter().aggregate([1.0, 0.0]))
    cause = aggregating(calls, 0.5)
    assert cause is not None and cause.name.endswith('.mean')


def test_a_random_draw_is_traced_to_the_project_function_that_made_it(project: Any, tracer: Tracer) -> None:
    _, _, drew = tracer.run(lambda: project.guess(['A', 'B']))
    assert drew is not None and drew.name.endswith('.pick')
    _, _, drew = tracer.run(lambda: random.choice('AB'))
    assert drew is None


def test_methods_are_named_with_their_class(project: Any, tracer: Tracer) -> None:
    _, calls, _ = tracer.run(lambda: project.Adapter().clean(' A '))
    assert calls[0].cause.name == 'project_of_the_tests.Adapter.clean'


def test_methods_are_named_with_the_class_that_defines_them_before_python_3_11(project: Any) -> None:
    """Code knows its class from 3.11 on."""
    from evalscope_qa.audit.scoring.naming import _name_with_class

    class Heir(project.Adapter):
        def extract(self, reply: str) -> str:
            return reply

    def name(function: Any, owner: Any) -> str:
        return _name_with_class(function.__code__, owner)

    assert name(project.Adapter.clean, project.Adapter()) == 'Adapter.clean'
    assert name(project.Adapter.clean, Heir()) == 'Adapter.clean'
    assert name(project.Adapter.extract, Heir()) == 'Adapter.extract'
    assert name(project.Adapter.clean, Heir) == 'Adapter.clean'
    assert name(project.parse, None) == 'parse'


def test_an_attempt_is_traced_to_the_innermost_project_function(project: Any, tracer: Tracer) -> None:
    import sys

    frames = []
    project.guess.__globals__['pick'] = lambda letters: frames.append(sys._getframe())
    project.guess('AB')
    cause = tracer.innermost(frames[0])
    assert cause is not None and cause.name == 'project_of_the_tests.guess'
    assert tracer.innermost(sys._getframe()) is None


def test_an_exception_is_traced_to_the_innermost_project_function(project: Any, tracer: Tracer) -> None:
    with pytest.raises(ValueError) as caught:
        tracer.run(project.fail)
    cause = tracer.raised_in(caught.value.__traceback__)
    assert cause is not None and cause.name == 'project_of_the_tests.fail'


def test_an_exception_inside_a_part_of_a_function_is_that_function_s(project: Any, tracer: Tracer) -> None:
    with pytest.raises(IndexError) as caught:
        project.outer('')
    cause = tracer.raised_in(caught.value.__traceback__)
    assert cause is not None and cause.name == 'project_of_the_tests.outer'


def test_an_exception_in_what_a_factory_returned_is_its_own() -> None:
    def factory() -> Any:
        def scorer(reply: str) -> str:
            return reply[9]

        return scorer

    scorer = factory()
    with pytest.raises(IndexError) as caught:
        scorer('A')
    cause = Tracer([__name__.partition('.')[0]]).raised_in(caught.value.__traceback__)
    assert cause is not None and cause.name.endswith('scorer')


def test_an_exception_in_a_search_is_traced_to_who_made_the_pattern(project: Any, tracer: Tracer) -> None:
    with pytest.raises(re.error) as caught:
        tracer.run(project.find_answer)
    cause = tracer.raised_in(caught.value.__traceback__)
    assert cause is not None and cause.name == 'project_of_the_tests.find_answer'


def test_an_exception_that_is_swallowed_is_traced_to_where_it_was(project: Any, tracer: Tracer) -> None:
    def cause(reason: str) -> str | None:
        found = tracer.swallowed(project.swallow, reason)
        return found.name.rpartition('.')[2] if found else None

    assert cause('score status excluded: no') == 'fail'
    assert cause('score status excluded: it failed: no') == 'fail', 'raised anew from the first'
    assert cause('score status excluded: unparseable') is None


def test_a_deadline_that_passed_is_traced_to_what_makes_an_error_of_it(project: Any, tracer: Tracer) -> None:
    found = tracer.swallowed(project.swallow_a_deadline, 'score status excluded: not done in 30 s')
    assert found is not None and found.name.rpartition('.')[2] == 'wait_and_fail'


def test_a_dumped_traceback_gives_the_innermost_project_function(tmp_path: Any) -> None:
    dump = (
        'Timeout (0:00:01)!\nThread 0x1 (most recent call first):\n'
        '  File "/lib/re.py", line 1 in search\n'
        f'  File "{__file__}", line 8 in <listcomp>\n'
        f'  File "{__file__}", line 7 in burn\n'
        f'  File "{__file__}", line 3 in outer\n'
    )
    package = __name__.partition('.')[0]
    cause = Tracer([package]).in_dump(dump)
    assert cause is not None and cause.name == f'{__name__}.burn'
    assert Tracer(['another']).in_dump(dump) is None


def test_a_function_inside_the_one_that_calls_it_is_part_of_it(project: Any, tracer: Tracer) -> None:
    _, calls, _ = tracer.run(lambda: project.outer('x A'))
    assert [call.cause.name for call in calls] == ['project_of_the_tests.outer']


def test_a_function_that_a_factory_returned_is_named() -> None:
    """A scorer is often one: nothing around it is at work when it is called."""

    def factory() -> Any:
        def scorer(reply: str) -> str:
            return reply

        return scorer

    scorer = factory()
    _, calls, _ = Tracer([__name__.partition('.')[0]]).run(lambda: scorer('A'))
    assert calls[-1].cause.name.endswith('scorer'), 'with what made it from Python 3.11 on'


class Normaliser:
    """Its method is in a dumped traceback."""

    def __call__(self, text: str) -> str:
        return text.strip()


def search(pattern: str, text: str) -> Any:
    return re.search(pattern, text)


def test_a_dumped_traceback_names_methods_with_their_class_and_not_who_was_given_a_pattern() -> None:
    line = Normaliser.__call__.__code__.co_firstlineno + 1
    searching = search.__code__.co_firstlineno + 1
    dump = f'  File "{__file__}", line {searching} in search\n  File "{__file__}", line {line} in __call__\n'
    cause = Tracer([__name__.partition('.')[0]]).in_dump(dump)
    assert cause is not None and cause.name == f'{__name__}.Normaliser.__call__'
    assert cause.location.endswith(f'test_tracing.py:{line - 1}')


def test_tracing_ends_with_the_block(project: Any, tracer: Tracer) -> None:
    import sys

    tracer.run(lambda: project.mean([1]))
    assert sys.getprofile() is None
