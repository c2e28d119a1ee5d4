"""Supervisor of a launch's processes: it starts them and ensures that none outlives the step.

The first failure ends the others: after a second, in which they may fail on their own and report
why, they are terminated, and killed five seconds later. Their child processes end as well, even in
a separate session: this process adopts them.
"""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Literal, NamedTuple, Protocol

from modules.context import StepCancelledError
from modules.files.log_output import log_output
from modules.operating_system.forking import signal_group
from modules.operating_system.orphans import adopting_orphans, end_children, own_children
from modules.operating_system.signals import KILL
from modules.scripts.launchers.process_description import ProcessDescription

FAILURE_SECONDS = 1.0
"""Seconds that other processes may continue after a first failure."""
GRACE_SECONDS = 5.0
"""Seconds between terminating and killing a process."""
POLL_SECONDS = 0.03
WATCH_SECONDS = 0.25

Why = Literal["failure", "stopped", "cancelled", "served"]
"""Reason why processes were ended."""


class Start(NamedTuple):
    """A process to start: its description, and everything that the system needs."""

    description: ProcessDescription
    argv: Sequence[str]
    variables: Mapping[str, str]
    folder: Path
    log: Path
    secrets: Collection[str] = ()
    """Values that are redacted in its logs."""
    pipes: Mapping[str, str] = MappingProxyType({})
    """Named pipes for the ranks that it starts, and their logs."""


class ProcessEnd(NamedTuple):
    """How a process ended."""

    description: ProcessDescription
    code: int
    """Its exit code, or minus the signal that ended it."""
    was_ended: bool
    """True if it was terminated, and not the first to fail."""
    time: float
    """Time of its end, in seconds since 1970."""


class Process(Protocol):
    """A running process, on this machine or another one."""

    def poll(self) -> int | None:
        """Return its exit code, or minus the signal that ended it; None while it runs."""

    def wait(self) -> int:
        """Return its exit code, once it has ended."""

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to it and its group."""


@dataclass(frozen=True)
class LocalProcess:
    """A process of this machine, the leader of a group."""

    process: subprocess.Popen[bytes]

    def poll(self) -> int | None:
        return self.process.poll()

    def wait(self) -> int:
        return self.process.wait()

    def signal(self, number: signal.Signals) -> None:
        signal_group(self.process.pid, number)


def start_here(start: Start) -> Process:
    """Start a process on this machine. Raises ``OSError`` if its program does not exist."""
    with log_output(start.log, start.secrets, start.pipes) as output:
        process = subprocess.Popen(
            list(start.argv),
            cwd=start.folder,
            env=dict(start.variables),
            stdin=subprocess.DEVNULL,
            stdout=output.descriptor,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    return LocalProcess(process)


@dataclass
class Supervisor:
    """Supervisor of processes until the last one has ended."""

    starts: Sequence[Start]
    watch: Callable[[], None] = lambda: None
    """Called several times a second meanwhile."""
    stop_requested: Callable[[], bool] = lambda: False
    begin: Callable[[Start], Process] = start_here
    failure_seconds: float = FAILURE_SECONDS
    ends: list[ProcessEnd] = field(default_factory=list)
    """Ends in the order in which they occurred."""
    why: Why | None = None
    _running: list[tuple[Process, Start]] = field(default_factory=list)
    _ask_at: float | None = None
    _kill_at: float | None = None
    _asked: bool = False
    _cancelled: bool = False
    _watched: float = 0.0

    def run(self) -> list[ProcessEnd]:
        """Start all, wait for their ends and clean up.

        Raises ``StepCancelledError`` if this process was terminated meanwhile.
        """
        others = own_children()
        with adopting_orphans(), self._taking_sigterm():
            try:
                self._start_all()
                while self._running:
                    self._look()
                    time.sleep(POLL_SECONDS)
            finally:
                self._kill()
                end_children(keep=others)
        self.watch()
        if self._cancelled:
            raise StepCancelledError
        return self.ends

    def _start_all(self) -> None:
        for start in self.starts:
            self._running.append((self.begin(start), start))

    def _look(self) -> None:
        """Process all events, and act on them."""
        self._reap()
        now = time.monotonic()
        if self.why is None and self._running:
            self._find_reason()
        if self._ask_at is not None and now >= self._ask_at and not self._asked:
            self._asked, self._kill_at = True, now + GRACE_SECONDS
            self._signal(signal.SIGTERM)
        if self._kill_at is not None and now >= self._kill_at:
            self._kill()
        if now - self._watched > WATCH_SECONDS:
            self._watched = now
            self.watch()

    def _reap(self) -> None:
        for running in list(self._running):
            process, start = running
            code = process.poll()
            if code is None:
                continue
            self._running.remove(running)
            self.ends.append(ProcessEnd(start.description, code, self._asked, time.time()))
            if code and self.why is None:
                self._end("failure", in_seconds=self.failure_seconds)

    def _find_reason(self) -> None:
        """Check whether the rest must be ended although nothing has failed."""
        if self._cancelled:
            self._end("cancelled", in_seconds=0)
        elif self.stop_requested():
            self._end("stopped", in_seconds=0)
        elif all(start.description.serves for _, start in self._running):
            self._end("served", in_seconds=0)

    def _end(self, why: Why, *, in_seconds: float) -> None:
        self.why, self._ask_at = why, time.monotonic() + in_seconds

    def _signal(self, number: signal.Signals) -> None:
        for process, _ in self._running:
            process.signal(number)

    def _kill(self) -> None:
        """Kill all running processes and their groups, and wait for them."""
        self._signal(KILL)
        for process, start in self._running:
            code = process.wait()
            self.ends.append(ProcessEnd(start.description, code, True, time.time()))
        self._running.clear()

    @contextmanager
    def _taking_sigterm(self) -> Iterator[None]:
        """Let a cancellation end the processes before it ends this one."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def cancel(_number: int, _frame: FrameType | None) -> None:
            self._cancelled = True

        before = signal.signal(signal.SIGTERM, cancel)
        try:
            yield
        finally:
            signal.signal(signal.SIGTERM, before)
