"""Host on systems without fork: a new process that imports what it needs.

``python -m pipelines.workers.spawned_host CONNECTION PRELOAD``, started by the spawn server.
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

EXIT_TIMEOUT_SECONDS = 60.0
"""Time that a host may take to exit after it closed its connection, with torch loaded."""


@dataclass(frozen=True)
class SpawnedHost(HostConnection):
    """Host that imports everything itself; best started in advance."""

    process: subprocess.Popen[bytes]

    @classmethod
    def spawn(cls, preload: Preload) -> SpawnedHost:
        """Start a host that waits for a request and exits if the connection closes first."""
        process, connection = spawn(
            "pipelines.workers.spawned_host", preload, start_new_session=True
        )
        return cls(process.pid, connection, process)

    def is_running(self) -> bool:
        """Return False if it has exited before it was used."""
        return self.process.poll() is None

    def exit_code(self) -> int | None:
        """Return its exit code after its connection has closed; None if it does not exit."""
        try:
            return self.process.wait(EXIT_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            return None


def main() -> None:
    """Run the host at the other end of a connection."""
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
