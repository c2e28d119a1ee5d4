"""Facts of the system's processes: on Linux from ``/proc``, elsewhere from psutil.

Nothing here reads the wall clock on Linux: ``/proc/stat``'s ``btime``, which psutil adds to a
process's start, changes whenever the clock is set.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

IS_LINUX = sys.platform == "linux"
ENDED_STATES = frozenset("ZXx")
STOPPED_STATES = frozenset("Tt")


class ProcessFacts(NamedTuple):
    """One process in its current state."""

    parent: int
    started: float
    """Clock ticks since the boot; not on Linux: seconds since the epoch."""
    state: str
    """The letter of ``ps``: R running, S sleeping, D waiting for a disk, T stopped, Z ended."""

    @property
    def is_alive(self) -> bool:
        return self.state not in ENDED_STATES


@cache
def boot_id() -> str | None:
    """Return the ID of the boot that ticks are counted from; None if the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return None


def process_facts(pid: int) -> ProcessFacts | None:
    """Return the facts of a process; None if it has ended."""
    if not IS_LINUX:
        return _facts_from_psutil(pid)
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    fields = _fields_of(text)
    return ProcessFacts(int(fields[1]), int(fields[19]), fields[0].decode())


def _fields_of(stat: bytes) -> list[bytes]:
    """Return fields 3 (state) and on; the name before them may contain anything."""
    return stat[stat.rindex(b")") + 2 :].split()


def _facts_from_psutil(pid: int) -> ProcessFacts | None:
    import psutil

    try:
        process = psutil.Process(pid)
        with process.oneshot():
            ended, stopped = psutil.STATUS_ZOMBIE, psutil.STATUS_STOPPED
            state = {ended: "Z", stopped: "T"}.get(process.status(), "S")
            return ProcessFacts(process.ppid(), process.create_time(), state)
    except psutil.Error:
        return None


def command_line(pid: int) -> list[str]:
    """Return the command line of a process; empty once it has ended."""
    if IS_LINUX:
        try:
            content = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return []
        return os.fsdecode(content).split("\0")
    import psutil

    try:
        return psutil.Process(pid).cmdline()
    except psutil.Error:
        return []


def all_pids() -> list[int]:
    """Return the pids of every visible process."""
    if IS_LINUX:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    import psutil

    return psutil.pids()


def descendant_facts(pid: int) -> dict[int, ProcessFacts]:
    """Return every living descendant of a process, by pid; parents come first."""
    children: dict[int, list[int]] = defaultdict(list)
    known: dict[int, ProcessFacts] = {}
    for listed_pid in all_pids():
        facts = process_facts(listed_pid)
        if facts is not None:
            children[facts.parent].append(listed_pid)
            known[listed_pid] = facts
    family, generation = dict[int, ProcessFacts](), children[pid]
    while generation:
        family |= {process_id: known[process_id] for process_id in generation}
        generation = [child for process_id in generation for child in children[process_id]]
    return {process_id: facts for process_id, facts in family.items() if facts.is_alive}


def processor_seconds_below(pid: int) -> float | None:
    """Return the CPU seconds of all living descendants of a process; None if unknown."""
    if not IS_LINUX:
        return None
    ticks = 0
    for descendant in descendant_facts(pid):
        try:
            fields = _fields_of(Path(f"/proc/{descendant}/stat").read_bytes())
        except OSError:  # it has ended in the meantime
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
