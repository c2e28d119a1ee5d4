"""The name of ``modules.artifacts`` until 2026-11, which module files may still import.

Remove it after a year, when authors have switched to ``from modules import ...``.
"""

from __future__ import annotations

import warnings
from typing import Any

import modules
from modules import artifacts


def __getattr__(name: str) -> Any:
    if name.startswith("__") or not hasattr(artifacts, name):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "modules" if name in modules.__all__ else "modules.artifacts"
    warnings.warn(
        f"modules.ports is called modules.artifacts now: write `from {home} import {name}`.",
        DeprecationWarning,
        stacklevel=2,
    )
    return getattr(artifacts, name)
