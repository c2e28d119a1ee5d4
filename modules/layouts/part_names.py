"""Names of folders and tables that denote parts of a dataset: ``train``, ``test1``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from modules.files.names import word_list

Part = Literal["whole", "train", "validation", "test"]
WHOLE: Part = "whole"
PART_ORDER: tuple[Part, ...] = ("train", "validation", "test")
_PARTS: Mapping[str, Part] = {
    "train": "train",
    "training": "train",
    "trainset": "train",
    "trainval": "train",
    "val": "validation",
    "valid": "validation",
    "validation": "validation",
    "valset": "validation",
    "dev": "validation",
    "eval": "validation",
    "test": "test",
    "tests": "test",
    "testing": "test",
    "testset": "test",
    "holdout": "test",
}
_CONTAINERS = frozenset(
    word_list(
        "set data dataset split images image imgs img pictures picture pics photos photo "
        "files jpg jpeg jpegs png jpegimages folder resized"
    )
)


class PartName(NamedTuple):
    """The part of a name, and the other words of the name, ``seg`` of ``seg_train``."""

    part: Part
    other_words: frozenset[str]


def part_name(name: str) -> PartName | None:
    """Return the part that a folder's name denotes, or None.

    Digits are ignored (``test1``), as are words such as ``images`` (``train_images``).
    """
    words = _words(name)
    parts = {_PARTS[word] for word in words if word in _PARTS}
    if len(parts) != 1:
        return None
    others = frozenset(words).difference(_PARTS, _CONTAINERS)
    return PartName(parts.pop(), others)


def is_container_name(name: str) -> bool:
    """Return True for a generic folder name: ``images``, ``train``."""
    words = set(_words(name))
    return bool(words) and words <= _CONTAINERS | _PARTS.keys()


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case: ``train``, ``labels`` of ``trainLabels2``."""
    humps = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)
    return re.findall(r"[^\W\d_]+", humps.casefold())
