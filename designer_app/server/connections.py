"""Connections that send a request's head slowly, or never, keep nobody else waiting."""

from __future__ import annotations

import asyncio
import math

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""From the first byte of a request, or from the connection, to the end of its headers."""
MAX_HALF_REQUESTS = 100
"""Beyond these the oldest is closed: who sends his request at once is always heard."""


class PunctualProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, which by itself waits for the end of a head for ever."""

    _late: asyncio.TimerHandle | None = None

    # uvicorn declares the transport that it is given, asyncio the class above it
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_head()
        waiting = [each for each in self.connections if _due(each) < math.inf]
        if len(waiting) > MAX_HALF_REQUESTS:
            # only a punctual one is ever due
            min(waiting, key=_due)._give_up()  # type: ignore[union-attr]

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait_for_head()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _give_up(self) -> None:
        self._stop_waiting()  # at once: the connection itself is lost only in the loop's next turn
        self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def _due(connection: object) -> float:
    """When a connection is closed unless its head is there: never, where that has come."""
    late = connection._late if isinstance(connection, PunctualProtocol) else None
    return math.inf if late is None else late.when()
