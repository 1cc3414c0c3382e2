"""The one limit of what a worker is asked: processor time counts, and waiting as long for nothing."""

import os
import signal
import subprocess
import time

import pytest
from evalscope_qa.audit.scoring.timing import child_lines
from evalscope_qa.audit.workers.deadline import Deadline, processor_seconds_of


class Process:
    """A made-up process: its clock and its processor time, moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.used = 7.0
        self.deadline = Deadline(lambda: self.used, lambda: self.now)

    def goes_on(self, seconds: float, share: float) -> str:
        """Let seconds pass by the clock, one by one, of which the process computes a share; return what passed."""
        for _ in range(round(seconds)):
            self.now += 1
            self.used += share
            problem = self.deadline.passed()
            if problem:
                return problem
        return ''


@pytest.mark.parametrize(
    ('seconds', 'share', 'problem'),
    [
        (59, 1.0, ''),
        (61, 1.0, 'not finished after 60 s of processor time'),
        (119, 0.5, ''),
        (121, 0.5, 'not finished after 60 s of processor time'),
        (2900, 0.02, ''),  # a very busy machine
        (3100, 0.02, 'not finished after 60 s of processor time'),
        (59, 0.0, ''),
        (61, 0.0, 'not finished: it has waited for 60 s'),
        (200, 0.001, 'not finished: it has waited for 60 s'),  # wakes up now and then
    ],
)
def test_processor_time_counts_and_so_does_waiting_for_as_long(seconds: float, share: float, problem: str) -> None:
    process = Process()
    process.deadline.begin(60)
    assert process.goes_on(seconds, share) == problem


def test_work_between_two_waits_ends_the_first() -> None:
    process = Process()
    process.deadline.begin(60)
    assert process.goes_on(50, 0) == ''
    assert process.goes_on(5, 1) == ''
    assert process.goes_on(59, 0) == ''
    assert process.goes_on(10, 0) == 'not finished: it has waited for 60 s'


def test_what_is_asked_next_has_a_limit_of_its_own() -> None:
    process = Process()
    process.deadline.begin(60)
    assert process.goes_on(50, 1) == ''
    process.deadline.begin(60)
    assert process.goes_on(50, 1) == ''


def test_nothing_passes_before_the_first_question_and_after_the_last() -> None:
    process = Process()
    assert process.goes_on(1000, 1) == '' and process.deadline.seconds_to_next_look == float('inf')
    process.deadline.begin(60)
    assert 0 < process.deadline.seconds_to_next_look <= 3
    process.deadline.lift()
    assert process.goes_on(1000, 1) == '' and process.deadline.seconds_to_next_look == float('inf')


def test_the_time_of_a_process_is_that_of_its_living_children_too() -> None:
    def compute_and_wait(pipe: int) -> None:
        while time.process_time() < 0.3:
            pass
        os.write(pipe, b'computed\n')
        signal.pause()

    lines = child_lines(compute_and_wait)
    own = time.process_time()
    try:
        assert next(lines) == 'computed'
        assert processor_seconds_of(os.getpid()) > own + 0.2
    finally:
        lines.close()


def test_a_process_that_has_ended_uses_nothing() -> None:
    process = subprocess.Popen(['true'])
    process.wait()
    assert processor_seconds_of(process.pid) == 0.0
