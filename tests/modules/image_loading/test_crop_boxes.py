"""Boxes of random resized crops, drawn for many images at once."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torchvision.transforms import RandomResizedCrop

from modules.image_loading import gpu_resize
from modules.transforms.crop_boxes import random_boxes, random_numbers

SCALE, RATIO = (0.08, 1.0), (3 / 4, 4 / 3)


def test_boxes_are_spread_as_those_of_torchvision() -> None:
    height, width, num = 375, 500, 2000
    sizes = np.tile([[height, width]], (num, 1))
    ours = random_boxes(sizes, random_numbers(7, range(num)), SCALE, RATIO)
    assert (ours[:, :2] >= 0).all()
    assert (ours[:, :2] + ours[:, 2:] <= [height, width]).all()
    torch.manual_seed(0)
    image = torch.empty(1, height, width)
    theirs = [RandomResizedCrop.get_params(image, [*SCALE], [*RATIO]) for _ in range(num)]
    expected = np.array(theirs, dtype=float)
    error = expected.std(axis=0) / num**0.5
    assert (np.abs(ours.mean(axis=0) - expected.mean(axis=0)) < 6 * error).all()
    assert ours.std(axis=0) == pytest.approx(expected.std(axis=0), rel=0.1)


def test_a_box_depends_on_the_seed_and_the_image_alone() -> None:
    numbers = random_numbers(3, range(100))
    assert np.array_equal(random_numbers(3, [42, 7]), numbers[[42, 7]])
    assert not np.isclose(random_numbers(4, range(100)), numbers).all(axis=(1, 2)).any()
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert random_numbers(2**63 - 1, [2**31]).shape == (1, 10, 4)


@pytest.mark.parametrize("size", [(10, 500), (500, 10), (1, 1)])
def test_where_no_box_fits_it_is_the_largest_of_the_middle(size: tuple[int, int]) -> None:
    boxes = random_boxes(np.array([size]), random_numbers(1, [0]), (0.95, 1.0), RATIO)
    [(top, left, height, width)] = boxes.tolist()
    assert min(height, width) == min(size)
    assert (top, left) == ((size[0] - height) // 2, (size[1] - width) // 2)


def test_many_boxes_are_resized_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = torch.Generator().manual_seed(0)
    images = [
        torch.randint(0, 256, (3, 40, 60 + n), dtype=torch.uint8, generator=chance)
        for n in range(5)
    ]
    boxes = np.array([[n, 2 * n, 30 - n, 50 + n] for n in range(5)])
    at_once = gpu_resize.resized_boxes(images, boxes, 16)
    monkeypatch.setattr(gpu_resize, "MOST_PIXELS", 2 * 30 * 54)
    assert gpu_resize.resized_boxes(images, boxes, 16).equal(at_once)
    assert at_once.shape == (5, 16, 16, 3)
