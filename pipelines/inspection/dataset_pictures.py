"""Inspection of a dataset: sample images of each class, duplicates, broken files."""

from __future__ import annotations

from base64 import b64encode
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from modules.datasets.version_cache import kept_for_version
from modules.errors import ModuleError
from modules.files.hashing import hash_file
from modules.files.names import is_junk
from modules.files.scanning import ScannedFile, Tree
from modules.files.shard_member import StoredFile
from modules.files.shards import dataset_tree
from modules.image_loading.decoding import UnreadableImageError, open_scaled, verify_image
from modules.image_loading.image_formats import EXTENSIONS, other_format_of_name
from modules.layouts.verdict import labels_of
from pipelines.runs.curves import evenly
from pipelines.sentences import _

if TYPE_CHECKING:
    from PIL import Image

MAX_CLASSES = 8
PICTURES = 6
"""Number of samples of each class."""
EDGE, STRIP_EDGE, QUALITY = 72, 44, 80
NAMED = 5
"""Number of files named in a sentence."""
MAX_CHECKED = 5_000
MAX_CHECKED_BYTES = 64 * 2**20
"""Limit of what is read to find broken and duplicate files: a second or two."""


@dataclass(frozen=True)
class ClassPictures:
    """Class with its number of images and some samples as data URLs."""

    name: str
    images: int
    pictures: tuple[str, ...]


@dataclass(frozen=True)
class DatasetPictures:
    """Largest classes first, at most ``MAX_CLASSES``; paths are relative to the dataset."""

    classes: tuple[ClassPictures, ...]
    num_images: int
    num_checked: int
    """Number of images read completely: all, or as many as the limit allows."""
    broken: tuple[tuple[str, str], ...]
    """File and reason."""
    repeated: tuple[tuple[str, ...], ...]
    """Files with identical bytes."""


@kept_for_version(maxsize=64)
def pictures_of_version(location: Path) -> DatasetPictures:
    """Return the inspection of a registered version."""
    return dataset_pictures(location)


def dataset_pictures(location: Path) -> DatasetPictures:
    """Inspect a folder of images. Raises ``InvalidDatasetError`` if it cannot be read."""
    tree = dataset_tree(location)
    images = [file for file in tree.files if _is_image(file.path)]
    checked = _checked(images)
    broken = tuple(
        (file.path, reason) for file in checked if (reason := _reason(tree.file(file.path)))
    )
    unreadable = {path for path, _ in broken}
    shown = _by_class(tree, [file.path for file in images if file.path not in unreadable])
    return DatasetPictures(
        tuple(_class_pictures(tree, name, paths) for name, paths in shown),
        len(images),
        len(checked),
        broken,
        _repeated(tree, checked),
    )


def sentences_of(pictures: DatasetPictures) -> list[str]:
    """Describe broken and duplicated files."""
    sentences = []
    if pictures.broken:
        named = [f"{file} ({reason})" for file, reason in pictures.broken]
        sentences.append(
            _(
                "{count:,} {count:file|files} cannot be read and will be skipped: {files}.",
                count=len(pictures.broken),
                files=_listed(named),
            )
        )
    if pictures.repeated:
        groups = [_listed(files, " = ") for files in pictures.repeated]
        sentences.append(
            _(
                "{count:,} {count:image occurs|images occur} more than once: {files}. Split Image "
                "Directory keeps copies in the same part.",
                count=len(groups),
                files=_listed(groups),
            )
        )
    if sentences and pictures.num_checked < pictures.num_images:
        sentences.append(
            _(
                "{checked:,} of {count:,} images were checked.",
                checked=pictures.num_checked,
                count=pictures.num_images,
            )
        )
    return sentences


def _listed(texts: Sequence[str], between: str = ", ") -> str:
    more = len(texts) - NAMED
    shown = between.join(texts[:NAMED])
    return _("{items} and {count:,} more", items=shown, count=more) if more > 0 else shown


@kept_for_version(maxsize=256)
def strip_of_version(location: Path) -> str:
    """Return sample images of a registered version side by side, as a data URL; may be empty."""
    from PIL import Image

    tree = dataset_tree(location)
    files = [file.path for file in tree.files if _is_image(file.path)]
    chosen = [tree.file(files[index]) for index in evenly(range(len(files)), PICTURES)]
    pictures = [small for file in chosen if (small := _small(file))]
    if not pictures:
        return ""
    strip = Image.new("RGB", (len(pictures) * (STRIP_EDGE + 2), STRIP_EDGE), "white")
    for index, picture in enumerate(pictures):
        strip.paste(picture.resize((STRIP_EDGE, STRIP_EDGE)), (index * (STRIP_EDGE + 2), 0))
    return _address(strip)


def _is_image(path: str) -> bool:
    is_named = PurePosixPath(path).suffix.lower() in EXTENSIONS
    return (is_named or other_format_of_name(path) is not None) and not is_junk(path)


def _checked(images: Sequence[ScannedFile]) -> list[ScannedFile]:
    """Return all images, or evenly spread ones, as many as can be read in time."""
    total = sum(file.num_bytes for file in images)
    share = min(1.0, MAX_CHECKED_BYTES / total if total else 1.0)
    count = min(MAX_CHECKED, max(2, int(len(images) * share)))
    return [images[index] for index in evenly(range(len(images)), count)]


def _reason(file: StoredFile) -> str | None:
    try:
        verify_image(file)
    except UnreadableImageError as error:
        return error.reason
    except (ModuleError, OSError) as error:
        return str(error)
    return None


def _by_class(tree: Tree, paths: list[str]) -> list[tuple[str, list[str]]]:
    labels = labels_of(tree)
    by_class: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        if path in labels:
            by_class[labels[path] or ""].append(path)
    return sorted(by_class.items(), key=lambda item: (-len(item[1]), item[0]))[:MAX_CLASSES]


def _class_pictures(tree: Tree, name: str, paths: list[str]) -> ClassPictures:
    chosen = [paths[index] for index in evenly(range(len(paths)), PICTURES)]
    drawn = (_picture(tree.file(path)) for path in chosen)
    return ClassPictures(name, len(paths), tuple(picture for picture in drawn if picture))


def _picture(file: StoredFile) -> str:
    picture = _small(file)
    return _address(picture) if picture else ""


def _small(file: StoredFile) -> Image.Image | None:
    try:
        return open_scaled(file, (EDGE, EDGE)).within(EDGE)
    except (ModuleError, OSError, ValueError):
        return None


def _address(picture: Image.Image) -> str:
    buffer = BytesIO()
    picture.save(buffer, "JPEG", quality=QUALITY)
    return f"data:image/jpeg;base64,{b64encode(buffer.getvalue()).decode()}"


def _repeated(tree: Tree, files: Sequence[ScannedFile]) -> tuple[tuple[str, ...], ...]:
    """Return duplicates; only files of equal size are read."""
    sizes: defaultdict[int, list[str]] = defaultdict(list)
    for file in files:
        sizes[file.num_bytes].append(file.path)
    same: defaultdict[str, list[str]] = defaultdict(list)
    for paths in sizes.values():
        for path in paths if len(paths) > 1 else ():
            same[_hash(tree.file(path))].append(path)
    return tuple(tuple(paths) for paths in same.values() if len(paths) > 1)


def _hash(file: StoredFile) -> str:
    return hash_file(file) if isinstance(file, Path) else file.sha256
