"""Where seconds go, by a clock that is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from modules.compute.timing import COMMUNICATING, COMPUTING, VALIDATING, WAITING, Stopwatch


class Clock:
    """Stands still but for what it is told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_every_second_counts_once_and_the_rest_is_computing() -> None:
    clock = Clock()
    watch = Stopwatch(clock)
    clock.now += 50
    watch.start()

    clock.now += 8
    with watch.during(VALIDATING):
        clock.now += 1
        with watch.during(WAITING):
            clock.now += 1
    watch.add(COMMUNICATING, 2.0)
    watch.stop()
    clock.now += 1000

    assert watch.total_seconds == 10
    assert watch.shares() == pytest.approx(
        {WAITING: 0, VALIDATING: 0.2, COMMUNICATING: 0.2, COMPUTING: 0.6, "saving": 0}
    )


def test_the_time_until_an_item_is_there_is_waiting() -> None:
    clock = Clock()
    watch = Stopwatch(clock)

    def slowly() -> Iterator[int]:
        for number in range(3):
            clock.now += 1
            yield number

    taken = []
    for number in watch.waits(slowly()):
        clock.now += 1
        taken.append(number)
    assert taken == [0, 1, 2]
    assert watch.shares()[WAITING] == pytest.approx(0.5)


def test_an_error_while_an_activity_lasts_ends_it() -> None:
    clock = Clock()
    watch = Stopwatch(clock)

    def fail() -> None:
        with watch.during(VALIDATING):
            clock.now += 4
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    with watch.during(WAITING):
        clock.now += 4
    assert watch.shares() == pytest.approx(
        {WAITING: 0.5, VALIDATING: 0.5, COMMUNICATING: 0, COMPUTING: 0, "saving": 0}
    )
