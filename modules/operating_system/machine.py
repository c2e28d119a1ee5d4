"""What this machine has: cores it lets us use, GPUs, memory; without importing torch."""

from __future__ import annotations

import os
import re
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

GPU = re.compile(r"\d+|(?:GPU|MIG)-\S+")
"""How CUDA_VISIBLE_DEVICES names one: by number, or by what is fixed to it or to a part of it."""


def num_cores() -> int:
    """CPU cores this process may use (affinity and cgroup quota counted)."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    quota = _cgroup_cores()
    return max(1, min(allowed or 1, quota or allowed or 1))


def _cgroup_cores() -> int | None:
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        return None if quota == "max" else max(1, int(quota) // int(period))
    except (OSError, ValueError):
        return None


class CpuUse(NamedTuple):
    """What the cores that this process may use have done since the system started."""

    num_cores: int
    busy_seconds: float
    """Of all of them together, without what gives way to this process."""
    quota_seconds: float | None
    """Of a container that may use only so many of them; None where there is no such limit."""


def cpu_use() -> CpuUse:
    """What they have done until now."""
    import psutil

    times = psutil.cpu_times(percpu=True)
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(len(times))
    ours = [times[core] for core in allowed if core < len(times)] or times
    # Guests count as their host's user time already; what is niced gives way to what is not.
    gives_way = ("nice",) if _niceness() == 0 else ()
    not_busy = ("idle", "iowait", "guest", "guest_nice", *gives_way)
    busy = sum(sum(each) - sum(getattr(each, name, 0.0) for name in not_busy) for each in ours)
    return CpuUse(len(ours), busy, _cgroup_seconds())


def _niceness() -> int:
    return os.nice(0) if hasattr(os, "nice") else 0


def _cgroup_seconds() -> float | None:
    if _cgroup_cores() is None:
        return None
    try:
        lines = Path("/sys/fs/cgroup/cpu.stat").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    used = next((line.split()[1] for line in lines if line.startswith("usage_usec ")), None)
    return None if used is None else int(used) / 1e6


def busy_share(seconds: float = 0.2) -> float:
    """The share of those cores that was computing for so long, 0 to 1, whoever it was for.

    What runs here is counted whole where a container's quota is less than the machine.
    """
    import psutil

    busy = psutil.cpu_percent(interval=seconds, percpu=True)
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(len(busy))
    ours = [busy[core] for core in allowed if core < len(busy)] or busy
    return float(sum(ours) / len(ours) / 100) if ours else 0.0


def num_threads(cores: int) -> int:
    """Threads that a process with so many cores computes with: ``OMP_NUM_THREADS``, if fewer."""
    wanted = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return min(cores, int(wanted) or cores) if wanted.isdecimal() else cores


@cache
def gpu_names() -> tuple[str, ...]:
    """The NVIDIA GPUs this process may use, as CUDA_VISIBLE_DEVICES names them.

    As for CUDA, what follows a name of none (``-1``) does not count.
    """
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        names = (each.strip() for each in visible.split(","))
        return tuple(takewhile(GPU.fullmatch, names))
    devices = Path("/dev").glob("nvidia*") if Path("/dev").is_dir() else ()
    found = [re.fullmatch(r"nvidia(\d+)", device.name) for device in devices]
    return tuple(str(each) for each in range(sum(match is not None for match in found)))


def memory_bytes() -> int:
    """Memory this process may use, in bytes (cgroup limit counted)."""
    import psutil

    total = int(psutil.virtual_memory().total)
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        return total if limit == "max" else min(total, int(limit))
    except (OSError, ValueError):
        return total
