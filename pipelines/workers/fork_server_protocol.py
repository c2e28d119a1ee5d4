"""What a runner and its fork servers send each other; one message is one line of JSON.

    runner -> fork server   StartHost
    fork server -> runner   Ready, once; for every StartHost a HostStarted, later a HostEnded
    fork server -> host     the StartHost that it is to serve
    host -> fork server     DONE, where its end need not be awaited: all that it made is on disk

Messages of one host follow in this order, those of several hosts in any. Requests sent before
``Ready`` are answered after it. A connection that closes ends the fork server and its hosts; a
runner takes the end of a connection for a ``HostEnded`` of every host that it has asked for.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, get_args

DONE = b"done"


@dataclass(frozen=True)
class Ready:
    """A fork server has imported what its hosts need."""

    seconds: float


@dataclass(frozen=True)
class StartHost:
    """A host is wanted for one node of a step."""

    token: str
    """Names the host in the answers; the runner chooses it."""
    spec_path: str
    node_rank: int
    origin: dict[str, Any] | None = None
    """Where the module lies that it will run; None where no later host may be warmed up by it."""
    module_id: str = ""
    secrets: dict[str, str] = field(default_factory=dict, repr=False)
    """The values that it gets: on this way alone, never by a file."""


@dataclass(frozen=True)
class HostStarted:
    """A host was forked."""

    token: str
    pid: int


@dataclass(frozen=True)
class HostEnded:
    """A host has ended: exit code, minus the signal, or None when nobody could tell."""

    token: str
    code: int | None


Message = Ready | StartHost | HostStarted | HostEnded
MESSAGE_TYPES: dict[str, type[Message]] = {each.__name__: each for each in get_args(Message)}


def encode(message: Message) -> bytes:
    """The line of a message, its end included."""
    return json.dumps([type(message).__name__, vars(message)]).encode() + b"\n"


def decode(line: str | bytes) -> Message:
    """The message in a line."""
    name, fields = json.loads(line)
    return MESSAGE_TYPES[name](**fields)


class MessageReader:
    """Puts messages together from bytes as they arrive, in whatever pieces."""

    def __init__(self) -> None:
        self._incomplete = b""

    def feed(self, received: bytes) -> list[Message]:
        """The messages that are whole now."""
        *lines, self._incomplete = (self._incomplete + received).split(b"\n")
        return [decode(line) for line in lines]
