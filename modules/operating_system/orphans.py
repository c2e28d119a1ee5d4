"""Ends what modules leave behind: no process of a step outlives it.

Who adopts orphans becomes the parent of every process below it whose own parent has ended, be it
in another session or forked twice. Each host adopts those of its module, each fork server those
of a host that was killed, the guardian those of a fork server or a runner that was. Where all of
them were killed, the next runner knows what they left by a mark in its environment.

Log filters (``modules.files.log_filter``) end by themselves once every process that prints to them
has ended: they are killed only if they do not, so that nothing that was printed is lost.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from modules.operating_system.parent_death import set_process_option
from modules.operating_system.process_table import (
    IS_LINUX,
    all_pids,
    command_line,
    descendant_facts,
    process_facts,
)
from modules.operating_system.processes import ProcessIdentity, kill_all
from modules.operating_system.signals import KILL

PR_SET_CHILD_SUBREAPER = 36
MARK = "DESIGNER_RUNNER_OF"
"""The variable that every process below a fork server has: the mark of its workspace."""
THREADS = "/proc/self/task"
LOG_FILTER = "modules.files.log_filter"
"""The program that writes redacted logs."""
FILTER_SECONDS = 10.0
"""How long log filters may take to write what is left, once nobody prints to them any more: on a
crowded machine one may not even have started."""
POLL_SECONDS = 0.0005
END_SECONDS = 5.0
"""How long killed processes are waited for: one that reads from a dead disk does not end."""


def adopt_orphans() -> None:
    """Become the parent of whatever is orphaned below this process; only Linux can do that."""
    if IS_LINUX:
        set_process_option(PR_SET_CHILD_SUBREAPER, 1)


def end_children(keep: Collection[int] = ()) -> None:
    """Kill and reap the children of this process but those to keep, and all that came of them."""
    _end_children(keep, spares_filters=True)
    filters_until = time.monotonic() + FILTER_SECONDS
    while any(map(is_log_filter, own_children() - set(keep))):
        if time.monotonic() > filters_until:
            break
        time.sleep(POLL_SECONDS)  # who printed to them has gone: they end by themselves
    _end_children(keep, spares_filters=False)


def _end_children(keep: Collection[int], *, spares_filters: bool) -> None:
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        doomed = own_children() - set(keep)
        if spares_filters:
            doomed = {pid for pid in doomed if not is_log_filter(pid)}
        if not doomed:
            return
        for pid in doomed:  # their own children come here next
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, KILL)  # not reaped yet: the pid is nobody else's
        for pid in doomed:
            _reap(pid, deadline)


def is_log_filter(pid: int) -> bool:
    """Return True for a process that writes redacted logs, and has not ended."""
    return LOG_FILTER in command_line(pid)


def await_log_filters(seconds: float) -> None:
    """Wait until no child of this process is a log filter, or for so many seconds."""
    deadline = time.monotonic() + seconds
    while any(map(is_log_filter, own_children())) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)


def own_children() -> set[int]:
    """The pids of this process's children, those that have ended and are not reaped too."""
    try:  # without pathlib: it is asked at the end of every step
        lists = [_children_of(thread) for thread in os.listdir(THREADS)]
    except OSError:  # a thread that has just ended, or no such folder
        lists = []
    if lists:
        return set[int]().union(*lists)
    own = os.getpid()
    found = descendant_facts(own)
    return {pid for pid, facts in found.items() if facts.parent == own}


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
    """What marks the processes of a workspace; it stays when the folder is moved."""
    facts = root.stat()
    return f"{facts.st_dev}:{facts.st_ino}"


def end_marked(mark: str) -> list[int]:
    """Kill every process of this user with that mark; gives their pids.

    Only for who knows that no runner of the workspace lives. This process and those that it came
    from are spared.
    """
    spared, doomed = _ancestry(), list[ProcessIdentity]()
    entry = f"{MARK}={mark}".encode()
    for pid in all_pids() if IS_LINUX else []:
        identity = ProcessIdentity.find(pid)  # before its mark is read: it is that process's
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
    """Whether a process of this user has that environment variable; none is seen not on Linux."""
    entry = f"{variable}={value}".encode()
    return any(_is_marked(pid, entry) for pid in all_pids()) if IS_LINUX else False


def _is_marked(pid: int, entry: bytes) -> bool:
    folder = Path("/proc", str(pid))
    try:
        return folder.stat().st_uid == os.getuid() and entry in _environment(folder)
    except OSError:  # it has gone, or is not ours to look at
        return False


def _environment(folder: Path) -> list[bytes]:
    return (folder / "environ").read_bytes().split(b"\0")


def _ancestry() -> set[int]:
    """This process, its parent and so on."""
    line, pid = set[int](), os.getpid()
    while pid and pid not in line:
        line.add(pid)
        facts = process_facts(pid)
        pid = facts.parent if facts else 0
    return line
