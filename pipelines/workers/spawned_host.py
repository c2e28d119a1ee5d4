"""A host where nothing forks: a process started anew, which loads what it needs by itself.

``python -m pipelines.workers.spawned_host CONNECTION PRELOAD``, started by the fork server.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

from modules.operating_system.forking import leave
from modules.operating_system.orphans import adopt_orphans, end_children
from modules.operating_system.parent_death import die_with_parent
from modules.operating_system.signals import ignore_interrupts
from modules.operating_system.spawning import connection_to_parent, spawn
from modules.spec import Preload
from pipelines.workers.host_connection import HostConnection, run_requested
from pipelines.workers.preloads import import_preloads, preload_from

END_SECONDS = 60.0
"""For how long a host that closed its connection may take to end, with torch in it."""


@dataclass(frozen=True)
class SpawnedHost(HostConnection):
    """A host that loads all by itself; best started before it is needed."""

    process: subprocess.Popen[bytes]

    @classmethod
    def spawn(cls, preload: Preload) -> SpawnedHost:
        """A host that waits for its request; it ends when the connection closes without one."""
        process, connection = spawn(
            "pipelines.workers.spawned_host", preload, start_new_session=True
        )
        return cls(process.pid, connection, process)

    def is_running(self) -> bool:
        """False where it has ended before it was put to use."""
        return self.process.poll() is None

    def exit_code(self) -> int | None:
        """How it ended, once its connection has closed; None where it does not end."""
        try:
            return self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return None


def main() -> None:
    """Be the host at the other end of a connection."""
    connection, preload = connection_to_parent(sys.argv[1]), preload_from(sys.argv[2])
    die_with_parent(os.getppid())
    ignore_interrupts()
    adopt_orphans()
    code = 1
    try:
        import_preloads(preload)
        code = run_requested(connection, reports_done=preload != "torch")
    finally:
        end_children()
        leave(code)


if __name__ == "__main__":
    main()
