"""Cache of results about a version of a registered dataset, kept as long as the version exists.

A version never changes. But a dataset that is deleted and added again starts at 1, so a folder is
identified by its inode, not only by its path.
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
    """Call a function once for each version's folder; exceptions are not cached."""

    def keeping(find: Callable[[Path], Found]) -> Callable[[Path], Found]:
        @lru_cache(maxsize=maxsize)
        def found(location: Path, _identity: tuple[int, int]) -> Found:
            return find(location)

        @wraps(find)
        def kept(location: Path) -> Found:
            try:
                there = location.stat()
            except OSError:  # deleted: the function raises its own error
                return find(location)
            return found(location, (there.st_ino, there.st_mtime_ns))

        return kept

    return keeping
