"""Recognition of image files before they are decoded."""

from __future__ import annotations

from pathlib import Path
from posixpath import splitext

from modules.files.scanning import Tree
from modules.image_loading.image_formats import (
    EXTENSIONS,
    SIGNATURE_BYTES,
    is_known_image,
    other_format,
    other_format_of_name,
)


def looks_like_image(tree: Tree, path: str) -> bool:
    """Return True if the extension, or else the first bytes, are those of an image.

    Images in unsupported formats count as well, as the meaning of a folder must not depend on the
    installed decoders.
    """
    if splitext(path)[1].lower() in EXTENSIONS or other_format_of_name(path) is not None:
        return True
    return is_known_image(_start(tree, path))


def has_other_formats(tree: Tree) -> bool:
    """Return True if any file is an image in a format that is not supported everywhere."""
    return any(_has_other_format(tree, file.path) for file in tree.files)


def _has_other_format(tree: Tree, path: str) -> bool:
    if splitext(path)[1].lower() in EXTENSIONS:
        return False
    return other_format(_start(tree, path), path) is not None


def _start(tree: Tree, path: str) -> bytes:
    """Return the first bytes of a file; empty if it cannot be read."""
    try:
        file = tree.file(path)
        if not isinstance(file, Path):
            return file.read_bytes()[:SIGNATURE_BYTES]
        with file.open("rb") as opened:
            return opened.read(SIGNATURE_BYTES)
    except OSError:
        return b""
