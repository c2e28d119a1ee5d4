"""Which commit a source folder is at: recorded for people, no part of any key."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

SECONDS = 5.0
_HARMLESS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
"""A repository's own settings may name programs: none of them is run."""


def git_state(folder: Path) -> dict[str, Any] | None:
    """Commit, branch, address without credentials, and whether anything is uncommitted.

    None where the folder is in no repository, or git is not installed.
    """
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    return {
        "commit": commit,
        "branch": _git(folder, "rev-parse", "--abbrev-ref", "HEAD"),
        "remote": _without_credentials(_git(folder, "remote", "get-url", "origin")),
        "dirty": bool(_git(folder, "status", "--porcelain", "--", ".")),
    }


def _git(folder: Path, *arguments: str) -> str | None:
    program = shutil.which("git")
    if program is None:
        return None
    command = [program, *_HARMLESS, "-C", str(folder), *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else None


def _without_credentials(url: str | None) -> str | None:
    return None if url is None else re.sub(r"(?<=://)[^/@]*@", "", url)
