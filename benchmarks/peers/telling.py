"""How a script tells what it found: the last line of its output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

SMALL = "BENCHMARKS_SMALL"
"""Set in tiny runs: scripts are forks of the process that asks, and measure for a moment only."""


def is_small() -> bool:
    """True in a tiny run."""
    return bool(os.environ.get(SMALL))


def measuring_seconds(usual: float) -> float:
    """How long to measure a rate."""
    return 0.1 if is_small() else usual


def tell(facts: Mapping[str, Any]) -> None:
    """Print the facts where whoever started the script reads them."""
    sys.stdout.write("\n" + json.dumps(dict(facts)) + "\n")
    sys.stdout.flush()


def versions_of(*packages: str) -> dict[str, str]:
    """What ran, for the fact ``versions``."""
    return {package: version(package) for package in packages}
