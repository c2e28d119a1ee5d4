"""Fork server for users' module files: one child per file.

``python -m pipelines.user_modules.server CONNECTION`` is started by
``pipelines.user_modules.client`` with a clean environment and exits with the socket. It never runs
users' code itself.

Lines of JSON on the socket: ``{"fork": origin}`` with the child's socket attached returns ``{"pid":
n}``; ``{"end": pid, "grace": seconds}`` returns ``{"code": n}``, an exit code or negative signal.
"""

from __future__ import annotations

import json
import os
import select
import socket
import sys
import time
from typing import NoReturn

from modules.loading import ModuleOrigin
from modules.operating_system.forking import ended_children, fork, kill_group, lead_group
from modules.operating_system.limits import limit_memory
from modules.operating_system.orphans import adopt_orphans, end_children
from modules.operating_system.parent_death import die_with_parent
from modules.operating_system.signals import ignore_interrupts
from modules.operating_system.spawning import connection_to_parent
from pipelines.user_modules.answers import answer_questions

MEMORY_BYTES = 4 << 30
"""Limit of allocations while a file is read or called; libraries such as torch use a tenth."""

SWEEP_INTERVAL_SECONDS = 5.0
KILL_GRACE_SECONDS = 1.0


class CodeServer:
    """Forks children, and ends them with all their descendants."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._children: set[int] = set()
        self._codes: dict[int, int] = {}
        """Exit codes of children that were not queried yet."""

    def serve(self) -> None:
        """Handle requests until the connection closes."""
        try:
            while True:
                if not select.select([self._connection], [], [], SWEEP_INTERVAL_SECONDS)[0]:
                    self._sweep()
                elif not self._serve_one():
                    return
        finally:
            end_children()

    def _serve_one(self) -> bool:
        received, lines, _, _ = socket.recv_fds(self._connection, 65_536, 1)
        # The descriptor arrives with the first bytes, the rest of the line possibly later.
        while received and not received.endswith(b"\n"):
            received += self._connection.recv(65_536)
        if not received:
            return False
        request = json.loads(received)
        if "fork" in request:
            with socket.socket(fileno=lines[0]) as line:
                answer: dict[str, int | None] = {
                    "pid": self._fork(ModuleOrigin(**request["fork"]), line)
                }
        else:
            answer = {"code": self._end(request["end"], request["grace"])}
        self._connection.sendall(json.dumps(answer).encode() + b"\n")
        return True

    def _fork(self, origin: ModuleOrigin, line: socket.socket) -> int:
        parent = os.getpid()
        pid = fork(lambda: self._become_child(parent, origin, line))
        self._children.add(pid)
        return pid

    def _become_child(self, parent: int, origin: ModuleOrigin, line: socket.socket) -> NoReturn:
        code = 1
        try:
            die_with_parent(parent)
            lead_group()  # so that descendants can be killed with it
            self._connection.close()
            answer_questions(line, origin)
            code = 0
        finally:
            os._exit(code)

    def _end(self, pid: int, grace: float) -> int | None:
        """Return a child's exit code, after the grace period or killed; None: unknown."""
        # Its group first; processes that left the group are ended as orphans.
        if not self._has_ended(pid, grace):
            kill_group(pid)
            self._has_ended(pid, KILL_GRACE_SECONDS)
        self._sweep()
        return self._codes.pop(pid, None)

    def _has_ended(self, pid: int, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while self._reap() or pid in self._children:
            if pid in self._children and time.monotonic() >= deadline:
                return False
            time.sleep(0.002)
        return True

    def _reap(self) -> bool:
        """Record a child's end; return False if none has ended."""
        for pid, code in ended_children():
            if pid in self._children:
                self._children.remove(pid)
                self._codes[pid] = code
            return True
        return False

    def _sweep(self) -> None:
        """Kill processes of ended children, which this process has adopted."""
        while self._reap():
            continue
        end_children(keep=self._children)


def main() -> None:
    """Serve the process at the other end of an inherited socket."""
    ignore_interrupts()
    limit_memory(MEMORY_BYTES)
    adopt_orphans()
    try:
        CodeServer(connection_to_parent(sys.argv[1])).serve()
    finally:
        os._exit(0)  # the caller may wait for it


if __name__ == "__main__":
    main()
