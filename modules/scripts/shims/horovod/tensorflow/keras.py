"""Not here: see ``lacks.py``."""

from __future__ import annotations

from ..lacks import lacking

__getattr__ = lacking("horovod.tensorflow.keras")
