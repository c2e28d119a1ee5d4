"""What a point of a curve may be called, and where it may lie, so that it can be stored."""

from __future__ import annotations

import hashlib

MAX_NAME = 120
"""Characters, as the store keeps them."""
MAX_STEP = 2**53 - 1
"""The largest whole number that a browser can count to."""


def clean_name(name: str) -> str:
    """A name that can be stored and shown in one line; a long one ends in a hash of the rest."""
    printable = "".join(each if each.isprintable() else " " for each in name)
    clean = " ".join(printable.encode("utf-8", "replace").decode().split()) or "unnamed"
    if len(clean) <= MAX_NAME:
        return clean
    return f"{clean[: MAX_NAME - 9]}~{hashlib.sha256(clean.encode()).hexdigest()[:8]}"


def bounded_step(step: int) -> int:
    """The step, or the nearest one that can be stored."""
    return max(-MAX_STEP, min(step, MAX_STEP))
