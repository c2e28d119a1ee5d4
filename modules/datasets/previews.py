"""What a folder or an archive holds, told from names alone: images, classes, bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath

from modules.context import Context
from modules.datasets.sources import parse_source
from modules.files.archives import list_archive
from modules.files.names import class_name, is_junk, parent_of
from modules.files.parts import parts_of, sentence
from modules.files.scanning import scan
from modules.image_loading.decoding import EXTENSIONS

MAX_CLASSES = 200


@dataclass(frozen=True)
class ClassCount:
    """A class and how many images it has."""

    name: str
    images: int


@dataclass(frozen=True)
class Preview:
    """Images and classes, the largest class first and at most ``MAX_CLASSES`` of them."""

    images: int
    num_bytes: int
    classes: tuple[ClassCount, ...]
    num_classes: int
    notice: str | None = None
    """That it is in parts, or that the designer's own workspace lies in it and is not read."""


def preview(location: Path) -> Preview:
    """The preview of a folder or an archive; no image is read."""
    if location.is_dir():
        tree = scan(location)
        num_bytes = sum(file.num_bytes for file in tree.files)
        found = _preview((file.path for file in tree.files), num_bytes)
        notices = [each for each in (tree.notice, found.notice) if each is not None]
        return replace(found, notice=" ".join(notices) or None)
    names = list_archive(location) or []
    paths = (name.replace("\\", "/").removeprefix("./") for name in names)
    return _preview(paths, location.stat().st_size)


@lru_cache(maxsize=256)
def preview_of_version(location: Path) -> Preview:
    """The preview of a registered version, which never changes."""
    return preview(location)


def readable(path: str, context: Context) -> Path:
    """The folder or archive of that path; raises the error to show where it may not be read."""
    parse_source(f"file:{path}").check(context)
    return Path(path).expanduser().resolve()


def _preview(paths: Iterable[str], num_bytes: int) -> Preview:
    images = [
        path
        for path in paths
        if not is_junk(path) and PurePosixPath(path).suffix.lower() in EXTENSIONS
    ]
    parts = parts_of(images)
    counts = Counter(parent_of(path) for path in images)
    counts.pop("", None)
    depth = min((folder.count("/") for folder in counts), default=0)
    within = {part.folder for part in parts}
    classes: Counter[str] = Counter()
    for folder, count in counts.items():
        if parent_of(folder) in within if parts else folder.count("/") == depth:
            classes[class_name(folder.rpartition("/")[2])] += count
    ordered = sorted(classes.items(), key=lambda each: (-each[1], each[0]))
    shown = tuple(ClassCount(name, count) for name, count in ordered)
    notice = f"{sentence(parts)} Choose one in Import Images." if parts else None
    return Preview(len(images), num_bytes, shown[:MAX_CLASSES], len(classes), notice)
