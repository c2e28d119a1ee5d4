"""The learning rate of every iteration: warm-up and polynomial decay, or one cycle."""

from __future__ import annotations

import math
from dataclasses import dataclass

WARMUP_START = 1e-4
"""Fraction of the learning rate at the start of the warm-up."""
FINAL_RATE = 1e-7
CYCLE_START = 1 / 25
"""Fraction of the learning rate at the start of one cycle, as in torch's ``OneCycleLR``."""
RISING_SHARE = 0.3
"""Fraction of one cycle in which the rate rises if there is no warm-up."""


@dataclass(frozen=True)
class LearningRateSchedule:
    """The rate over a whole training; iterations are counted from 0 over all epochs."""

    peak: float
    """The effective learning rate: that of one process times the world size."""
    warmup_iterations: int
    total_iterations: int
    power: float
    """Power of the polynomial decay; 1 is a straight line."""
    is_one_cycle: bool = False
    """Rise and fall in half cosines (Smith and Topin, arXiv:1708.07120, 2018)."""

    @classmethod
    def of_epochs(
        cls,
        peak: float,
        warmup_epochs: int,
        epochs: int,
        iterations_per_epoch: int,
        power: float,
        *,
        is_one_cycle: bool = False,
    ) -> LearningRateSchedule:
        """Return the schedule whose warm-up and end coincide with the ends of epochs."""
        warmup, total = warmup_epochs * iterations_per_epoch, epochs * iterations_per_epoch
        if is_one_cycle and warmup == 0:
            warmup = round(RISING_SHARE * total)
        return cls(peak, warmup, total, power, is_one_cycle)

    def rate(self, iteration: int) -> float:
        """Return the learning rate of iteration ``iteration``."""
        if self.is_one_cycle:
            return self._rate_in_cycle(iteration)
        if iteration < self.warmup_iterations:
            done = iteration / self.warmup_iterations
            return self.peak * (WARMUP_START + (1 - WARMUP_START) * done)
        final = min(FINAL_RATE, self.peak)
        num_decaying = max(1, self.total_iterations - self.warmup_iterations)
        left = max(0.0, 1 - (iteration - self.warmup_iterations) / num_decaying)
        return final + (self.peak - final) * math.pow(left, self.power)

    def _rate_in_cycle(self, iteration: int) -> float:
        rising, total = self.warmup_iterations, self.total_iterations
        if iteration < rising:
            return _between(CYCLE_START * self.peak, self.peak, iteration / rising)
        # The last iteration has the final rate.
        fallen = min(1.0, (iteration - rising) / max(1, total - 1 - rising))
        return _between(self.peak, min(FINAL_RATE, self.peak), fallen)


def _between(start: float, end: float, share: float) -> float:
    """Return the value at ``share``, 0-1, of half a cosine."""
    return end + (start - end) * (1 + math.cos(math.pi * share)) / 2
