"""Which function is named as the cause."""

import random
from types import ModuleType
from typing import Any

import pytest
from evalscope_qa.audit.scoring.tracing import Tracer, aggregating, crediting, extracting

SOURCE = """
import random

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

def mean(values):
    return sum(values) / len(values)

def guess(letters):
    return pick(letters)

def pick(letters):
    return random.choice(letters)

def fail():
    raise ValueError('no')
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
    cause = crediting(credited, control, 1.0)
    assert cause is not None and cause.name.endswith('.equal')
    assert crediting(credited, credited, 1.0) is None


def test_a_number_that_equals_the_credit_by_chance_is_not_taken_for_it(project: Any, tracer: Tracer) -> None:
    """The distances are 1, and the innermost; what calls for them returns a letter."""
    _, credited, _ = tracer.run(lambda: project.judge('', 'A'))
    _, control, _ = tracer.run(lambda: project.score('y', 'x'))
    cause = crediting(credited, control, 1.0)
    assert cause is not None and cause.name.endswith('.same')


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
    from evalscope_qa.audit.scoring.tracing import _name_with_class

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


def test_tracing_ends_with_the_block(project: Any, tracer: Tracer) -> None:
    import sys

    tracer.run(lambda: project.mean([1]))
    assert sys.getprofile() is None
