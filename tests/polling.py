"""Waiting until a condition holds that other processes or threads make true."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_for(condition: Callable[[], T | None], seconds: float = 120.0) -> T:
    """Return the first true value of a condition; fail when the timeout passes without one."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"the condition was not true within {seconds:g} seconds"
        time.sleep(0.02)
    return value
