"""Reasons to doubt that folders are classes: no images at all, or masks among the images."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import permutations
from posixpath import basename, splitext

from modules.files.archive_kinds import archive_stem
from modules.files.names import parent_of, printable, word_list
from modules.layouts.part_names import is_container_name
from modules.sentences import layouts as say
from modules.sentences.sentence import Statement

_MAX_EXAMPLES = 3
_SAME_SHARE = 0.9
"""Share of masks that have the name of an image; a few may lack one."""
_MIN_MASKS_SHARE = 0.1
"""Share of images with a name such as ``7_mask.png`` above which this is not by chance."""
_MASK_SUFFIX = re.compile(r"[-_ ]?(mask|gt|seg|segmentation)(_\d+)?$")
_MASK_WORDS = frozenset(
    word_list(
        "mask masks label labels annotation annotations segmentation segmentations truth ground "
        "groundtruth gt matte mattes trimap trimaps"
    )
)


def no_images(paths: Collection[str]) -> Statement:
    """Return what a dataset without images contains instead; archives in it can be unpacked."""
    if not paths:
        return say.NO_FILES_FOUND.about({})
    archives = [path for path in paths if archive_stem(basename(path)) is not None]
    names = [printable(path) for path in sorted(archives or paths)[:_MAX_EXAMPLES]]
    if archives:
        return say.ONLY_ARCHIVES.about({"archives": len(archives), "names": names})
    return say.NO_IMAGES_FOUND.about({"files": len(paths), "names": names})


def masks_as_class(folders: Collection[str], images: Collection[str]) -> Iterator[Statement]:
    """Warn of ``masks`` next to ``images`` if the files of both have the same names.

    Only a generic name such as ``images`` next to it counts: ``mask`` next to ``no_mask`` are
    classes of a known dataset, and their images may be numbered alike.
    """
    if len(folders) != 2:
        return
    for masks, beside in permutations(folders):
        if not _has_mask_name(basename(masks)) or not is_container_name(basename(beside)):
            continue
        stems = {folder: _stems(folder, images) for folder in (masks, beside)}
        same = stems[masks] & stems[beside]
        if same and len(same) >= _SAME_SHARE * len(stems[masks]):
            facts = {"images": printable(beside), "masks": printable(masks)}
            yield say.MASKS_ARE_A_CLASS.about(facts)


def masks_among_images(images: Collection[str]) -> Iterator[Statement]:
    """Warn if a part of the images are masks of others: ``7_mask.png`` next to ``7.png``."""
    stems = {splitext(path)[0].casefold() for path in images}
    masks = [path for path in images if _image_of(path) in stems]
    if len(masks) > max(1, _MIN_MASKS_SHARE * len(images)):
        facts = {"count": len(masks), "names": sorted(map(printable, masks))[:_MAX_EXAMPLES]}
        yield say.MASKS_AMONG_IMAGES.about(facts)


def _image_of(path: str) -> str | None:
    """Return the name of the image of which a file is the mask, without its ending."""
    stem = splitext(path)[0].casefold()
    start = _MASK_SUFFIX.sub("", stem)
    return None if start == stem else start


def _has_mask_name(name: str) -> bool:
    words = set(re.findall(r"[^\W\d_]+", name.casefold()))
    return bool(words) and words <= _MASK_WORDS


def _stems(folder: str, images: Collection[str]) -> set[str]:
    """Return the names of the images in a folder: ``7`` of ``7.png`` and of ``7_mask.png``."""
    stems = (splitext(basename(path))[0] for path in images if parent_of(path) == folder)
    return {re.sub(r"[-_ ]?(mask|label|gt|seg)$", "", stem.casefold()) for stem in stems}
