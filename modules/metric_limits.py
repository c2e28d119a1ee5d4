"""Limits of the names and steps of metrics, so that they can be stored."""

from __future__ import annotations

import hashlib

MAX_NAME = 120
"""Maximum characters of a name in the store."""
MAX_STEP = 2**53 - 1
"""The largest whole number that a browser represents exactly."""


def clean_name(name: str) -> str:
    """Return a name that can be stored and shown in one line; long names end with a hash."""
    printable = "".join(character if character.isprintable() else " " for character in name)
    clean = " ".join(printable.encode("utf-8", "replace").decode().split()) or "unnamed"
    if len(clean) <= MAX_NAME:
        return clean
    return f"{clean[: MAX_NAME - 9]}~{hashlib.sha256(clean.encode()).hexdigest()[:8]}"


def bounded_step(step: int) -> int:
    """Return the step, or the nearest one that can be stored."""
    return max(-MAX_STEP, min(step, MAX_STEP))
