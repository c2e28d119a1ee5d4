"""Which folders are a workspace of the designer, and what in one is the designer's own."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from modules.files.database_files import SUFFIXES

DATABASE = "designer.db"
DATASETS = "datasets"
MADE_FOLDERS = frozenset({"artifacts", "runs", DATASETS, "weights", "cache"})
"""What every workspace has, also where its database is elsewhere."""

OWN = frozenset(
    {
        *(DATABASE + suffix for suffix in SUFFIXES),
        *MADE_FOLDERS,
        *("backups", "designer.toml", "replays", "modules", "reserve", "token"),
        *("environments", "allowed_code.json"),
        *("secrets.json", "secrets.lock", "secrets_in_use.json", "secrets_in_use.lock"),
        *("runner.lock", "runs.lock", "references.lock", "migrating.lock", "rescue.lock"),
        *("runner.json", "runner.json.tmp", "runner.beat", "runner.log", "inspector.log"),
    }
)
RESCUED = "designer-rescued-"
"""How copies of a database begin that were made of what was about to be lost."""
DAMAGED = "designer-damaged-"
"""Prefix of databases that ``designer workspace restore`` has moved aside."""
BACKUP = "designer-"
"""Prefix of backups of a database, in a folder of their own."""
UPLOADED, TRIED, DELETED = ".upload-", ".try-", ".deleted-"
"""Prefixes of scratch folders: uploads and tried images in the cache, deleted datasets."""

OPENING = ".designer-opening-"
"""How folders begin that hold the way into the app for the browser that it opens."""


def is_workspace(names: Collection[str]) -> bool:
    """True where a folder that holds these names is a workspace."""
    return DATABASE in names or MADE_FOLDERS.issubset(names)


def is_own(name: str) -> bool:
    """True for what the designer itself puts into a workspace; all else there is its user's."""
    if name in OWN or name.startswith(
        (RESCUED, DAMAGED, OPENING, ".token-", ".runner.", ".runner-")
    ):
        return True
    return name.startswith("runner-") and name.endswith((".lock", ".json", ".json.tmp", ".beat"))


def own_place(path: Path) -> Path | None:
    """The workspace that a path lies in, where it is the designer's own; datasets may be read."""
    for folder in path.parents:
        name = path.relative_to(folder).parts[0]
        if is_own(name) and name != DATASETS and _looks_like_workspace(folder):
            return folder
    return None


def _looks_like_workspace(folder: Path) -> bool:
    if (folder / DATABASE).exists():
        return True
    return all((folder / name).is_dir() for name in MADE_FOLDERS)
