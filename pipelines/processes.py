"""Processes of ours: tying a child's life to its parent's, finding and ending whole families."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import psutil

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class ProcessIdentity:
    """A process that cannot be mistaken for a later one with the same pid."""

    pid: int
    started: float

    @classmethod
    def of(cls, pid: int | None = None) -> ProcessIdentity:
        """The identity of ``pid``, by default of this process."""
        process = psutil.Process(pid)
        return cls(process.pid, process.create_time())

    @classmethod
    def find(cls, pid: int) -> ProcessIdentity | None:
        """The identity of ``pid``; None when it has gone."""
        try:
            return cls.of(pid)
        except psutil.NoSuchProcess:
            return None

    @property
    def is_alive(self) -> bool:
        """True while this very process runs; a zombie does not."""
        return self._process() is not None

    def _process(self) -> psutil.Process | None:
        try:
            process = psutil.Process(self.pid)
            same = abs(process.create_time() - self.started) < 0.01
            return process if same and process.status() != psutil.STATUS_ZOMBIE else None
        except psutil.NoSuchProcess:
            return None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal unless the process has gone."""
        process = self._process()
        if process is not None:
            try:
                process.send_signal(number)
            except psutil.NoSuchProcess:
                return


def die_with_parent(parent_pid: int) -> None:
    """Have the kernel kill this process when the thread that forked it ends.

    Call it first thing in a child. Where the kernel has no such service (not Linux) a thread
    looks for the parent every half second.
    """
    if sys.platform == "linux":
        _libc().prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch_parent, args=(parent_pid,), daemon=True).start()
    if os.getppid() != parent_pid:  # it ended before the call above
        os._exit(1)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _watch_parent(parent_pid: int) -> None:
    while os.getppid() == parent_pid:
        time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGKILL)


def descendants(pid: int) -> set[ProcessIdentity]:
    """Every living child, grandchild and so on of a process; empty when it has gone."""
    found: set[ProcessIdentity] = set()
    try:
        children = psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return found
    for child in children:
        try:
            found.add(ProcessIdentity(child.pid, child.create_time()))
        except psutil.NoSuchProcess:
            continue
    return found


def kill_all(family: Iterable[ProcessIdentity]) -> None:
    """Send SIGKILL to those of the family that still live."""
    for member in family:
        member.signal(signal.SIGKILL)
