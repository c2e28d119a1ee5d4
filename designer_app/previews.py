"""What a folder or an archive holds, told from names alone: images, classes, bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from modules.context import Context
from modules.data.archives import list_archive
from modules.data.names import is_junk
from modules.data.scanning import scan
from modules.data.sources import parse_source
from modules.images.decode import EXTENSIONS

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


def preview(location: Path) -> Preview:
    """The preview of a folder or an archive; no image is read."""
    if location.is_dir():
        files = scan(location).files
        return _preview((file.path for file in files), sum(file.num_bytes for file in files))
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
    counts = Counter(str(PurePosixPath(path).parent) for path in images)
    counts.pop(".", None)
    depth = min((folder.count("/") for folder in counts), default=0)
    classes = {name: count for name, count in counts.items() if name.count("/") == depth}
    if len(counts) < 2:  # one folder with all images is no class
        classes = {}
    ordered = sorted(classes.items(), key=lambda each: (-each[1], each[0]))
    shown = tuple(ClassCount(PurePosixPath(name).name, count) for name, count in ordered)
    return Preview(len(images), num_bytes, shown[:MAX_CLASSES], len(classes))
