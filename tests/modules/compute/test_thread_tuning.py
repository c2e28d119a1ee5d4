"""The thread tuner on machines whose step times are known."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from modules.compute.thread_tuning import SETTLING_STEPS, ThreadTuner

FIRST_TRIAL_OVER = SETTLING_STEPS + 6


class Machine:
    """Runs steps of 32 images; ``seconds`` says how long one takes with so many threads."""

    def __init__(self, seconds: Callable[[int, float], float]) -> None:
        self.now = 0.0
        self.threads = 2
        self.num_steps = 0
        self._seconds = seconds
        self.tuner = ThreadTuner(2, self._set_threads)

    def _set_threads(self, threads: int) -> None:
        self.threads = threads

    def run(self, until: float) -> None:
        while self.now < until:
            took = self._seconds(self.threads, self.now)
            self.now += took
            self.num_steps += 1
            self.tuner.observe(took, 32)


def test_a_quiet_machine_keeps_all_threads_at_little_cost() -> None:
    machine = Machine(lambda threads, _: 0.1 if threads == 2 else 0.19)
    machine.run(120.0)
    assert machine.threads == 2
    assert machine.num_steps > 0.96 * 1200


def test_a_busy_machine_gets_one_thread_within_a_few_steps() -> None:
    machine = Machine(lambda threads, _: 3.0 if threads == 2 else 0.2)
    machine.run(60.0)
    assert machine.threads == 1
    assert machine.num_steps > 0.6 * 300


def test_it_follows_a_machine_that_becomes_busy_and_quiet_again() -> None:
    def seconds(threads: int, now: float) -> float:
        busy = 100 < now < 300
        return (1.0 if busy else 0.1) if threads == 2 else 0.2

    machine = Machine(seconds)
    machine.run(99.0)
    assert machine.threads == 2
    machine.run(200.0)
    assert machine.threads == 1
    machine.run(420.0)
    assert machine.threads == 2


def given(most: int, steps: Callable[[int], float], num_steps: int) -> list[int]:
    """The threads that each of so many steps used; ``steps`` says how long one takes with them."""
    used = [most]
    tuner = ThreadTuner(most, used.append)
    threads = []
    for _ in range(num_steps):
        threads.append(used[-1])
        tuner.observe(steps(used[-1]), 32)
        assert tuner.num_threads == used[-1]
    return threads


class Busy:
    """Slow steps, 20 s with both threads, that others slow down from one step on."""

    def __init__(self, busy_from: int, factor: float) -> None:
        self.busy_from, self.factor, self.num_steps = busy_from, factor, 0

    def __call__(self, threads: int) -> float:
        self.num_steps += 1
        if threads == 1:
            return 35.0
        return 20.0 * (self.factor if self.num_steps > self.busy_from else 1)


def test_a_step_that_takes_three_times_as_long_is_answered_at_once_however_slow_steps_are() -> None:
    threads = given(2, Busy(busy_from=40, factor=3), 80)
    quiet, busy = threads[FIRST_TRIAL_OVER:40], threads[40:]
    assert set(quiet) == {2}, "the next trial is due an hour of steps later"
    # The median of the last three steps is slow after two; three more try one thread.
    assert busy[:2] == [2, 2]
    assert set(busy[2:10]) == {1}
    assert busy[2:].count(2) == 1, "one step shows that others still slow both threads down"


def test_it_returns_soon_when_a_machine_was_busy_for_a_moment() -> None:
    def seconds(threads: int, now: float) -> float:
        return (1.2 if 100 < now < 105 else 0.35) if threads == 2 else 0.7

    machine = Machine(seconds)
    machine.run(106.0)
    assert machine.threads == 1
    machine.run(120.0)
    assert machine.threads == 2


def test_it_tries_again_soon_where_all_threads_have_only_just_lost() -> None:
    """A neighbour on the same hardware slows down threads that wait for each other, then goes."""

    def seconds(threads: int, now: float) -> float:
        disturbed = 1.2 if now < 103 else 0.9
        return (disturbed if 100 < now < 118 else 0.35) if threads == 2 else 0.7

    machine = Machine(seconds)
    machine.run(118.0)
    assert machine.threads == 1, "the trial ten seconds after was lost, but nearly won"
    machine.run(135.0)
    assert machine.threads == 2


def test_steps_that_are_slower_for_other_reasons_are_tried_once() -> None:
    threads = given(2, Busy(busy_from=40, factor=1.5), 80)
    assert threads[FIRST_TRIAL_OVER:].count(1) == 3, (
        "not three times as slow: only the trial that is due"
    )

    busy = Busy(busy_from=40, factor=1.0)
    threads = given(2, lambda threads: busy(threads) * (4 if busy.num_steps > 40 else 1), 140)
    assert threads[42] == 1
    assert threads[43:].count(1) == 1, "one thread suffers as much: no trial after trial"


def test_one_slow_step_is_no_reason_for_a_trial() -> None:
    steps = iter([0.1] * 50 + [2.0] + [0.1] * 40)
    threads = given(2, lambda threads: next(steps) if threads == 2 else 0.19, 80)
    assert set(threads[FIRST_TRIAL_OVER:]) == {2}


def test_alone_a_training_of_a_minute_loses_less_than_a_twentieth() -> None:
    threads = given(2, lambda threads: 0.1 if threads == 2 else 0.19, 600)
    seconds = sum(0.1 if each == 2 else 0.19 for each in threads)
    assert seconds < 1.05 * 60


@pytest.mark.parametrize(("one_thread", "preferred"), [(0.95, 2), (0.85, 1)])
def test_one_thread_must_be_clearly_faster(one_thread: float, preferred: int) -> None:
    threads = given(2, lambda threads: 1.0 if threads == 2 else one_thread, 200)
    assert threads.count(preferred) > 0.75 * len(threads)
    seconds = sum(1.0 if each == 2 else one_thread for each in threads)
    assert seconds < 1.05 * (1.0 if preferred == 2 else one_thread) * len(threads)


def test_all_threads_need_not() -> None:
    machine = Machine(lambda threads, now: 0.95 if threads == 1 else 0.9 + (now < 100))
    machine.run(99.0)
    assert machine.threads == 1
    machine.run(300.0)
    assert machine.threads == 2


def test_one_thread_is_left_alone() -> None:
    called: list[int] = []
    tuner = ThreadTuner(1, called.append)
    for _ in range(100):
        tuner.observe(1.0, 32)
    assert called == []
