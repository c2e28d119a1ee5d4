"""Protection against slow clients (slowloris): their connections block nobody and are closed."""

from __future__ import annotations

import asyncio
import logging
import math
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from designer_app.server.body_clock import BodyClock
from designer_app.settings import ConnectionLimits

logger = logging.getLogger(__name__)

MAX_HALF_REQUESTS = 100
"""Limit of incomplete requests; above it the oldest is closed, so prompt clients are served."""


class PunctualProtocol(H11Protocol):
    """HTTP protocol of uvicorn with timeouts for heads and bodies, which uvicorn lacks."""

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()
    _late: asyncio.TimerHandle | None = None
    _body: BodyClock | None = None
    _body_check: asyncio.TimerHandle | None = None

    @classmethod
    def with_limits(cls, limits: ConnectionLimits) -> type[PunctualProtocol]:
        """Return this protocol with other limits; uvicorn creates one instance per connection."""
        return type(cls.__name__, (cls,), {"limits": limits})

    # uvicorn declares the actual transport type, asyncio its base class
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_head()
        waiting = [connection for connection in self.connections if _due(connection) < math.inf]
        if len(waiting) > MAX_HALF_REQUESTS:
            # only connections of this class can be due
            min(waiting, key=_due)._give_up()  # type: ignore[union-attr]

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._body is not None:
            self._body.received(len(data))
        if self.conn.their_state is h11.IDLE:
            self._wait_for_head()
        else:
            self._stop_waiting()

    def handle_events(self) -> None:
        """Watch the body of each request, including pipelined requests."""
        super().handle_events()
        if not self._is_body_awaited():
            self._stop_watching()
        elif self._body is None:
            self._body = BodyClock(self.limits)
            self._check_later()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_watching()
        super().connection_lost(exc)

    # request head

    def _wait_for_head(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self.limits.head_seconds, self._give_up)

    def _give_up(self) -> None:
        self._stop_waiting()  # at once: the connection is lost only in the loop's next iteration
        self._stop_watching()
        self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    # request body

    def _is_body_awaited(self) -> bool:
        # a connection upgraded to a WebSocket has another protocol
        is_ours = self.transport.get_protocol() is self
        return is_ours and self.conn.their_state is h11.SEND_BODY

    def _check_later(self) -> None:
        self._body_check = self.loop.call_later(self.limits.check_seconds, self._check_body)

    def _check_body(self) -> None:
        if self._body is None:
            return
        is_late = self._body.is_late(
            self.limits.check_seconds,
            # a client that sends `Expect: 100-continue` waits for the server
            is_reading=not (self.flow.read_paused or self.cycle.waiting_for_100_continue),
            is_answered=self.conn.our_state is h11.DONE,
        )
        if is_late:
            logger.info("Closed a connection: the request body arrived too slowly.")
            self._give_up()
        else:
            self._check_later()

    def _stop_watching(self) -> None:
        self._body = None
        if self._body_check is not None:
            self._body_check.cancel()
            self._body_check = None


def _due(connection: object) -> float:
    """Return when a connection times out; never if its request head is complete."""
    late = connection._late if isinstance(connection, PunctualProtocol) else None
    return math.inf if late is None else late.when()
