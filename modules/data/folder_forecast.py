"""What a folder or archive will give, foreseen from names alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from modules.data.archives import list_archive
from modules.data.names import is_junk
from modules.data.scanning import scan
from modules.forecast import Foreseen
from modules.images.decode import EXTENSIONS


def foresee(location: Path) -> Foreseen:
    """Images by their extension, classes by the folders they lie in; no image is read."""
    if location.is_dir():
        files = scan(location).files
        foreseen = foresee_names(file.path for file in files)
        num_bytes = sum(file.num_bytes for file in files)
    else:
        names = list_archive(location)
        if names is None:
            return Foreseen(num_bytes=location.stat().st_size)
        foreseen = foresee_names(name.replace("\\", "/").removeprefix("./") for name in names)
        num_bytes = location.stat().st_size
    return Foreseen(
        num_images=foreseen.num_images,
        num_classes=foreseen.num_classes,
        labeled=foreseen.labeled,
        num_bytes=num_bytes,
    )


def foresee_names(paths: Iterable[str]) -> Foreseen:
    """The same of relative paths with slashes; labels stay open where a table may give them."""
    names = [path for path in paths if not is_junk(path)]
    images = [path for path in names if PurePosixPath(path).suffix.lower() in EXTENSIONS]
    folders = {str(PurePosixPath(path).parent) for path in images}
    if len(folders) > 1:
        depth = min(folder.count("/") for folder in folders if folder != ".")
        classes = [folder for folder in folders if folder != "." and folder.count("/") == depth]
        in_classes = [path for path in images if str(PurePosixPath(path).parent) in classes]
        return Foreseen(num_images=len(in_classes), num_classes=len(classes), labeled=True)
    if any(PurePosixPath(path).suffix.lower() in (".csv", ".json") for path in names):
        return Foreseen(num_images=len(images))
    return Foreseen(num_images=len(images), num_classes=0, labeled=False)
