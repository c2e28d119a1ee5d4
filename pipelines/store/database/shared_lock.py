"""Readers-writer lock of threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Gate:
    """Lock that threads share, or that one holds exclusively after the others have left."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._num_inside = 0
        self._is_closed = False
        self._own = threading.local()

    @property
    def is_inside(self) -> bool:
        """Return True for a thread inside, which cannot wait for exclusive access."""
        return bool(getattr(self._own, "depth", 0))

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Hold the lock shared; reentrant."""
        self._pass()
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the lock exclusively; not for a thread that is already inside."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_closed and not self._num_inside)
            self._is_closed = True
        self._own.depth = 1
        try:
            yield
        finally:
            self._own.depth = 0
            with self._changed:
                self._is_closed = False
                self._changed.notify_all()

    def _pass(self) -> None:
        depth = getattr(self._own, "depth", 0)
        if not depth:
            with self._changed:
                self._changed.wait_for(lambda: not self._is_closed)
                self._num_inside += 1
        self._own.depth = depth + 1

    def _leave(self) -> None:
        self._own.depth -= 1
        if not self._own.depth:
            with self._changed:
                self._num_inside -= 1
                self._changed.notify_all()
