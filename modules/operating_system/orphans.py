"""Cleanup of processes left by modules: no process of a step outlives it.

A process that adopts orphans becomes the parent of every process below it whose own parent has
ended, even in another session or forked twice. Each host adopts those of its module, each fork
server those of a killed host, the guardian those of a killed fork server or runner. If all of them
were killed, the next runner recognizes the processes by a mark in their environment.

Log filters (``modules.files.log_filter``) exit automatically once every process that writes to them
has ended: they are killed only if they do not, so that no output is lost.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from modules.operating_system.parent_death import process_option, set_process_option
from modules.operating_system.process_table import (
    IS_LINUX,
    all_pids,
    command_line,
    descendant_facts,
    process_facts,
)
from modules.operating_system.processes import ProcessIdentity, kill_all
from modules.operating_system.signals import KILL

PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER = 36, 37
MARK = "DESIGNER_RUNNER_OF"
"""Variable of every process below a fork server: the mark of its workspace."""
THREADS = "/proc/self/task"
LOG_FILTER = "modules.files.log_filter"
"""The program that writes redacted logs."""
FILTER_SECONDS = 10.0
"""Maximum wait for log filters to write the rest, once no process writes to them: on a busy machine
one may not even have started.
"""
POLL_SECONDS = 0.0005
END_SECONDS = 5.0
"""Maximum wait for killed processes: one that reads from a broken disk does not end."""


def adopt_orphans() -> None:
    """Become the parent of orphans below this process; only Linux supports that."""
    if IS_LINUX:
        set_process_option(PR_SET_CHILD_SUBREAPER, 1)


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Adopt orphans for the duration of the block, which ends its children itself.

    A process that still adopted them would have to reap them: until then their PID namespaces
    cannot end.
    """
    adopted_before = IS_LINUX and bool(process_option(PR_GET_CHILD_SUBREAPER))
    adopt_orphans()
    try:
        yield
    finally:
        if IS_LINUX and not adopted_before:
            set_process_option(PR_SET_CHILD_SUBREAPER, 0)


def end_children(keep: Collection[int] = ()) -> None:
    """Kill and reap the children of this process except ``keep``, and all their descendants."""
    _end_children(keep, spares_filters=True)
    filters_until = time.monotonic() + FILTER_SECONDS
    while any(map(is_log_filter, own_children() - set(keep))):
        if time.monotonic() > filters_until:
            break
        time.sleep(POLL_SECONDS)  # their writers have ended: they exit automatically
    _end_children(keep, spares_filters=False)


def _end_children(keep: Collection[int], *, spares_filters: bool) -> None:
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        doomed = own_children() - set(keep)
        if spares_filters:
            doomed = {pid for pid in doomed if not is_log_filter(pid)}
        if not doomed:
            return
        for pid in doomed:  # their own children are adopted next
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, KILL)  # not reaped yet: the pid cannot be reused
        for pid in doomed:
            _reap(pid, deadline)


def is_log_filter(pid: int) -> bool:
    """Return True for a running process that writes redacted logs."""
    return LOG_FILTER in command_line(pid)


def await_log_filters(seconds: float) -> None:
    """Wait until no child of this process is a log filter, or until the timeout."""
    deadline = time.monotonic() + seconds
    while any(map(is_log_filter, own_children())) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)


def own_children() -> set[int]:
    """Return the pids of this process's children, including ended ones that are not reaped."""
    try:  # without pathlib: it is called at the end of every step
        lists = [_children_of(thread) for thread in os.listdir(THREADS)]
    except OSError:  # a thread that has ended, or the folder does not exist
        lists = []
    if lists:
        return set[int]().union(*lists)
    own = os.getpid()
    descendants = descendant_facts(own)
    return {pid for pid, facts in descendants.items() if facts.parent == own}


def _children_of(thread: str) -> list[int]:
    with open(f"{THREADS}/{thread}/children", "rb", buffering=0) as file:
        return [int(pid) for pid in file.readall().split()]


def _reap(pid: int, deadline: float) -> None:
    if not hasattr(os, "waitpid") or os.name != "posix":
        return  # Windows keeps nothing of a process that has ended
    with suppress(ChildProcessError):
        while os.waitpid(pid, os.WNOHANG) == (0, 0) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)


def workspace_mark(root: Path) -> str:
    """Return the mark of the processes of a workspace; it stays when the folder is moved."""
    facts = root.stat()
    return f"{facts.st_dev}:{facts.st_ino}"


def end_marked(mark: str) -> list[int]:
    """Kill every process of this user with that mark; return their pids.

    Call it only if no runner of the workspace is alive. This process and its ancestors are spared.
    """
    spared, doomed = _ancestry(), list[ProcessIdentity]()
    entry = f"{MARK}={mark}".encode()
    for pid in all_pids() if IS_LINUX else []:
        # before its mark is read, so that it refers to the same process
        identity = ProcessIdentity.find(pid)
        if identity is not None and pid not in spared and _is_marked(pid, entry):
            doomed.append(identity)
    filters = [identity for identity in doomed if is_log_filter(identity.pid)]
    for identity in doomed:
        if identity not in filters:
            identity.signal(KILL)
    deadline = time.monotonic() + FILTER_SECONDS
    while any(identity.is_alive for identity in filters) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    kill_all(filters)
    return [identity.pid for identity in doomed]


def is_in_use(variable: str, value: str) -> bool:
    """Return True if a process of this user has that environment variable; only on Linux."""
    entry = f"{variable}={value}".encode()
    return any(_is_marked(pid, entry) for pid in all_pids()) if IS_LINUX else False


def _is_marked(pid: int, entry: bytes) -> bool:
    folder = Path("/proc", str(pid))
    try:
        return folder.stat().st_uid == os.getuid() and entry in _environment(folder)
    except OSError:  # it has ended, or may not be inspected
        return False


def _environment(folder: Path) -> list[bytes]:
    return (folder / "environ").read_bytes().split(b"\0")


def _ancestry() -> set[int]:
    """Return this process, its parent and so on."""
    line, pid = set[int](), os.getpid()
    while pid and pid not in line:
        line.add(pid)
        facts = process_facts(pid)
        pid = facts.parent if facts else 0
    return line
