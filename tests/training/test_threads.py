"""The thread tuner on machines whose step times are known."""

from __future__ import annotations

from collections.abc import Callable

from modules.training.threads import ThreadTuner


class Machine:
    """Runs steps of 32 images; ``seconds`` says how long one takes with so many threads."""

    def __init__(self, seconds: Callable[[int, float], float]) -> None:
        self.now = 0.0
        self.threads = 2
        self.num_steps = 0
        self._seconds = seconds
        self.tuner = ThreadTuner(2, self._set_threads, lambda: self.now)

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


def test_one_thread_is_left_alone() -> None:
    called: list[int] = []
    tuner = ThreadTuner(1, called.append)
    for _ in range(100):
        tuner.observe(1.0, 32)
    assert called == []
