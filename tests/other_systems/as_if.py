"""The environment in which each Python process behaves as on another system."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SYSTEMS = ("windows", "macos")


def environment_of(system: str) -> dict[str, str]:
    """That of this process, for one of ``SYSTEMS``; empty for the system that this one is."""
    paths = [str(Path(__file__).with_name(system))] if system else []
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*paths, str(ROOT)])}
