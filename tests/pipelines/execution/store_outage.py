"""An object store in a folder that a test takes away and brings back."""

from __future__ import annotations

from pathlib import Path


def take_away(disk: Path) -> None:
    """Replace the folder of the store by a file."""
    disk.rename(disk.with_name("away"))
    disk.write_text("something else is here")


def bring_back(disk: Path) -> None:
    """Undo ``take_away``."""
    disk.unlink()
    disk.with_name("away").rename(disk)
