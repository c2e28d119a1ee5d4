"""What a folder or archive will give, foreseen from names alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from modules.files.archives import list_archive
from modules.files.names import class_name, is_junk, parent_of
from modules.files.parts import parts_of, to_json
from modules.files.scanning import scan
from modules.forecast import ArtifactForecast
from modules.image_loading.decoding import EXTENSIONS


def foresee(location: Path) -> ArtifactForecast:
    """Images by their extension, classes by the folders they lie in; no image is read."""
    if location.is_dir():
        tree = scan(location)
        files, notice = tree.files, tree.notice
        foreseen = foresee_names(file.path for file in files)
        num_bytes = sum(file.num_bytes for file in files)
    else:
        names = list_archive(location)
        if names is None:
            return ArtifactForecast(num_bytes=location.stat().st_size)
        foreseen = foresee_names(name.replace("\\", "/").removeprefix("./") for name in names)
        num_bytes, notice = location.stat().st_size, None
    return ArtifactForecast(
        num_images=foreseen.num_images,
        num_classes=foreseen.num_classes,
        labeled=foreseen.labeled,
        parts=foreseen.parts,
        num_bytes=num_bytes,
        notice=notice,
    )


def foresee_names(paths: Iterable[str]) -> ArtifactForecast:
    """The same of relative paths with slashes; labels stay open where a table may give them."""
    names = [path for path in paths if not is_junk(path)]
    images = [path for path in names if PurePosixPath(path).suffix.lower() in EXTENSIONS]
    folders = {parent_of(path) for path in images}
    parts = parts_of(images)
    if parts:
        num_images = sum(part.images for part in parts)
        return ArtifactForecast(num_images=num_images, parts=to_json(parts))
    if len(folders) > 1:
        depth = min(folder.count("/") for folder in folders if folder)
        classes = {folder for folder in folders if folder and folder.count("/") == depth}
        in_classes = [path for path in images if parent_of(path) in classes]
        num_classes = len({class_name(folder) for folder in classes})
        return ArtifactForecast(len(in_classes), num_classes, labeled=True, parts=())
    if any(PurePosixPath(path).suffix.lower() in (".csv", ".json") for path in names):
        return ArtifactForecast(num_images=len(images), parts=())
    one_class = folders not in (set(), {""})
    return ArtifactForecast(len(images), int(one_class), labeled=one_class, parts=())
