"""What makes computing faster, and how each of it is switched off alone.

``DESIGNER_SWITCH_OFF=spin-control,partial-decoding`` computes without these: to measure what
they gain, or to find out whether one of them is at fault. Results are the same but for last bits.
"""

from __future__ import annotations

import os

VARIABLE = "DESIGNER_SWITCH_OFF"
SPIN_CONTROL = "spin-control"
THREAD_CONTROL = "thread-control"
MATRIX_CONVOLUTIONS = "matrix-convolutions"
PARTIAL_DECODING = "partial-decoding"


def is_on(what: str) -> bool:
    """True unless the environment switches it off."""
    return what not in os.environ.get(VARIABLE, "").replace(" ", "").split(",")
