"""Leader machine of a script: it requests processes from the others, and supervises them."""

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
"""Maximum wait: other machines may build an environment first, or wait for another builder."""
KILLED_SECONDS, KILLED_APART_SECONDS = 2.0, 15.0
"""Maximum wait for the end of a process after a kill; after that its machine was terminated or
lost, which its agent reports. Reports take longer if machines share no folder.
"""
FAILURE_APART_SECONDS = 4.0
"""Time for other processes to fail on their own after a first failure, without a shared folder."""
REMOTE_SHELL = {
    "DESIGNER_REMOTE_SHELL": 'exec "$DESIGNER_PYTHON" "$DESIGNER_REMOTE_PROGRAM" "$0" "$@"',
    "DESIGNER_PYTHON": sys.executable,
    "DESIGNER_REMOTE_PROGRAM": str(Path(__file__).with_name("remote_shell.py")),
}
"""A shell command, as its argument lists cannot contain every path."""


def await_machines(files: MachineFiles, count: int) -> list[Reached]:
    """Return how all machines are reached, including this one, once each has reported it.

    Raises ``FailedToEvaluateScriptError`` if one does not.
    """
    deadline = time.monotonic() + READY_SECONDS
    while True:
        files.names()
        answers = [files.reached(node) for node in range(count)]
        there = [answer for answer in answers if answer is not None]
        if len(there) == count:
            return there
        if time.monotonic() > deadline:
            facts = {"number": answers.index(None), "seconds": READY_SECONDS}
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
        """Return its exit code, or minus the signal that ended it; None while it runs."""
        return self.files.end(self.number)

    def wait(self) -> int:
        """Return its exit code, once it has ended or its machine does not respond."""
        while (code := self.poll()) is None:
            if time.monotonic() > self._deadline:
                return -int(KILL)
            time.sleep(POLL_SECONDS)
        return code

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to it and its group."""
        if number == KILL:
            self._deadline = time.monotonic() + self.killed_seconds
        self.files.signal(self.number, int(number))


@dataclass
class Machines:
    """The machines of a script: this one alone, or this one as the leader of several."""

    files: MachineFiles | None = None
    reached: Sequence[Reached] = ()
    """Connection data of each of several machines."""
    attempt: int = 0
    _count: int = 0

    @classmethod
    @contextmanager
    def of(cls, context: Context) -> Iterator[Machines]:
        """Yield the machines of a step, once all are ready; they are released in the end."""
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
        """Return True if each of several machines has a separate folder."""
        return any(machine.root for machine in self.reached)

    @property
    def have_equal_paths(self) -> bool:
        """Return True if paths of this machine are valid on all others."""
        return len({machine.root for machine in self.reached}) <= 1

    @property
    def failure_seconds(self) -> float:
        """Return how long other processes may continue after a first failure."""
        return FAILURE_APART_SECONDS if self.are_apart else FAILURE_SECONDS

    def gather(self, alive: Callable[[], None]) -> None:
        """Copy an attempt's results from other machines; ``alive`` is called meanwhile."""
        if self.files is None or not self.are_apart:
            return
        self.files.gather(self.attempt)
        while not self.files.have_given(len(self.reached), self.attempt):
            alive()
            time.sleep(POLL_SECONDS)

    @property
    def addresses(self) -> list[str]:
        """Return the address of each of several machines; empty for this one alone."""
        return [machine.address for machine in self.reached]

    @property
    def networks(self) -> list[str]:
        """Return their networks, each once, as far as they are known."""
        return sorted({machine.network for machine in self.reached if machine.network})

    def is_here(self, node: int) -> bool:
        """Return True if a node is this machine, or simulated on it."""
        return node == 0 or not self.are_several

    def share_of(self, node: int) -> int:
        """Return the index of a node in its machine's GPUs: 0 if each has its own machine."""
        return 0 if self.are_several else node

    def ports(self, nodes: Sequence[int], own: Sequence[int]) -> list[int]:
        """Return a port for each of ``nodes``: this machine's own, and those of others."""
        if not self.are_several:
            return list(own)
        left = {0: iter(own)}
        left |= {node: iter(machine.ports) for node, machine in enumerate(self.reached) if node}
        return [next(left[node]) for node in nodes]

    def variables(self, process: ProcessDescription) -> dict[str, str]:
        """Return the variables of a process that starts others on other machines itself."""
        if self.files is None or not process.starts_elsewhere:
            return {}
        return {"DESIGNER_MACHINES": str(self.files.folder), **REMOTE_SHELL}

    def begin(self, start: Start, request: Request) -> Process:
        """Start a process here, or request it from its machine."""
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
