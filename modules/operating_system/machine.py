"""Resources of this machine: usable cores, GPUs, memory; without importing torch."""

from __future__ import annotations

import os
import re
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

GPU = re.compile(r"\d+|(?:GPU|MIG)-\S+")
"""Name of a GPU in CUDA_VISIBLE_DEVICES: its number, or an ID of it or of a part of it."""


def num_cores() -> int:
    """Return the CPU cores this process may use, within its affinity and cgroup quota."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    quota = _cgroup_cores()
    return max(1, min(allowed or 1, quota or allowed or 1))


def is_quiet() -> bool:
    """Return True if half of the cores have been idle for about a minute, or if that is unknown."""
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):  # not on Windows
        return True
    return load <= (os.cpu_count() or 1) / 2  # the load is that of all cores, not of a container


def _cgroup_cores() -> int | None:
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        return None if quota == "max" else max(1, int(quota) // int(period))
    except (OSError, ValueError):
        return None


class CpuUse(NamedTuple):
    """Use of the cores that this process may use, since the system started."""

    num_cores: int
    busy_seconds: float
    """Seconds of all of them together, without processes of lower priority."""
    quota_seconds: float | None
    """Seconds of a container with a CPU quota; None if there is no such limit."""


def cpu_use() -> CpuUse:
    """Return their use until now."""
    import psutil

    times = psutil.cpu_times(percpu=True)
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(len(times))
    ours = [times[core] for core in allowed if core < len(times)] or times
    # Guests are already included in their host's user time; niced processes yield to others.
    gives_way = ("nice",) if _niceness() == 0 else ()
    not_busy = ("idle", "iowait", "guest", "guest_nice", *gives_way)
    busy = sum(sum(times) - sum(getattr(times, name, 0.0) for name in not_busy) for times in ours)
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
    """Return the share of those cores that was busy during that time, 0 to 1, for any process.

    Load of this machine counts completely if a container's quota is smaller than the machine.
    """
    import psutil

    busy = psutil.cpu_percent(interval=seconds, percpu=True)
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(len(busy))
    ours = [busy[core] for core in allowed if core < len(busy)] or busy
    return float(sum(ours) / len(ours) / 100) if ours else 0.0


def num_threads(cores: int) -> int:
    """Return the threads of a process with this many cores: ``OMP_NUM_THREADS``, if fewer."""
    wanted = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return min(cores, int(wanted) or cores) if wanted.isdecimal() else cores


@cache
def gpu_names() -> tuple[str, ...]:
    """Return the NVIDIA GPUs this process may use, by their names in CUDA_VISIBLE_DEVICES.

    As in CUDA, names after an invalid one (``-1``) do not count.
    """
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        names = (name.strip() for name in visible.split(","))
        return tuple(takewhile(GPU.fullmatch, names))
    devices = Path("/dev").glob("nvidia*") if Path("/dev").is_dir() else ()
    matches = [re.fullmatch(r"nvidia(\d+)", device.name) for device in devices]
    return tuple(str(index) for index in range(sum(match is not None for match in matches)))


def memory_bytes() -> int:
    """Return the memory this process may use, in bytes, within its cgroup limit."""
    import psutil

    total = int(psutil.virtual_memory().total)
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        return total if limit == "max" else min(total, int(limit))
    except (OSError, ValueError):
        return total
