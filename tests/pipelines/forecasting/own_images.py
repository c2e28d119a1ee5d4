"""Folders of images, as users have them."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from modules.datasets.folder_summary import FolderSummary
from pipelines.session import WorkspaceSession


def pictures(folder: Path, *classes: str, count: int = 12, below: str = "") -> Path:
    """Pictures of one colour a class."""
    for place, name in enumerate(classes):
        home = folder / below / name
        home.mkdir(parents=True)
        for number in range(count):
            shade = (40 + 80 * place, number * 3, 200 - 60 * place)
            Image.new("RGB", (80, 60), shade).save(home / f"{number}.png")
    return folder


def kept(session: WorkspaceSession, folder: Path) -> tuple[str, FolderSummary]:
    made = session.datasets.add(folder, "mine")
    return made.source, made.preview
