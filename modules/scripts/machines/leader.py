"""The first machine of a script: it asks the others to start processes, and looks after them."""

from __future__ import annotations

import math
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from modules.context import Context
from modules.errors import FailedToEvaluateScriptError
from modules.operating_system.signals import KILL
from modules.scripts.launchers.process_description import ProcessDescription
from modules.scripts.machines.machine_files import (
    POLL_SECONDS,
    MachineFiles,
    Reached,
    Request,
    reached_at,
)
from modules.scripts.supervisor import FAILURE_SECONDS, Process, Start, start_here
from modules.sentences import scripts as say

READY_SECONDS = 300.0
"""Other machines may build an environment first, or wait for who builds it."""
KILLED_SECONDS, KILLED_APART_SECONDS = 2.0, 15.0
"""A machine that does not tell of an end so long after a kill has been ended itself, or is lost,
which its agent tells of. Where machines share no folder, what they tell takes longer."""
FAILURE_APART_SECONDS = 4.0
"""How long others are left alone there after a first failure, before which another one's was."""
REMOTE_SHELL = {
    "DESIGNER_REMOTE_SHELL": 'exec "$DESIGNER_PYTHON" "$DESIGNER_REMOTE_PROGRAM" "$0" "$@"',
    "DESIGNER_PYTHON": sys.executable,
    "DESIGNER_REMOTE_PROGRAM": str(Path(__file__).with_name("remote_shell.py")),
}
"""A command of a shell, whose argument lists cannot hold every path."""


def await_machines(files: MachineFiles, count: int) -> list[Reached]:
    """How all machines are reached, this one too, once each has said so.

    Raises ``FailedToEvaluateScriptError`` where one does not.
    """
    deadline = time.monotonic() + READY_SECONDS
    while True:
        files.names()
        found = [files.reached(node) for node in range(count)]
        there = [each for each in found if each is not None]
        if len(there) == count:
            return there
        if time.monotonic() > deadline:
            facts = {"number": found.index(None), "seconds": READY_SECONDS}
            raise FailedToEvaluateScriptError(say.MACHINE_ABSENT.about(facts))
        time.sleep(POLL_SECONDS)


@dataclass
class RemoteProcess:
    """A process of another machine, by its number there."""

    files: MachineFiles
    number: str
    killed_seconds: float = KILLED_SECONDS
    _deadline: float = math.inf

    def poll(self) -> int | None:
        """Its exit code, or minus the signal that ended it; None while it runs."""
        return self.files.end(self.number)

    def wait(self) -> int:
        """Its exit code, once it has ended or its machine does not tell of it."""
        while (code := self.poll()) is None:
            if time.monotonic() > self._deadline:
                return -int(KILL)
            time.sleep(POLL_SECONDS)
        return code

    def signal(self, number: signal.Signals) -> None:
        """Have it sent a signal, with all of its group."""
        if number == KILL:
            self._deadline = time.monotonic() + self.killed_seconds
        self.files.signal(self.number, int(number))


@dataclass
class Machines:
    """The machines of a script: this one alone, or this one as the first of several."""

    files: MachineFiles | None = None
    reached: Sequence[Reached] = ()
    """How each of several is reached."""
    attempt: int = 0
    _count: int = 0

    @classmethod
    @contextmanager
    def of(cls, context: Context) -> Iterator[Machines]:
        """Those of a step, once all are ready; they are let go in the end."""
        if context.machine is None:
            yield cls()
            return
        files = MachineFiles.of(context)
        files.tell_reached(0, reached_at(context.machine, []))
        try:
            yield cls(files, await_machines(files, context.node_count))
        finally:
            files.close()

    @property
    def are_several(self) -> bool:
        return bool(self.reached)

    @property
    def are_apart(self) -> bool:
        """Whether each of several has a folder of its own."""
        return any(each.root for each in self.reached)

    @property
    def have_equal_paths(self) -> bool:
        """Whether a path of this machine is one of all others."""
        return len({each.root for each in self.reached}) <= 1

    @property
    def failure_seconds(self) -> float:
        """How long processes are left alone after a first failure."""
        return FAILURE_APART_SECONDS if self.are_apart else FAILURE_SECONDS

    def gather(self, alive: Callable[[], None]) -> None:
        """Have here what the processes of an attempt have left on other machines; ``alive`` is
        called meanwhile."""
        if self.files is None or not self.are_apart:
            return
        self.files.gather(self.attempt)
        while not self.files.have_given(len(self.reached), self.attempt):
            alive()
            time.sleep(POLL_SECONDS)

    @property
    def addresses(self) -> list[str]:
        """Of each of several; empty for this one alone."""
        return [each.address for each in self.reached]

    @property
    def networks(self) -> list[str]:
        """In which they are, each once, as far as they are known."""
        return sorted({each.network for each in self.reached if each.network})

    def is_here(self, node: int) -> bool:
        """Whether a node is this machine, or simulated on it."""
        return node == 0 or not self.are_several

    def share_of(self, node: int) -> int:
        """Which share of a machine's GPUs is a node's: the first where each has its own."""
        return 0 if self.are_several else node

    def ports(self, nodes: Sequence[int], own: Sequence[int]) -> list[int]:
        """A port for each of ``nodes``: this machine's own, and those that others hold."""
        if not self.are_several:
            return list(own)
        left = {0: iter(own)}
        left |= {node: iter(each.ports) for node, each in enumerate(self.reached) if node}
        return [next(left[node]) for node in nodes]

    def variables(self, process: ProcessDescription) -> dict[str, str]:
        """What a process needs that starts others on other machines itself."""
        if self.files is None or not process.starts_elsewhere:
            return {}
        return {"DESIGNER_MACHINES": str(self.files.folder), **REMOTE_SHELL}

    def begin(self, start: Start, request: Request) -> Process:
        """Start a process here, or have its machine do so."""
        node = start.description.node
        if self.files is not None and start.description.starts_elsewhere:
            self.files.write_shell(request)
        if self.files is None or self.is_here(node):
            return start_here(start)
        self._count += 1
        number = str(self._count)
        self.files.ask(node, number, request)
        return RemoteProcess(
            self.files, number, KILLED_APART_SECONDS if self.are_apart else KILLED_SECONDS
        )
