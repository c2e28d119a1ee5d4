"""Optimisations, and how to switch off each of them.

``DESIGNER_SWITCH_OFF=spin-control,partial-decoding`` computes without these, to measure their gain
or to find out whether one of them is faulty. Results are the same except for last bits.
"""

from __future__ import annotations

import os

VARIABLE = "DESIGNER_SWITCH_OFF"
SPIN_CONTROL = "spin-control"
THREAD_CONTROL = "thread-control"
MATRIX_CONVOLUTIONS = "matrix-convolutions"
PARTIAL_DECODING = "partial-decoding"
ENDPOINT_RUNTIMES = "endpoint-runtimes"


def is_on(switch: str) -> bool:
    """Return True unless the environment switches it off."""
    return switch not in os.environ.get(VARIABLE, "").replace(" ", "").split(",")
