"""A mark in the fingerprint of datasets that this version labels in another way than earlier ones.

Results of earlier versions are reused for all other datasets.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from modules.errors import InvalidDatasetError
from modules.files.archives import list_archive
from modules.files.names import folders_above
from modules.files.shards import dataset_tree
from modules.layouts.verdict import is_read_as_before, names_are_read_as_before

SUFFIX = ":layout-2"


@lru_cache(maxsize=256)
def reading_suffix(location: Path, content_hash: str) -> str:
    """Return the mark for a folder or archive with that content, or an empty text."""
    assert content_hash  # it is what makes a kept answer valid
    if location.is_dir():
        return "" if is_read_as_before(dataset_tree(location)) else SUFFIX
    try:
        names = list_archive(location)
    except InvalidDatasetError:
        names = None
    if names is None:
        return ""
    paths = [name.replace("\\", "/").removeprefix("./") for name in names]
    return "" if names_are_read_as_before(paths, folders_above(paths)) else SUFFIX
