"""Labels in the names of files: ``cat.0.jpg``, ``cat_001.jpg``, ``dog (3).png``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from posixpath import basename, splitext

from modules.files.names import class_name, word_list
from modules.layouts.part_names import is_container_name

_SEPARATORS = " \t._-()#"
_DIGITS = "0123456789"
_FROM_CAMERAS = frozenset(
    word_list(
        "img dsc dscn dscf pxl mvimg vid mov frame screenshot scan sample file untitled page "
        "snap whatsapp cam camera capture item object data photo pic p cimg sam gopr dji imag "
        "pano burst"
    )
)
_MIN_IMAGES_PER_LABEL = 2
_MIN_SHARE = 0.95
_SAMPLED_NAMES, _MIN_SAMPLED_SHARE = 400, 0.8
"""Return the label in the name of a file; None for a name without words and number."""


def label_in_name(path: str) -> str | None:
    """Return the label in the name of a file, None for a name without words and number."""
    stem = splitext(basename(path))[0].strip(_SEPARATORS)
    label = stem.rstrip(_DIGITS)
    if label == stem:  # 001_cat
        label = stem.lstrip(_DIGITS)
        if label == stem or label[:1] not in _SEPARATORS:
            return None
    label = class_name(label.strip(_SEPARATORS))
    return label if any(map(str.isalpha, label)) else None


def labels_in_names(paths: Sequence[str]) -> dict[str, str]:
    """Return labels by path if nearly all file names have one; else an empty mapping.

    Names of cameras and programs (``IMG_1234``, ``frame_7``) are not labels.
    """
    sample = paths[:: max(1, len(paths) // _SAMPLED_NAMES)]
    if sum(label_in_name(path) is not None for path in sample) < _MIN_SAMPLED_SHARE * len(sample):
        return {}
    labels = {path: label for path in paths if (label := label_in_name(path))}
    counts = Counter(labels.values())
    is_likely = (
        len(labels) >= _MIN_SHARE * len(paths)
        and len(counts) > 1
        and len(labels) >= _MIN_IMAGES_PER_LABEL * len(counts)
        and not any(map(_says_nothing, counts))
    )
    return labels if is_likely else {}


def _says_nothing(label: str) -> bool:
    words = re.findall(r"[^\W\d_]+", label.casefold())
    return is_container_name(label) or (bool(words) and set(words) <= _FROM_CAMERAS)
