"""Detection of workspaces of the designer, and of the designer's own files in them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from modules.files.database_files import SUFFIXES

DATABASE = "designer.db"
DATASETS = "datasets"
MADE_FOLDERS = frozenset({"artifacts", "runs", DATASETS, "weights", "cache"})
"""Folders of every workspace, also if its database is elsewhere."""

OWN = frozenset(
    {
        *(DATABASE + suffix for suffix in SUFFIXES),
        *MADE_FOLDERS,
        *("backups", "designer.toml", "replays", "recordings", "modules", "reserve", "token"),
        *("environments", "allowed_code.json", "endpoints", "automation.log"),
        *("secrets.json", "secrets.lock", "secrets_in_use.json", "secrets_in_use.lock"),
        *("runner.lock", "runs.lock", "references.lock", "migrating.lock", "rescue.lock"),
        *("runner.json", "runner.json.tmp", "runner.beat", "runner.log", "inspector.log"),
    }
)
RESCUED = "designer-rescued-"
"""Prefix of copies of a database that were made before data would be lost."""
DAMAGED = "designer-damaged-"
"""Prefix of databases that ``designer workspace restore`` has moved aside."""
BACKUP = "designer-"
"""Prefix of backups of a database, in a separate folder."""
UPLOADED, TRIED, DELETED = ".upload-", ".try-", ".deleted-"
"""Prefixes of scratch folders: uploads and tried images in the cache, deleted datasets."""

OPENING = ".designer-opening-"
"""Prefix of folders with the sign-in link for the browser that the app opens."""


def is_workspace(names: Collection[str]) -> bool:
    """Return True if a folder with these names is a workspace."""
    return DATABASE in names or MADE_FOLDERS.issubset(names)


def is_own(name: str) -> bool:
    """Return True for files that the designer creates in a workspace."""
    if name in OWN or name.startswith(
        (RESCUED, DAMAGED, OPENING, ".token-", ".runner.", ".runner-")
    ):
        return True
    return name.startswith("runner-") and name.endswith((".lock", ".json", ".json.tmp", ".beat"))


def own_place(path: Path) -> Path | None:
    """Return the workspace of a path, if the path is the designer's own; datasets may be read."""
    for folder in path.parents:
        name = path.relative_to(folder).parts[0]
        if is_own(name) and name != DATASETS and _looks_like_workspace(folder):
            return folder
    return None


def _looks_like_workspace(folder: Path) -> bool:
    if (folder / DATABASE).exists():
        return True
    return all((folder / name).is_dir() for name in MADE_FOLDERS)
