"""Files of backups of an SQLite database: names, order and removal."""

from __future__ import annotations

import re
import time
from calendar import timegm
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from modules.files.workspace_folder import BACKUP

KEPT = 3
"""Number of backups kept."""
STAMP = "%Y%m%d-%H%M%S"
NAME = re.compile(re.escape(BACKUP) + r"(\d{8}-\d{6})(?:-(\d+))?\.db")


@dataclass(frozen=True)
class BackupFile:
    """Backup that was verified when it was made."""

    path: Path
    stamp: str
    """Time of the backup in UTC."""
    number: int = 1
    """Number among those with the same stamp."""

    @property
    def time(self) -> float:
        """Return the time of the backup in seconds since the epoch."""
        return timegm(time.strptime(self.stamp, STAMP))

    @property
    def name(self) -> str:
        """Return the name by which it is restored."""
        return self.path.stem

    @property
    def time_text(self) -> str:
        """Return the local time of the backup."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.time))


def backups_in(folder: Path) -> list[BackupFile]:
    """Return the backups in a folder, newest first; incomplete ones have other names."""
    matches = ((path, NAME.fullmatch(path.name)) for path in folder.glob(f"{BACKUP}*.db"))
    backups = [
        BackupFile(path, match[1], int(match[2] or 1))
        for path, match in matches
        if match and path.is_file()
    ]
    return sorted(backups, key=lambda backup: (backup.stamp, backup.number), reverse=True)


def free_name(folder: Path) -> Path:
    """Return the path for a new backup, which sorts as the newest whatever the clock says."""
    stamp, backups = time.strftime(STAMP, time.gmtime()), backups_in(folder)
    if not backups or backups[0].stamp < stamp:
        return folder / f"{BACKUP}{stamp}.db"
    return folder / f"{BACKUP}{backups[0].stamp}-{backups[0].number + 1}.db"


def remove_old(backups: Sequence[BackupFile]) -> None:
    """Remove all but the newest ones."""
    for backup in backups[KEPT:]:
        backup.path.unlink(missing_ok=True)
