"""Operations without chance: selection, prefix, sizes, and pixels as torchvision makes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from modules.errors import InvalidTransformationDirectoryError
from modules.transforms.operations import (
    DETERMINISTIC,
    FOR_INFERENCE,
    FOR_TRAINING,
    apply_prefix,
    common_output_size,
    draft_size,
    output_size,
    select,
    split_prefix,
)

EDGES = st.integers(1, 90)
DETERMINISTIC_OPERATIONS = st.one_of(
    st.builds(lambda size: {"operation": "resize", "size": size}, EDGES),
    st.builds(lambda size: {"operation": "center_crop", "size": size}, EDGES),
    st.builds(lambda padding: {"operation": "pad", "padding": padding}, st.integers(0, 9)),
    st.just({"operation": "grayscale"}),
)
OPERATIONS = st.one_of(
    DETERMINISTIC_OPERATIONS,
    st.builds(lambda size: {"operation": "random_crop", "size": size}, EDGES),
    st.just({"operation": "random_horizontal_flip", "p": 0.5}),
)


def picture(width: int, height: int, seed: int = 0) -> Image.Image:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(pixels)


@given(st.lists(OPERATIONS, max_size=6))
def test_the_prefix_is_the_longest_beginning_without_chance(
    operations: list[dict[str, Any]],
) -> None:
    prefix, rest = split_prefix(operations)

    assert [*prefix, *rest] == operations
    assert all(each["operation"] in DETERMINISTIC for each in prefix)
    assert not rest or rest[0]["operation"] not in DETERMINISTIC


@given(st.lists(OPERATIONS, max_size=6))
def test_inference_keeps_what_has_no_chance_in_order(operations: list[dict[str, Any]]) -> None:
    kept = select(operations, FOR_INFERENCE)

    assert list(kept) == [each for each in operations if each["operation"] in DETERMINISTIC]
    assert select(operations, FOR_TRAINING) == tuple(operations)


def test_an_unknown_operation_is_refused() -> None:
    with pytest.raises(InvalidTransformationDirectoryError, match="sharpen"):
        select([{"operation": "sharpen"}], FOR_TRAINING)


@given(st.lists(DETERMINISTIC_OPERATIONS, max_size=4), EDGES, EDGES)
def test_output_size_is_the_size_of_the_pixels(
    prefix: list[dict[str, Any]], height: int, width: int
) -> None:
    # The aspect ratio grows without bound when thin images are resized: keep them small.
    if max(height, width) > 8 * min(height, width):
        return
    image = apply_prefix(Image.new("RGB", (width, height)), prefix)

    assert (image.height, image.width) == output_size(prefix, height, width)


def test_a_crop_makes_every_size_equal_and_a_resize_does_not() -> None:
    resize, crop = {"operation": "resize", "size": 64}, {"operation": "center_crop", "size": 48}

    assert common_output_size([resize]) is None
    assert common_output_size([resize, crop]) == (48, 48)


def test_a_scaled_decode_keeps_twice_the_resize_target() -> None:
    resize = {"operation": "resize", "size": 64}

    assert draft_size([resize], 4000, 3000) == (2 * 85, 2 * 64)
    assert draft_size([resize], 150, 100) is None
    assert draft_size([{"operation": "center_crop", "size": 64}, resize], 4000, 3000) is None


@pytest.mark.parametrize(("width", "height"), [(50, 37), (37, 50), (41, 41), (9, 60)])
@pytest.mark.parametrize("size", [24, 33, 61])
def test_resize_and_crop_give_torchvisions_pixels(width: int, height: int, size: int) -> None:
    from torchvision.transforms import v2

    image = picture(width, height)
    theirs = v2.Compose([v2.Resize(size), v2.CenterCrop(31), v2.Pad(2), v2.Grayscale(3)])(image)
    ours = apply_prefix(
        image,
        [
            {"operation": "resize", "size": size},
            {"operation": "center_crop", "size": 31},
            {"operation": "pad", "padding": 2},
            {"operation": "grayscale"},
        ],
    )

    assert np.array_equal(np.asarray(ours), np.asarray(theirs))


@pytest.mark.parametrize("size", [5, 8, 20, 33])
@pytest.mark.parametrize(("width", "height"), [(12, 17), (40, 8), (7, 7)])
def test_a_center_crop_larger_than_the_image_adds_black_like_torchvision(
    width: int, height: int, size: int
) -> None:
    from torchvision.transforms import v2

    image = picture(width, height)
    ours = apply_prefix(image, [{"operation": "center_crop", "size": size}])

    assert np.array_equal(np.asarray(ours), np.asarray(v2.CenterCrop(size)(image)))
