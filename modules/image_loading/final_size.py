"""The common size of images after their transformation, or the error if sizes differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from modules.artifacts import ImageDirectory
from modules.errors import InvalidDatasetError, evidence
from modules.image_loading.sizes import Size
from modules.parameters import ParameterValues
from modules.sentences import image_loading as say
from modules.sentences.sentence import Sentence
from modules.transforms.operations import Operations, common_output_size, output_size

LEAST_EDGE, MOST_EDGE = 32, 224
"""Limits in pixels of the size that the fix sets by default."""


def final_size(
    dataset: ImageDirectory, operations: Operations, port: str, attached: Operations = ()
) -> Size:
    """Return height and width of every image after all ``operations``.

    Raises ``InvalidDatasetError`` if they differ, as images of one batch need one size. Its fix
    depends on ``attached``, the original operations, including random ones.
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
        edge = _edge(sizes, attached)
        facts = {
            "count": len(sizes),
            "sizes": [f"{width} x {height}" for height, width in sizes],
            "edge": edge,
        }
        raise InvalidDatasetError(
            _refusal(attached).about(facts),
            port=port,
            remedy={"set": _settings(edge)} if attached else _inserted(edge),
            details=evidence("sizes", "Sizes found", _counted_sizes(dataset, operations)),
        )
    return int(sizes[0][0]), int(sizes[0][1])


def _edge(sizes: Sequence[tuple[int, ...]], attached: Operations) -> int:
    """Return the edge of the square to crop: that of a random crop, else that of the images."""
    trained = common_output_size(attached)
    if trained is not None and trained[0] == trained[1]:
        return trained[0]
    shortest = min(min(size) for size in sizes)
    if any(operation["operation"] == "resize" for operation in attached):
        return shortest
    return max(LEAST_EDGE, min(MOST_EDGE, shortest))


def _settings(edge: int) -> ParameterValues:
    return {"resize": True, "size": edge, "center_crop": True, "crop_size": edge}


def _inserted(edge: int) -> Mapping[str, object]:
    init, apply = "init_image_transformation", "apply_image_transformation"
    return {"insert": [init, apply], "parameters": {init: _settings(edge)}}


def _refusal(attached: Operations) -> Sentence:
    """Return the message with a fix; it is longer if Resize and Center crop are both off."""
    if not attached:
        return say.SIZES_DIFFER
    if any(
        operation["operation"] in ("random_resized_crop", "random_crop") for operation in attached
    ):
        return say.SIZES_DIFFER_RANDOMLY_CROPPED
    return say.SIZES_DIFFER_UNCROPPED


def _counted_sizes(dataset: ImageDirectory, operations: Operations) -> list[tuple[str, str]]:
    """Return width and height with the number of images of each size, the most frequent first."""
    counts: Counter[Size] = Counter()
    pairs = zip(dataset.images["height"], dataset.images["width"], strict=True)
    for (height, width), count in Counter(pairs).items():
        behind = output_size(operations, int(height), int(width))
        counts[int(behind[0]), int(behind[1])] += count
    return [(f"{w} x {h}", f"{count:,} images") for (h, w), count in counts.most_common()]
