"""Removal of built environments, which are built again on demand."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from modules.files.disk import SCRATCH, abandoned_folders, remove_abandoned
from modules.operating_system import locks
from pipelines.environments.builder import MARKER, STAGING, BuildMarker, folder_of
from pipelines.environments.file_facts import count_bytes
from pipelines.environments.resolver import RESOLVING
from pipelines.environments.uv_command import Uv, find_uv
from pipelines.errors import RefusedError
from pipelines.sentences import refusals

UNUSED_SECONDS = 30 * 24 * 3600
BUILT = re.compile(r"[0-9a-f]{24}")
BASE = "base-"


@dataclass(frozen=True)
class EnvironmentSweep:
    """Result of a removal: what was freed or, on a dry run, would be."""

    folders: list[str]
    num_bytes: int


def remove_folder(key: str, root: Path) -> int:
    """Remove what was built as ``key``. Raises ``RefusedError`` while a process builds it."""
    folder = folder_of(key, root)
    if not folder.is_dir():
        return 0
    with _alone(folder.name, root) as is_alone:
        if not is_alone:
            raise RefusedError(refusals.ENVIRONMENT_BUSY, environment=folder.name)
        return _remove(folder)


def sweep(root: Path, keys: Collection[str], *, dry_run: bool = False) -> EnvironmentSweep:
    """Remove what no environment with one of these keys needs, or was not used for a month."""
    doomed = list(_unneeded(root, {folder_of(key, root).name for key in keys}))
    freed = 0
    for folder in doomed:
        freed += count_bytes(folder)[1] if dry_run else _remove(folder)
    if not dry_run:
        remove_abandoned(root, SCRATCH, RESOLVING)  # their lock files
    if doomed and not dry_run and find_uv() is not None:
        Uv.with_cache(root).prune()
    return EnvironmentSweep([folder.name for folder in doomed], freed)


def _unneeded(root: Path, keys: Collection[str]) -> Iterator[Path]:
    folders = sorted(path for path in root.glob("*") if path.is_dir())
    bases = set[str]()
    for folder in folders:
        marker = BuildMarker.of(folder)
        if BUILT.fullmatch(folder.name) and not _is_needed(folder, keys):
            with _alone(folder.name, root) as is_alone:
                if is_alone:
                    yield folder
        elif marker is not None:
            bases.add(marker.base)
    yield from (
        folder for folder in folders if folder.name.startswith(BASE) and folder.name not in bases
    )
    yield from (folder for folder in folders if _is_broken_off(folder, root))
    yield from abandoned_folders(root, SCRATCH, RESOLVING)


def _is_needed(folder: Path, keys: Collection[str]) -> bool:
    try:
        used = (folder / MARKER).stat().st_mtime
    except OSError:  # never completed
        return False
    return folder.name in keys and time.time() - used < UNUSED_SECONDS


def _is_broken_off(folder: Path, root: Path) -> bool:
    """Return True for the folder of an interrupted build."""
    if not folder.name.startswith(STAGING):
        return False
    with _alone(folder.name.removeprefix(STAGING), root) as is_alone:
        return is_alone


@contextmanager
def _alone(name: str, root: Path) -> Iterator[bool]:
    """Yield True, and block new builds meanwhile, if no process builds it."""
    with (root / f"{name}.lock").open("w") as file:
        yield locks.try_lock(file)


def _remove(folder: Path) -> int:
    """Remove files; return the freed bytes, without files that have another hard link."""
    own = count_bytes(folder)[1]
    shutil.rmtree(folder, ignore_errors=True)
    return own
