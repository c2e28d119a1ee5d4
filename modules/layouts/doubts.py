"""Reasons to doubt a dataset: it has no images at all."""

from __future__ import annotations

from collections.abc import Collection
from posixpath import basename

from modules.files.archive_kinds import archive_stem
from modules.files.names import printable
from modules.sentences import layouts as say
from modules.sentences.sentence import Statement

_MAX_EXAMPLES = 3


def no_images(paths: Collection[str]) -> Statement:
    """Return what a dataset without images contains instead; archives in it can be unpacked."""
    if not paths:
        return say.NO_FILES_FOUND.about({})
    archives = [path for path in paths if archive_stem(basename(path)) is not None]
    names = [printable(path) for path in sorted(archives or paths)[:_MAX_EXAMPLES]]
    if archives:
        return say.ARCHIVES_INSIDE.about({"archives": len(archives), "names": names})
    return say.NO_IMAGES_FOUND.about({"files": len(paths), "names": names})
