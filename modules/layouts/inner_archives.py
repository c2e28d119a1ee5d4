"""Archives in a dataset without images, such as ``train.zip`` and ``test.zip`` of a competition."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from modules.artifacts import SHARDS_FILE
from modules.files.archive_kinds import READ, archive_stem, kind_of_file
from modules.files.archives import DEFAULT_LIMITS, extract_archive
from modules.image_loading.image_formats import has_image_extension

MAX_ARCHIVES = 20
"""More are shards of one dataset, whose names say nothing about its images."""


def unpack_inner_archives(folder: Path, source_bytes: int | None = None) -> list[str]:
    """Replace each archive below ``folder`` by a folder of its name; return their paths.

    Nothing is done if there are images, or if the archives are shards: with an index, many of them,
    or numbered ones, whose folders would be taken for classes. Archives in these archives remain
    packed. Raises the errors of ``extract_archive``.

    Args:
        folder: A scratch copy of a dataset; its files are removed.
        source_bytes: Size of the archive that it was unpacked from; the limit for the ratio counts
            from there. None for a copied folder.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if any(has_image_extension(path.name) or path.name == SHARDS_FILE for path in files):
        return []
    archives = [path for path in files if _is_readable(path)]
    unnumbered = {re.sub(r"\d+", "", path.name) for path in archives}
    if len(unnumbered) < len(archives) or len(archives) > MAX_ARCHIVES:
        return []
    packed_bytes = source_bytes or sum(path.stat().st_size for path in archives)
    num_bytes = min(DEFAULT_LIMITS.num_bytes, int(DEFAULT_LIMITS.ratio * packed_bytes))
    limits = replace(DEFAULT_LIMITS, num_bytes=max(num_bytes, DEFAULT_LIMITS.free_bytes))
    unpacked = []
    for archive in archives:
        target = archive.with_name(archive_stem(archive.name) or archive.name)
        if target.exists():
            continue
        done = extract_archive(archive, target, limits)
        archive.unlink()
        limits = replace(
            limits,
            num_files=limits.num_files - done.num_files,
            num_bytes=limits.num_bytes - done.num_bytes,
        )
        unpacked.append(archive.relative_to(folder).as_posix())
    return unpacked


def _is_readable(path: Path) -> bool:
    return archive_stem(path.name) is not None and kind_of_file(path) in READ
