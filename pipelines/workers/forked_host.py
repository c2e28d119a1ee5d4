"""A host as its fork server makes it: forked, perhaps warmed up, then told which step to run."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from modules.loading import Origin
from modules.operating_system.forking import fork, ignore_ends_of_children, lead_group
from modules.operating_system.orphans import adopt_orphans, end_children
from modules.operating_system.parent_death import die_with_parent
from modules.operating_system.signals import KILL
from pipelines.workers.fork_server_protocol import DONE, StartHost, decode, encode
from pipelines.workers.step_host import leave, run_host, warm_up


class WarmUp(NamedTuple):
    """The step that a spare host expects to run again: it loads that one's code in advance."""

    spec_path: Path
    origin: Origin
    module_id: str

    @classmethod
    def after(cls, request: StartHost) -> WarmUp | None:
        """What a host can expect that follows this one; None where nothing may be loaded for it."""
        if request.origin is None:
            return None
        return cls(Path(request.spec_path), Origin(**request.origin), request.module_id)

    def suits(self, origin: dict[str, Any] | None) -> bool:
        """True where a host that has loaded this one's code may run that of another origin."""
        return self.origin.kind == "import" or self.origin.to_json() == origin


class ForkedHost(NamedTuple):
    """A host's process, as its fork server knows it."""

    pid: int
    connection: socket.socket

    @classmethod
    def fork(
        cls, warm_up_for: WarmUp | None, *, reports_done: bool, release: Callable[[], None]
    ) -> ForkedHost:
        """A host that waits for its request; it ends when the connection closes without one.

        ``release`` lets go, in the child, of what is its parent's own. With ``reports_done`` the
        host says so once all that it made is written.
        """
        parent = os.getpid()
        ours, theirs = socket.socketpair()

        def run() -> NoReturn:
            ours.close()
            _become_host(parent, theirs, warm_up_for, release, reports_done=reports_done)

        pid = fork(run)
        theirs.close()
        return cls(pid, ours)

    def request(self, message: StartHost) -> None:
        """Have it run a step; one that was killed meanwhile is not heard of, but reaped."""
        with suppress(OSError):
            self.connection.sendall(encode(message))

    def receive_done(self) -> bool:
        """True where it has said that it is done; False where it ends without a word."""
        with suppress(OSError):
            return self.connection.recv(len(DONE)) == DONE
        return False

    def kill(self) -> None:
        """End it; it is still to be reaped."""
        self.connection.close()
        with suppress(ProcessLookupError):
            os.kill(self.pid, KILL)


def _become_host(
    parent: int,
    connection: socket.socket,
    warm_up_for: WarmUp | None,
    release: Callable[[], None],
    *,
    reports_done: bool,
) -> NoReturn:
    code = 1
    try:
        _detach_from(parent)
        release()
        if warm_up_for is not None:
            warm_up(*warm_up_for)
        code = _run_requested(connection)
        if code == 0 and reports_done:
            sys.stdout.flush()
            sys.stderr.flush()
            connection.send(DONE)
    except BaseException as error:  # a forked child must never return into its parent's loop
        print(f"host failed: {error!r}", file=sys.stderr, flush=True)
        end_children()
    finally:
        leave(code)


def _detach_from(parent: int) -> None:
    """Make a forked child a process of its own that yet dies with its parent."""
    die_with_parent(parent)
    ignore_ends_of_children()
    lead_group()
    adopt_orphans()


def _run_requested(connection: socket.socket) -> int:
    with connection.makefile() as lines:
        request = decode(lines.readline())
    assert isinstance(request, StartHost)
    code = run_host(Path(request.spec_path), request.node_rank)
    end_children()
    return code
