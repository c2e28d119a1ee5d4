"""Marker in the fingerprint of datasets that this version reads differently than earlier ones.

Results of earlier versions are reused for all other datasets.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from modules.errors import InvalidDatasetError
from modules.files.archives import archive_paths, has_new_names
from modules.files.names import folders_above
from modules.files.shards import dataset_tree
from modules.image_loading.image_formats import decoders, other_format_of_name
from modules.layouts.image_names import has_other_formats
from modules.layouts.verdict import reading_version, reading_version_of_names

_SUFFIXES = {1: "", 2: ":layout-2", 3: ":layout-3"}


@lru_cache(maxsize=256)
def reading_suffix(
    location: Path, content_hash: str, allowed_roots: tuple[Path, ...] | None = ()
) -> str:
    """Return the marker for a folder or archive with that content, or an empty text."""
    assert content_hash  # the cached answer is valid only for this content
    if location.is_dir():
        tree = dataset_tree(location, allowed_roots=allowed_roots)
        layout = _SUFFIXES[reading_version(tree)]
        return layout + (_formats_mark() if has_other_formats(tree) else "")
    try:
        paths = archive_paths(location)
    except InvalidDatasetError:
        paths = None
    if paths is None:
        return ""
    layout = _SUFFIXES[reading_version_of_names(paths, folders_above(paths))]
    has_others = any(other_format_of_name(path) is not None for path in paths)
    names_mark = ":names-2" if has_new_names(location) else ""
    return layout + (_formats_mark() if has_others else "") + names_mark


def _formats_mark() -> str:
    """Return a marker for datasets with formats that earlier versions skipped without a warning.

    It names the supported formats: their images are used once a decoder is installed.
    """
    return f":formats-2({','.join(sorted(decoders()))})"
