"""What is found out about a version of a registered dataset, kept for as long as that is there.

A version never changes. But a dataset that is deleted and added anew counts from 1 again, so a
folder is known by what it is, not only by where.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")


def kept_for_version(
    maxsize: int,
) -> Callable[[Callable[[Path], Found]], Callable[[Path], Found]]:
    """Call a function once for each version's folder; what it raises is not kept."""

    def keeping(find: Callable[[Path], Found]) -> Callable[[Path], Found]:
        @lru_cache(maxsize=maxsize)
        def found(location: Path, _identity: tuple[int, int]) -> Found:
            return find(location)

        @wraps(find)
        def kept(location: Path) -> Found:
            try:
                there = location.stat()
            except OSError:  # gone: the function says so in its own words
                return find(location)
            return found(location, (there.st_ino, there.st_mtime_ns))

        return kept

    return keeping
