"""Files that are meant as images, before they are decoded."""

from __future__ import annotations

from pathlib import Path

from modules.files.scanning import Tree
from modules.files.shard_member import StoredFile
from modules.image_loading.decoding import EXTENSIONS, SIGNATURE_BYTES, has_image_signature


def looks_like_image(tree: Tree, path: str) -> bool:
    """Return True where the extension says so, or else the first bytes."""
    if Path(path).suffix.lower() in EXTENSIONS:
        return True
    try:
        return has_image_signature(_start(tree.file(path)))
    except OSError:
        return False


def _start(file: StoredFile) -> bytes:
    if not isinstance(file, Path):
        return file.read_bytes()[:SIGNATURE_BYTES]
    with file.open("rb") as opened:
        return opened.read(SIGNATURE_BYTES)
