"""The learning rate, against numbers worked out by hand."""

from __future__ import annotations

import pytest

from modules.training.lr_schedule import Schedule


def test_the_decay_is_quadratic_and_ends_at_the_final_rate() -> None:
    schedule = Schedule.of_epochs(0.1, 0, epochs=2, iterations_per_epoch=5, power=2)
    rates = [schedule.rate(iteration) for iteration in range(10)]
    golden = [0.1 * (1 - i / 10) ** 2 for i in range(10)]
    assert rates == pytest.approx(golden, abs=1e-7)
    assert rates[0] == pytest.approx(0.1)
    assert schedule.rate(10) == pytest.approx(1e-7)


def test_a_power_of_one_decays_in_a_straight_line() -> None:
    schedule = Schedule.of_epochs(0.1, 0, epochs=1, iterations_per_epoch=4, power=1)
    rates = [schedule.rate(iteration) for iteration in range(5)]
    assert rates == pytest.approx([0.1, 0.075, 0.05, 0.025, 1e-7], abs=1e-7)


def test_the_warmup_rises_linearly_from_a_ten_thousandth() -> None:
    schedule = Schedule.of_epochs(0.4, 1, epochs=3, iterations_per_epoch=4, power=2)
    rates = [schedule.rate(iteration) for iteration in range(5)]
    assert rates == pytest.approx([4e-5, 0.10003, 0.20002, 0.30001, 0.4])
    assert schedule.rate(8) == pytest.approx(1e-7 + (0.4 - 1e-7) * 0.25)


def test_a_warmup_over_all_epochs_never_decays_and_never_divides_by_zero() -> None:
    schedule = Schedule.of_epochs(0.1, 2, epochs=2, iterations_per_epoch=3, power=2)
    assert schedule.rate(5) < schedule.rate(6) == pytest.approx(0.1)


def test_a_rate_below_the_final_one_stays_where_it_is() -> None:
    schedule = Schedule(1e-9, 0, 10, 2)
    assert schedule.rate(0) == schedule.rate(9) == 1e-9
