"""Not here: see ``absent.py``."""

from __future__ import annotations

from .absent import refusing

__getattr__ = refusing("azureml.core.experiment")
