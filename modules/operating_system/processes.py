"""Identity of processes despite reused pids, and ending of whole families."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from modules.operating_system.process_table import (
    IS_LINUX,
    STOPPED_STATES,
    ProcessFacts,
    boot_id,
    descendant_facts,
    process_facts,
)
from modules.operating_system.signals import KILL


@dataclass(frozen=True)
class ProcessIdentity:
    """A process that cannot be confused with a later one with the same pid.

    The wall clock, which may be set at any time, is not used if the system counts ticks.
    """

    pid: int
    started: float
    """Clock ticks since the boot; seconds since the epoch if ``boot`` is None."""
    boot: str | None = None
    """Boot that the ticks are counted from; None except on Linux, and in data of older versions."""

    @classmethod
    def of(cls, pid: int | None = None) -> ProcessIdentity:
        """Return the identity of ``pid``, by default of this process.

        Raises ``ProcessLookupError``.
        """
        pid = os.getpid() if pid is None else pid
        identity = cls.find(pid)
        if identity is None:
            raise ProcessLookupError(f"There is no process {pid}.")
        return identity

    @classmethod
    def find(cls, pid: int) -> ProcessIdentity | None:
        """Return the identity of ``pid``; None if it has ended."""
        facts = process_facts(pid)
        return None if facts is None else cls(pid, facts.started, boot_id() if IS_LINUX else None)

    @property
    def is_alive(self) -> bool:
        """Return True while this same process runs; a zombie does not."""
        return self._facts() is not None

    @property
    def is_stopped(self) -> bool:
        """Return True while a signal (SIGSTOP, Ctrl+Z) or a debugger stops it."""
        facts = self._facts()
        return facts is not None and facts.state in STOPPED_STATES

    def _facts(self) -> ProcessFacts | None:
        facts = process_facts(self.pid)
        if facts is None or not facts.is_alive:
            return None
        if IS_LINUX and self.boot is not None:
            return facts if (self.boot, self.started) == (boot_id(), facts.started) else None
        return facts if abs(_create_time(self.pid) - self.started) < 0.01 else None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal unless the process has ended or is another user's."""
        with suppress(OSError), _held(self.pid) as send:
            if self.is_alive:
                send(number)


@contextmanager
def _held(pid: int) -> Iterator[Callable[[signal.Signals], None]]:
    """Return a handle to signal the process with this pid, and no later one that gets it."""
    try:
        descriptor = os.pidfd_open(pid) if IS_LINUX else -1
    except ProcessLookupError:
        raise
    except OSError:  # a kernel without pidfds
        descriptor = -1
    if descriptor < 0:
        yield lambda number: os.kill(pid, number)
        return
    try:
        yield lambda number: signal.pidfd_send_signal(descriptor, number)
    finally:
        os.close(descriptor)


def _create_time(pid: int) -> float:
    import psutil

    try:
        return psutil.Process(pid).create_time()
    except psutil.Error:
        return -1.0


def descendants(pid: int) -> set[ProcessIdentity]:
    """Return every living descendant of a process; empty if it has ended."""
    boot = boot_id() if IS_LINUX else None
    facts_by_pid = descendant_facts(pid)
    return {
        ProcessIdentity(descendant, facts.started, boot)
        for descendant, facts in facts_by_pid.items()
    }


def kill_all(family: Iterable[ProcessIdentity]) -> None:
    """Kill the living processes of the family."""
    for member in family:
        member.signal(KILL)
