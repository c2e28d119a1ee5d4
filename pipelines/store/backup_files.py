"""Backups of an SQLite database as files: their names, their order, those to remove."""

from __future__ import annotations

import re
import time
from calendar import timegm
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from modules.files.workspace_folder import BACKUP

KEPT = 3
"""Backups that stay."""
STAMP = "%Y%m%d-%H%M%S"
NAME = re.compile(re.escape(BACKUP) + r"(\d{8}-\d{6})(?:-(\d+))?\.db")


@dataclass(frozen=True)
class BackupFile:
    """A backup that was verified when it was made."""

    path: Path
    time: float
    """When it was begun, by its name: seconds since the epoch."""

    @property
    def name(self) -> str:
        """The name by which it is restored."""
        return self.path.stem

    @property
    def time_text(self) -> str:
        """When it was begun, in local time."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.time))


def backups_in(folder: Path) -> list[BackupFile]:
    """Return the backups in a folder, newest first; half-written ones have other names."""
    found = []
    for path in folder.glob(f"{BACKUP}*.db"):
        if (match := NAME.fullmatch(path.name)) and path.is_file():
            stamp = timegm(time.strptime(match[1], STAMP))
            found.append((stamp, int(match[2] or 0), path))
    return [BackupFile(path, stamp) for stamp, _, path in sorted(found, reverse=True)]


def free_name(folder: Path) -> Path:
    """The path of a backup that is made now."""
    stamp = time.strftime(STAMP, time.gmtime())
    path, number = folder / f"{BACKUP}{stamp}.db", 1
    while path.exists():
        number += 1
        path = folder / f"{BACKUP}{stamp}-{number}.db"
    return path


def remove_old(backups: Sequence[BackupFile]) -> None:
    """Keep the newest ones."""
    for backup in backups[KEPT:]:
        backup.path.unlink(missing_ok=True)
