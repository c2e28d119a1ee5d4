"""``Run``; every other name of ``azureml.core`` says that it is not here."""

from __future__ import annotations

from .absent import refusing
from .run import Run

__all__ = ["Run"]
__getattr__ = refusing("azureml.core")
