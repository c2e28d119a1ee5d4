"""Temporary files and folders of a workspace left by killed processes, and unneeded caches.

Everything that a process writes incompletely is listed here, unless its own code removes it:
staging folders (``recovery``), builds of environments (``removal``), downloaded shards
(``shard_cache``). Files of a live process are locked and stay.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from modules.datasets.dataset_names import DOWNLOADS
from modules.datasets.registered import INDEXES
from modules.files.disk import (
    ABANDONED_SECONDS,
    SCRATCH,
    abandoned_folders,
    is_unchanged_for,
    remove_abandoned,
)
from modules.files.locks import is_held, remove_unless_held
from modules.files.workspace_folder import DELETED, TRIED, UPLOADED
from modules.image_loading import feature_store
from modules.image_loading.cache_limits import UNFINISHED_SUFFIX
from modules.scoring import kept_runtimes
from pipelines.store.objects.artifact_cache import FETCHED
from pipelines.workspace import Workspace

CACHE_DEPTH = ("", "*/", "*/*/")
"""Depth below the cache at which temporary files are searched."""


def find_leftovers(workspace: Workspace) -> list[Path]:
    """Return what no process writes or uses any more, without changing anything."""
    folders = (abandoned_folders(*arguments) for arguments in _scratch_places(workspace))
    deleted = workspace.datasets_dir.glob(f"{DELETED}*")
    files = (*_unfinished(workspace), *_old_files(workspace), *_unneeded(workspace))
    unheld = (path for path in files if not is_held(path))
    return [*chain.from_iterable(folders), *deleted, *unheld]


def remove_leftovers(workspace: Workspace) -> list[Path]:
    """Remove what no process writes or uses any more; return it."""
    removed = [
        path for arguments in _scratch_places(workspace) for path in remove_abandoned(*arguments)
    ]
    for folder in workspace.datasets_dir.glob(f"{DELETED}*"):
        shutil.rmtree(folder, ignore_errors=True)
        removed.append(folder)
    removed += [path for path in _unfinished(workspace) if remove_unless_held(path)]
    removed += [path for path in _old_files(workspace) if remove_unless_held(path)]
    removed += [path for path in _unneeded(workspace) if remove_unless_held(path)]
    return removed


def _unneeded(workspace: Workspace) -> list[Path]:
    """Return the features and exported models beyond their limits."""
    cache_dir = workspace.cache_dir
    return [*feature_store.unneeded_files(cache_dir), *kept_runtimes.unneeded_files(cache_dir)]


def _scratch_places(workspace: Workspace) -> list[tuple[Path, *tuple[str, ...]]]:
    """Yield arguments of ``remove_abandoned``: a folder and prefixes of scratch folders in it."""
    return [
        (workspace.cache_dir, UPLOADED, TRIED, SCRATCH),
        (workspace.cache_dir / INDEXES, SCRATCH),
        (workspace.datasets_dir, SCRATCH),
        (workspace.datasets_dir / DOWNLOADS, SCRATCH),
        (workspace.weights_dir, SCRATCH),
        (workspace.artifacts_dir, SCRATCH, FETCHED),
    ]


def _unfinished(workspace: Workspace) -> Iterator[Path]:
    """Return decoded images and features whose process, which would hold the file, is gone."""
    for depth in CACHE_DEPTH:
        yield from workspace.cache_dir.glob(f"{depth}*{UNFINISHED_SUFFIX}")


def _old_files(workspace: Workspace) -> Iterator[Path]:
    """Return small files meant to replace another one that are too old to be still written."""
    patterns = [(workspace.cache_dir, f"{depth}.*.tmp") for depth in CACHE_DEPTH]
    patterns += [(workspace.root, ".*.tmp"), (workspace.root, ".token-*")]
    patterns += [(workspace.replays_dir, ".*.tmp"), (workspace.datasets_dir, "*/*/.*.tmp")]
    patterns += [(workspace.recordings_dir, f"{depth}.*.tmp") for depth in ("*/", "*/*/")]
    for folder, pattern in patterns:
        for path in folder.glob(pattern):
            if path.is_file() and is_unchanged_for(path, ABANDONED_SECONDS):
                yield path
