"""The one size that images have behind their transformation, or what to do about several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from modules.artifacts import ImageDirectory
from modules.errors import InvalidDatasetError, evidence, examples
from modules.image_loading.sizes import Size
from modules.transforms.operations import Operations, common_output_size, output_size

LEAST_EDGE, MOST_EDGE = 32, 224
"""Pixels that a cure sets where nothing says more."""


def final_size(
    dataset: ImageDirectory, operations: Operations, port: str, attached: Operations = ()
) -> Size:
    """Height and width of every image behind all ``operations``.

    Raises ``InvalidDatasetError`` where they differ: images of one batch need one size. Its cure
    depends on ``attached``, the operations they were taken from, those with chance included.
    """
    rows = dataset.images
    distinct = rows[["height", "width"]].drop_duplicates()
    sizes = sorted(
        {
            tuple(output_size(operations, int(height), int(width)))
            for height, width in distinct.itertuples(index=False)
        }
    )
    if len(sizes) != 1:
        found = examples(f"{width} x {height}" for height, width in sizes)
        edge = _edge(sizes, attached)
        cure, remedy = _switched_on(edge, attached) if attached else _inserted(edge)
        raise InvalidDatasetError(
            f"The images have {len(sizes):,} different sizes after their transformation: {found}.",
            cure=cure,
            port=port,
            remedy=remedy,
            details=evidence("sizes", "Sizes found", _counted_sizes(dataset, operations)),
        )
    return int(sizes[0][0]), int(sizes[0][1])


def _edge(sizes: Sequence[tuple[int, ...]], attached: Operations) -> int:
    """The edge of the square to cut: that of a random crop, else of what is there already."""
    trained = common_output_size(attached)
    if trained is not None and trained[0] == trained[1]:
        return trained[0]
    shortest = min(min(size) for size in sizes)
    if any(each["operation"] == "resize" for each in attached):
        return shortest
    return max(LEAST_EDGE, min(MOST_EDGE, shortest))


def _settings(edge: int) -> dict[str, Any]:
    return {"resize": True, "size": edge, "center_crop": True, "crop_size": edge}


def _inserted(edge: int) -> tuple[str, dict[str, Any]]:
    init, apply = "init_image_transformation", "apply_image_transformation"
    return (
        "Add Init and Apply Image Transformation with Resize and Center crop.",
        {"insert": [init, apply], "parameters": {init: _settings(edge)}},
    )


def _switched_on(edge: int, attached: Operations) -> tuple[str, dict[str, Any]]:
    """The cure where an Init Image Transformation is there, with the two of them off."""
    cure = (
        "Switch on Resize and Center crop in their Init Image Transformation, both with "
        f"{edge} pixels."
    )
    if any(each["operation"] in ("random_resized_crop", "random_crop") for each in attached):
        cure = (
            f"Random crops are for training only. {cure} Training then cuts from that square; to "
            "cut from whole images, give the others an Init Image Transformation of their own."
        )
    return cure, {"set": _settings(edge)}


def _counted_sizes(dataset: ImageDirectory, operations: Operations) -> list[tuple[str, str]]:
    """Width and height with how many images have them, the most frequent first."""
    counts: Counter[Size] = Counter()
    pairs = zip(dataset.images["height"], dataset.images["width"], strict=True)
    for (height, width), count in Counter(pairs).items():
        behind = output_size(operations, int(height), int(width))
        counts[int(behind[0]), int(behind[1])] += count
    return [(f"{w} x {h}", f"{count:,} images") for (h, w), count in counts.most_common()]
