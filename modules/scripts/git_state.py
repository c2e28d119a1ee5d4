"""Git state of a source folder: recorded for people, not part of any key."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TypedDict

SECONDS = 5.0
_HARMLESS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "diff.external=",
    "core.pager=",
)
"""Options that disable programs in a repository's own settings."""
_DRIVER = re.compile(
    r"^(?:filter\..+\.(?:clean|smudge|process|required)|diff\..+\.(?:command|textconv))$"
)
"""Settings that name a program for files of some kind: for their content or their diff."""
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "none"}


class GitState(TypedDict):
    """Checkout of a repository."""

    commit: str
    branch: str | None
    remote: str | None
    """Its address without credentials."""
    dirty: bool | None
    """True if anything is uncommitted; None if that is unknown."""


def git_state(folder: Path) -> GitState | None:
    """Return the state; None if the folder is not in a repository, or git is not installed."""
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    return {
        "commit": commit,
        "branch": _git(folder, "rev-parse", "--abbrev-ref", "HEAD"),
        "remote": _without_credentials(_git(folder, "remote", "get-url", "origin")),
        "dirty": _is_dirty(folder),
    }


def _is_dirty(folder: Path) -> bool | None:
    """Return True if anything is uncommitted; None if that needs the repository's programs."""
    names = _git(folder, "config", "--name-only", "--list")
    if names is None:
        return None
    drivers = {name for name in names.splitlines() if _DRIVER.match(name.lower())}
    if any("=" in name for name in drivers):  # such a setting cannot be overridden
        return None
    off = tuple(f"{name}={_off(name)}" for name in sorted(drivers))
    arguments = ("status", "--porcelain", "--ignore-submodules=all", "--", ".")
    output = _git(folder, *arguments, settings=off)
    return None if output is None else bool(output)


def _off(name: str) -> str:
    return "false" if name.lower().endswith(".required") else ""


def _git(folder: Path, *arguments: str, settings: tuple[str, ...] = ()) -> str | None:
    program = shutil.which("git")
    if program is None:
        return None
    own = [word for setting in (*_HARMLESS, *settings) for word in ("-c", setting)]
    command = [program, "--no-pager", *own, "-C", str(folder), *arguments]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **_QUIET},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else None


def _without_credentials(url: str | None) -> str | None:
    return None if url is None else re.sub(r"(?<=://)[^/@]*@", "", url)
