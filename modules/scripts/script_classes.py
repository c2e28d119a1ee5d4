"""Classes of the images that a script returned, possibly with new labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory
from modules.context import Context
from modules.sentences import own_python as say

if TYPE_CHECKING:
    import pandas as pd

MISSING_NAMES = frozenset({"nan", "none", "<na>", "nat", "null"})
"""Texts that programs write for a missing value, in lower case."""


def classes_of(rows: pd.DataFrame, known: Sequence[ImageDirectory]) -> list[str]:
    """Return the previous classes in their order, then new ones.

    A class without images stays if the script only removed its images, as in a sample. It is
    dropped if its images have other labels now, as a model would have an unused output.
    """
    labels = dict.fromkeys(rows["label"].dropna())
    former = dict.fromkeys(name for images in known for name in images.classes)
    gone = _relabelled(rows, known) - labels.keys()
    made = sorted(labels.keys() - former.keys())
    return [*(name for name in former if name not in gone), *made]


def warn_of_missing_names(
    images: ImageDirectory, inputs: Mapping[str, Any], context: Context
) -> None:
    """Warn of classes that are probably missing labels as text, unless they were in the input."""
    former = {
        name
        for port in ("images1", "images2")
        if inputs[port] is not None
        for name in inputs[port].classes
    }
    counts = Counter(images.labels)
    for name in images.classes:
        if name.casefold() in MISSING_NAMES and name not in former:
            context.warn(say.LABELS_CALLED_MISSING, count=counts[name], label=name)


def _relabelled(rows: pd.DataFrame, known: Sequence[ImageDirectory]) -> set[str]:
    """Return former labels of images that have another one now."""
    before: dict[tuple[str, str], str | None] = {}
    for images in known:
        table = ImageDirectory(images.path).derived_rows()  # as before the script
        before |= dict(_places_and_labels(table))
    after = _places_and_labels(rows)
    return {former for place, label in after if (former := before.get(place)) and former != label}


def _places_and_labels(rows: pd.DataFrame) -> Iterator[tuple[tuple[str, str], str | None]]:
    """Return the location of each image's file, and its label; None if it is missing."""
    known = rows["label"].notna()
    columns = zip(rows["source"], rows["path"], rows["label"], known, strict=True)
    for source, path, label, has in columns:
        yield (source, path), label if has else None
