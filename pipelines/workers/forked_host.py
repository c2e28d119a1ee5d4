"""Hosts forked by a fork server: forked, optionally warmed up, then given a step to run."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from modules.loading import ModuleOrigin
from modules.operating_system.forking import fork, ignore_ends_of_children, lead_group, leave
from modules.operating_system.orphans import adopt_orphans, end_children
from modules.operating_system.parent_death import die_with_parent
from pipelines.workers.fork_server_protocol import StartHost
from pipelines.workers.host_connection import HostConnection, run_requested
from pipelines.workers.step_host import warm_up


class WarmUp(NamedTuple):
    """Origin of the step that a spare host loads in advance."""

    spec_path: Path
    origin: ModuleOrigin
    module_id: str

    @classmethod
    def after(cls, request: StartHost) -> WarmUp | None:
        """Return what a host forked after this one should preload; None for nothing."""
        if request.origin is None:
            return None
        return cls(Path(request.spec_path), ModuleOrigin(**request.origin), request.module_id)

    def suits(self, origin: dict[str, Any] | None) -> bool:
        """Return whether a host that preloaded this origin may run a step of another one."""
        return self.origin.kind == "import" or asdict(self.origin) == origin


def fork_host(
    warm_up_for: WarmUp | None, *, reports_done: bool, release: Callable[[], None]
) -> HostConnection:
    """Fork a host that waits for its request and exits if the connection closes without one.

    ``release`` closes the parent's resources in the child.
    """
    parent = os.getpid()
    ours, theirs = socket.socketpair()

    def become_host() -> NoReturn:
        code = 1
        try:
            ours.close()
            detach_from(parent)
            release()
            if warm_up_for is not None:
                warm_up(*warm_up_for)
            code = run_requested(theirs, reports_done=reports_done)
        except BaseException as error:  # a forked child must never return to its parent's loop
            print(f"host failed: {error!r}", file=sys.stderr, flush=True)
            end_children()
        finally:
            leave(code)

    pid = fork(become_host)
    theirs.close()
    return HostConnection(pid, ours)


def detach_from(parent: int) -> None:
    """Move a forked child to a separate session while it still dies with its parent."""
    die_with_parent(parent)
    ignore_ends_of_children()
    lead_group()
    adopt_orphans()
