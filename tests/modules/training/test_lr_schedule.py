"""The learning rate, against numbers worked out by hand."""

from __future__ import annotations

import pytest

from modules.training.lr_schedule import LearningRateSchedule


def test_the_decay_is_quadratic_and_ends_at_the_final_rate() -> None:
    schedule = LearningRateSchedule.of_epochs(0.1, 0, epochs=2, iterations_per_epoch=5, power=2)
    rates = [schedule.rate(iteration) for iteration in range(10)]
    golden = [0.1 * (1 - i / 10) ** 2 for i in range(10)]
    assert rates == pytest.approx(golden, abs=1e-7)
    assert rates[0] == pytest.approx(0.1)
    assert schedule.rate(10) == pytest.approx(1e-7)


def test_a_power_of_one_decays_in_a_straight_line() -> None:
    schedule = LearningRateSchedule.of_epochs(0.1, 0, epochs=1, iterations_per_epoch=4, power=1)
    rates = [schedule.rate(iteration) for iteration in range(5)]
    assert rates == pytest.approx([0.1, 0.075, 0.05, 0.025, 1e-7], abs=1e-7)


def test_the_warmup_rises_linearly_from_a_ten_thousandth() -> None:
    schedule = LearningRateSchedule.of_epochs(0.4, 1, epochs=3, iterations_per_epoch=4, power=2)
    rates = [schedule.rate(iteration) for iteration in range(5)]
    assert rates == pytest.approx([4e-5, 0.10003, 0.20002, 0.30001, 0.4])
    assert schedule.rate(8) == pytest.approx(1e-7 + (0.4 - 1e-7) * 0.25)


def test_a_warmup_over_all_epochs_never_decays_and_never_divides_by_zero() -> None:
    schedule = LearningRateSchedule.of_epochs(0.1, 2, epochs=2, iterations_per_epoch=3, power=2)
    assert schedule.rate(5) < schedule.rate(6) == pytest.approx(0.1)


def test_a_rate_below_the_final_one_stays_where_it_is() -> None:
    schedule = LearningRateSchedule(1e-9, 0, 10, 2)
    assert schedule.rate(0) == schedule.rate(9) == 1e-9


def test_one_cycle_is_that_of_torch() -> None:
    import torch

    schedule = LearningRateSchedule.of_epochs(2e-3, 0, 4, 5, 2, is_one_cycle=True)
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    # torch counts the last rising iteration as the one before the peak, and ends lower
    peers = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, 2e-3, total_steps=20, pct_start=7 / 20, div_factor=25, cycle_momentum=False
    )
    golden = []
    for _ in range(20):
        golden.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        peers.step()
    rates = [schedule.rate(iteration) for iteration in range(20)]
    assert rates == pytest.approx(golden, abs=2e-7)
    assert rates[0] == pytest.approx(2e-3 / 25)
    assert max(rates) == rates[6] == pytest.approx(2e-3)
    assert rates[-1] == pytest.approx(1e-7)


def test_the_warmup_is_the_rising_part_of_one_cycle() -> None:
    schedule = LearningRateSchedule.of_epochs(0.1, 2, 3, 4, 2, is_one_cycle=True)
    rates = [schedule.rate(iteration) for iteration in range(12)]
    assert rates.index(max(rates)) == 8
    assert rates[:9] == sorted(rates[:9])
    assert rates[8:] == sorted(rates[8:], reverse=True)


def test_one_cycle_of_a_single_iteration_has_a_rate() -> None:
    schedule = LearningRateSchedule.of_epochs(0.1, 0, 1, 1, 2, is_one_cycle=True)
    assert 0 < schedule.rate(0) <= 0.1
