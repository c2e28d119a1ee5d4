"""Ports that are reserved from their selection until the processes have ended."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from modules.scripts.launchers.process_description import HOST, USUAL_PORT


@contextmanager
def held_ports(count: int, *, first: int = USUAL_PORT, host: str = HOST) -> Iterator[list[int]]:
    """Yield ``count`` free ports of an address, including ``first`` if it is free.

    They stay bound without listening. Bound without ``SO_REUSEADDR``, which is set only afterwards,
    a port is rejected for programs that do not set it, such as other steps here, and available to
    those that do: torch's store, gRPC, and most servers.
    """
    with ExitStack() as stack:
        yield [_hold(stack, host, first if number == 0 else 0) for number in range(count)]


def _hold(stack: ExitStack, host: str, wanted: int) -> int:
    holder = stack.enter_context(socket.socket())
    with suppress(OSError):
        return _bound(holder, host, wanted)
    return _bound(holder, host, 0)


def _bound(holder: socket.socket, host: str, port: int) -> int:
    holder.bind((host, port))
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return int(holder.getsockname()[1])


def free_ports(count: int, *, host: str = HOST) -> list[int]:
    """Return free ports without reserving them, for programs that do not share addresses."""
    with held_ports(count, first=0, host=host) as ports:
        return ports
