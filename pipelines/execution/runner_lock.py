"""Lock of the process that executes a workspace's runs; it is released when that process dies."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

import modules
import pipelines
from modules.files.json_files import read_if_valid, write_durably
from modules.operating_system import locks
from modules.operating_system.processes import ProcessIdentity
from pipelines.errors import WorkspaceGoneError
from pipelines.workspace import Workspace


@dataclass(frozen=True)
class RunnerInfo:
    """Runner that holds the lock."""

    pid: int
    started: float
    code: str
    """Version of its code; a newer client replaces an idle runner of older code."""
    boot: str | None = None

    @property
    def identity(self) -> ProcessIdentity:
        return ProcessIdentity(self.pid, self.started, self.boot)


def try_lock(path: Path, *, shared: bool = False) -> IO[str] | None:
    """Return an open, locked file; None if another process holds it. Closing it unlocks.

    Raises ``WorkspaceGoneError`` if its folder does not exist.
    """
    try:
        file = path.open("a")
    except FileNotFoundError:
        raise WorkspaceGoneError(path.parent) from None
    with suppress(OSError):
        if locks.try_lock(file, shared=shared):
            return file
    file.close()
    return None


@contextmanager
def without_runner(workspace: Workspace) -> Iterator[bool]:
    """Yield True, and block the start of a runner meanwhile, if there is none; otherwise False."""
    lock = try_lock(workspace.runner_lock_path)
    try:
        yield lock is not None
    finally:
        if lock is not None:
            lock.close()


def current_runner(workspace: Workspace) -> RunnerInfo | None:
    """Return the live runner of a workspace; None if there is none."""
    if not workspace.runner_lock_path.exists():
        return None
    with without_runner(workspace) as there_is_none:
        if there_is_none:
            return None
    # The lock shows that there is one, the file which; at first the file may be an older one's.
    stored = read_if_valid(workspace.runner_state_path)
    try:
        info = RunnerInfo(**stored) if stored else None
    except TypeError:
        return None
    return info if info and info.identity.is_alive else None


def announce(workspace: Workspace) -> None:
    """Record this process as the runner; it holds the lock already."""
    own = ProcessIdentity.of()
    info = RunnerInfo(own.pid, own.started, code_version(), own.boot)
    write_durably(workspace.runner_state_path, asdict(info))


def code_version() -> str:
    """Return a version that changes with any file of the packages that a runner keeps in memory."""
    digest = hashlib.sha256()
    for package in (modules, pipelines):
        for folder, names, files in os.walk(package.__path__[0]):
            names[:] = sorted(name for name in names if name != "__pycache__")
            for name in sorted(files):
                if name.endswith(".py"):
                    stat = os.stat(os.path.join(folder, name))
                    digest.update(f"{folder}/{name} {stat.st_mtime_ns} {stat.st_size}\n".encode())
    return digest.hexdigest()[:16]
