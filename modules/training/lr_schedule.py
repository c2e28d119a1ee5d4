"""The learning rate of every iteration: linear warm-up, then polynomial decay."""

from __future__ import annotations

import math
from dataclasses import dataclass

WARMUP_START = 1e-4
"""Fraction of the learning rate at the start of the warm-up."""
FINAL_RATE = 1e-7


@dataclass(frozen=True)
class Schedule:
    """The rate over a whole training; iterations are counted from 0 over all epochs."""

    peak: float
    """The effective learning rate: that of one process times the world size."""
    warmup_iterations: int
    total_iterations: int
    power: float
    """Power of the polynomial decay; 1 is a straight line."""

    @classmethod
    def of_epochs(
        cls, peak: float, warmup_epochs: int, epochs: int, iterations_per_epoch: int, power: float
    ) -> Schedule:
        """Return the schedule whose warm-up and end coincide with the ends of epochs."""
        warmup, total = warmup_epochs * iterations_per_epoch, epochs * iterations_per_epoch
        return cls(peak, warmup, total, power)

    def rate(self, iteration: int) -> float:
        """Return the learning rate of iteration ``iteration``."""
        if iteration < self.warmup_iterations:
            done = iteration / self.warmup_iterations
            return self.peak * (WARMUP_START + (1 - WARMUP_START) * done)
        final = min(FINAL_RATE, self.peak)
        num_decaying = max(1, self.total_iterations - self.warmup_iterations)
        left = max(0.0, 1 - (iteration - self.warmup_iterations) / num_decaying)
        return final + (self.peak - final) * math.pow(left, self.power)
