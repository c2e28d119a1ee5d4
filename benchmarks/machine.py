"""What a result was measured on and with: enough to compare it, nothing that tells whose it is."""

from __future__ import annotations

import os
import platform
import re
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

OURS = ("pipeline-designer", "torch", "torchvision", "numpy", "pyarrow", "pydantic", "sqlalchemy")


def describe_machine() -> dict[str, Any]:
    """Processor, cores this process may use, memory, system and Python."""
    return {
        "processor": _processor(),
        "cores": _cores(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load_before": round(os.getloadavg()[0], 2),
    }


def has_gpu() -> bool:
    """True where an NVIDIA driver is."""
    return shutil.which("nvidia-smi") is not None


def own_versions() -> dict[str, str]:
    """The versions of this project and of what it stands on."""
    return {name: version(name) for name in OURS}


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        found = re.search(r"^model name\s*: (.+)$", cpuinfo.read_text(), flags=re.MULTILINE)
        if found:
            return found[1]
    return platform.processor() or platform.machine()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
