"""What a result was measured on and with: enough to compare it, nothing that tells whose it is."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import TypedDict

import psutil

OURS = ("pipeline-designer", "torch", "torchvision", "numpy", "pyarrow", "pydantic", "sqlalchemy")


class MachineFacts(TypedDict):
    """The machine of a result."""

    processor: str
    cores: int
    memory_gib: int
    gpus: list[str]
    system: str
    python: str
    load_before: float


def describe_machine() -> MachineFacts:
    """Processor, cores this process may use, memory, GPUs, system and Python."""
    return {
        "processor": _processor(),
        "cores": _cores(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30),
        "gpus": _gpus(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load_before": round(os.getloadavg()[0], 2),
    }


def has_gpu() -> bool:
    """True where an NVIDIA driver is."""
    return shutil.which("nvidia-smi") is not None


def _gpus() -> list[str]:
    """Their names; a driver that does not answer has none."""
    if not has_gpu():
        return []
    query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    found = subprocess.run(query, capture_output=True, text=True, timeout=60, check=False)
    return found.stdout.splitlines() if found.returncode == 0 else []


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
