"""Environment of this process: versions, hardware, the commit of a checkout. Imports no torch."""

from __future__ import annotations

import platform
import re
from pathlib import Path

from modules.files.names import word_list
from modules.operating_system.kernel import processor_description
from modules.operating_system.machine import gpu_names, memory_bytes, num_cores
from pipelines.events import RunEnvironment
from pipelines.store.artifacts.cache_keys import library_version

LIBRARIES = word_list(
    "torch torchvision numpy pandas pillow pyarrow safetensors scikit-learn pydantic "
    "sqlalchemy streamlit"
)
COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


def describe_environment() -> RunEnvironment:
    """Return plain values, as recorded by ``RunStarted``."""
    return {
        "program": library_version("pipeline-designer"),
        "commit": commit_of(Path(__file__).resolve().parents[2]),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": _processor(),
        "cores": num_cores(),
        "gpus": len(gpu_names()),
        "memory_bytes": memory_bytes(),
        "host": platform.node(),
        "libraries": {name: library_version(name) for name in LIBRARIES},
    }


def commit_of(checkout: Path) -> str | None:
    """Return a checkout's commit, read without git; None if there is none or it is unclear."""
    git = checkout / ".git"
    try:
        if git.is_file():  # a worktree: `gitdir: <folder>`
            git = checkout / git.read_text(encoding="utf-8").partition(": ")[2].strip()
        head = (git / "HEAD").read_text(encoding="ascii").strip()
        if not head.startswith("ref: "):
            return head if COMMIT.fullmatch(head) else None
        return _commit_of_branch(git, head.removeprefix("ref: "))
    except (OSError, ValueError):
        return None


def _commit_of_branch(git: Path, reference: str) -> str | None:
    shared = git / "commondir"
    common = git / shared.read_text(encoding="utf-8").strip() if shared.is_file() else git
    loose = common / reference
    if loose.is_file():
        text = loose.read_text(encoding="ascii").strip()
        return text if COMMIT.fullmatch(text) else None
    for line in (common / "packed-refs").read_text(encoding="utf-8").splitlines():
        commit, _, name = line.partition(" ")
        if name == reference and COMMIT.fullmatch(commit):
            return commit
    return None


def _processor() -> str:
    """Return the processor's name from Linux, otherwise from Python."""
    try:
        lines = processor_description().splitlines()
        named = [line for line in lines if line.startswith("model name")]
        return named[0].partition(":")[2].strip()
    except IndexError:
        return platform.processor() or platform.machine()
