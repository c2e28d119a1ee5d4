"""How many threads a computation has while others compute: played with a clock of our own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from modules.compute.switches import THREAD_CONTROL, VARIABLE
from modules.compute.thread_count import FreeCores, ThreadCount, ThreadTrial
from modules.operating_system.machine import CpuUse, cpu_use, num_cores

Seconds = Callable[[int], float]


class Machine:
    """Cores, of which others take some, and how long a step takes with so many threads."""

    def __init__(self, num_cores: int, step_seconds: Seconds) -> None:
        self.num_cores, self.others, self.now = num_cores, 0.0, 0.0
        self.share: int | None = None
        self.step_seconds = step_seconds
        self.taken: list[int] = []
        self.told: list[int] = []
        self.threads = ThreadCount(
            num_cores,
            self.taken.append,
            self.told.append,
            self._free,
            lambda: self.share,
            self._clock,
        )

    def _free(self) -> float:
        return self.num_cores - self.others

    def _clock(self) -> float:
        return self.now

    def compute(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            with self.threads.step(32):
                self.now += self.step_seconds(self.threads.current)

    def seconds_until(self, count: int, most: float = 60) -> float:
        began = self.now
        while self.threads.current != count:
            assert self.now - began < most
            self.compute(0.01)
        return self.now - began


def halves(count: int) -> float:
    """Twice as many threads are twice as fast."""
    return 0.04 / count


def test_threads_that_gain_are_kept() -> None:
    machine = Machine(2, halves)
    machine.compute(30)
    assert machine.threads.current == 2
    assert machine.taken == [1, 2]  # tried once, in the first seconds
    assert machine.told == [2]


def test_where_more_threads_gain_nothing_there_is_one() -> None:
    machine = Machine(4, lambda _: 0.03)
    machine.compute(10)
    assert machine.threads.current == 1
    machine.compute(30)
    assert machine.taken[-1] == 1
    assert len(machine.taken) == 2


def test_as_many_as_gain() -> None:
    """A step of which a part is for one thread: eight are 6 % faster than four."""
    machine = Machine(8, lambda count: 0.008 + 0.032 / min(count, 4.5))
    machine.compute(10)
    assert machine.threads.current == 4


def test_long_steps_are_tried_rarely() -> None:
    machine = Machine(8, lambda count: 8.0 / count)
    machine.compute(60)
    assert machine.threads.current == 8
    assert machine.taken == [4, 8], "two threads and one would be slower still"


def test_a_short_last_batch_is_no_measure_of_threads() -> None:
    machine = Machine(2, halves)
    while not machine.taken:
        machine.compute(0.01)
    for _ in range(2):  # of an epoch: a tenth of the images, in a tenth of the time
        with machine.threads.step(3):
            machine.now += 0.1 * halves(machine.threads.current)
    machine.compute(10)
    assert machine.threads.current == 2


def test_threads_are_given_up_within_two_seconds_and_taken_back_within_ten() -> None:
    machine = Machine(2, halves)
    machine.compute(10)
    machine.others = 1.0
    assert machine.seconds_until(1) <= 2
    machine.compute(20)
    assert machine.threads.current == 1
    machine.others = 0.1
    assert machine.seconds_until(2) <= 10
    assert machine.told == [2, 1, 2]


def test_as_many_are_given_up_as_others_take() -> None:
    machine = Machine(8, halves)
    machine.compute(10)
    machine.others = 3.0
    machine.compute(5)
    assert machine.threads.current == 5
    machine.others = 20.0
    machine.compute(5)
    assert machine.threads.current == 1


def test_what_an_app_and_a_browser_take_costs_no_thread() -> None:
    machine = Machine(2, halves)
    machine.compute(10)
    machine.others = 0.3
    machine.compute(10)
    assert machine.threads.current == 2


def test_a_short_burst_costs_no_thread() -> None:
    machine = Machine(2, halves)
    machine.compute(10)
    machine.others = 1.5
    machine.compute(0.5)
    machine.others = 0.0
    machine.compute(10)
    assert machine.taken == [1, 2]


def test_a_busy_machine_is_seen_before_the_first_step() -> None:
    machine = Machine(2, halves)
    machine.others = 2.0
    machine.compute(0.1)
    assert machine.taken == [1]
    machine.others = 0.0
    machine.compute(20)
    assert machine.threads.current == 2


def test_threads_that_are_wanted_again_at_once_are_taken_back_more_rarely() -> None:
    machine = Machine(2, halves)
    machine.compute(10)
    for _ in range(5):  # another process works for two seconds of every four
        machine.others = 1.0
        machine.compute(2)
        machine.others = 0.0
        machine.compute(2)
    machine.taken.clear()
    for _ in range(5):
        machine.others = 1.0
        machine.compute(2)
        machine.others = 0.0
        machine.compute(2)
    assert machine.taken == []
    assert machine.seconds_until(2) <= 10


def test_other_work_ends_a_trial_whose_times_it_would_change() -> None:
    machine = Machine(2, lambda count: 0.2 / count)
    machine.seconds_until(1)
    machine.others = 2.0
    machine.compute(5)
    machine.others = 0.0
    machine.compute(30)
    assert machine.threads.current == 2


def test_a_step_of_the_same_runner_gets_its_share_at_once() -> None:
    machine = Machine(4, halves)
    machine.compute(10)
    machine.share = 2
    assert machine.seconds_until(2) <= 1
    machine.others = 2.0
    machine.compute(10)
    assert machine.threads.current == 2
    machine.others, machine.share = 0.0, 4
    assert machine.seconds_until(4) <= 10


def test_a_fixed_count_stays() -> None:
    machine = Machine(2, lambda _: 0.02)
    machine.threads.fix()
    machine.others = 2.0
    machine.compute(20)
    assert machine.taken == []


def test_the_control_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, THREAD_CONTROL)
    machine = Machine(2, halves)
    machine.others = 2.0
    machine.compute(20)
    assert machine.taken == []


def test_the_first_step_with_other_threads_prepares_kernels_and_does_not_count() -> None:
    trial = ThreadTrial([2, 1])
    for seconds in (0.05, 0.04, 0.05):
        assert trial.count == 2
        trial.add(seconds)
    for seconds in (0.2, 0.041, 0.05, 0.05):
        assert trial.count == 1
        trial.add(seconds)
    assert trial.count is None
    assert trial.best() == 1


def test_a_process_is_not_in_its_own_way() -> None:
    """Over ten seconds four cores were busy for 25 in all, 15 of them for this process."""
    uses = iter([CpuUse(4, 100.0, None), CpuUse(4, 125.0, None)])
    own, clock = iter([7.0, 22.0]), iter([50.0, 60.0])
    cores = FreeCores(lambda: next(uses), lambda: next(own), lambda: next(clock))
    assert cores.look() == pytest.approx(min(num_cores(), 3.0))


def test_others_in_the_same_container_take_of_its_quota() -> None:
    uses = iter([CpuUse(64, 0.0, 10.0), CpuUse(64, 0.0, 30.0)])
    own, clock = iter([0.0, 5.0]), iter([0.0, 10.0])
    cores = FreeCores(lambda: next(uses), lambda: next(own), lambda: next(clock))
    assert cores.look() == pytest.approx(max(0.0, num_cores() - 1.5))


def test_the_system_tells_what_its_cores_have_done() -> None:
    before, after = cpu_use(), cpu_use()
    assert before.num_cores >= num_cores()
    assert 0 < before.busy_seconds <= after.busy_seconds
