"""Pace of a request body: idle time, and bytes per time window."""

from __future__ import annotations

from designer_app.settings import ConnectionLimits


class BodyClock:
    """Timer that decides when a body arrives too slowly.

    Only seconds in which the server was ready to read count: a slow disk is not the client's fault.
    The total time is not limited, so that 8 GB can arrive over a slow link.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._idle_seconds = self._window_seconds = self._answered_seconds = 0.0
        self._window_bytes = 0

    def received(self, num_bytes: int) -> None:
        """Count a received part of the body."""
        self._idle_seconds = 0.0
        self._window_bytes += num_bytes

    def is_late(self, seconds: float, *, is_reading: bool, is_answered: bool) -> bool:
        """Count time that has passed, and return whether the connection is to be closed.

        Args:
            seconds: Since the last call.
            is_reading: False while the server takes no more of the body.
            is_answered: True if the rest of the body is of no use any more.
        """
        if is_answered:
            self._answered_seconds += seconds
            return self._answered_seconds >= self._limits.head_seconds
        self._answered_seconds = 0.0
        if not is_reading:
            return False
        self._idle_seconds += seconds
        self._window_seconds += seconds
        return self._idle_seconds >= self._limits.body_idle_seconds or self._is_too_slow()

    def _is_too_slow(self) -> bool:
        """Return True if a window has ended with too few bytes; the next window then starts."""
        if self._window_seconds < self._limits.body_window_seconds:
            return False
        wanted = self._window_seconds * self._limits.min_body_bytes_per_second
        is_too_slow = self._window_bytes < wanted
        self._window_seconds, self._window_bytes = 0.0, 0
        return is_too_slow
