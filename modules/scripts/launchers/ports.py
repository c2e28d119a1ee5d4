"""Ports that are ours from when they are chosen until the processes have ended."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from modules.scripts.launchers.process_description import HOST, USUAL_PORT


@contextmanager
def held_ports(count: int, *, first: int = USUAL_PORT, host: str = HOST) -> Iterator[list[int]]:
    """So many free ports of an address, ``first`` among them where that is free.

    They stay bound, though not listened to. Bound without ``SO_REUSEADDR``, which is set only then,
    a port is refused to everybody who does not set it, other steps here among them, and given to
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
    """Ports that were free just now and are held no longer, for who does not share addresses."""
    with held_ports(count, first=0, host=host) as ports:
        return ports
