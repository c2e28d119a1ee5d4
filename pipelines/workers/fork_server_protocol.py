"""Messages between a runner and its fork servers, one line of JSON each.

    runner -> fork server   StartHost
    fork server -> runner   Ready once; for each StartHost a HostStarted, later a HostEnded
    fork server -> host     its StartHost
    host -> fork server     DONE when its output is on disk, so that its exit need not be awaited

Messages of one host arrive in this order, those of several hosts in any. Requests sent before
``Ready`` are answered after it. A closed connection ends the fork server and its hosts; the runner
treats it as a ``HostEnded`` of every requested host.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, get_args

DONE = b"done"


@dataclass(frozen=True)
class Ready:
    """Message of a fork server that has imported its preloads."""

    seconds: float


@dataclass(frozen=True)
class StartHost:
    """Request of a host for one node of a step."""

    token: str
    """Identifier of the host in responses, chosen by the runner."""
    spec_path: str
    node_rank: int
    origin: dict[str, Any] | None = None
    """Origin of the module to run; None if no later host may preload it."""
    module_id: str = ""
    secrets: dict[str, str] = field(default_factory=dict, repr=False)
    """Values of secrets, transferred only in this message, never in a file."""


@dataclass(frozen=True)
class HostStarted:
    """Message that a host was forked."""

    token: str
    pid: int


@dataclass(frozen=True)
class HostEnded:
    """Message that a host has ended: exit code, negative signal, or None if unknown."""

    token: str
    code: int | None


Message = Ready | StartHost | HostStarted | HostEnded
MESSAGE_TYPES: dict[str, type[Message]] = {
    message.__name__: message for message in get_args(Message)
}


def encode(message: Message) -> bytes:
    """Return a message as one line, including the line break."""
    return json.dumps([type(message).__name__, vars(message)]).encode() + b"\n"


def decode(line: str | bytes) -> Message:
    """Return the message in a line."""
    name, fields = json.loads(line)
    return MESSAGE_TYPES[name](**fields)


class MessageReader:
    """Decoder of messages from a byte stream."""

    def __init__(self) -> None:
        self._incomplete = b""

    def feed(self, received: bytes) -> list[Message]:
        """Return the messages that are complete now."""
        *lines, self._incomplete = (self._incomplete + received).split(b"\n")
        return [decode(line) for line in lines]
