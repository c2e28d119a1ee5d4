"""Thousands of draws of every random operation are distributed as torchvision's are.

Two samples agree where a Kolmogorov-Smirnov test does not tell them apart, shares where they lie
within five standard deviations. All seeds are fixed: nothing here fails by chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import settings
from torchvision.transforms import v2

from modules.transforms import colour, crop_boxes, geometry, mixup, policies, random_draws, warps
from modules.transforms.mixup import draw_share

NUM = 10_000 if settings.get_current_profile_name() == "full" else 2_000
HEIGHT, WIDTH = 60, 80
IMAGE = torch.zeros(3, HEIGHT, WIDTH, dtype=torch.uint8)


@pytest.fixture
def generator() -> torch.Generator:
    torch.manual_seed(5)  # torchvision's own
    return torch.Generator().manual_seed(8)


def theirs(transform: Any) -> list[dict[str, Any]]:
    """What torchvision random_draws."""
    return [transform.make_params([IMAGE]) for _ in range(NUM)]


def assert_alike(ours: Sequence[float], others: Sequence[float]) -> None:
    from scipy import stats  # seconds that other processes need not spend

    assert stats.ks_2samp(ours, others).pvalue > 0.001


def assert_even(values: Sequence[Any], num_kinds: int) -> None:
    """Each of ``num_kinds`` values comes as often as any other."""
    assert_shares(values, dict.fromkeys(set(values), 1 / num_kinds))
    assert len(set(values)) == num_kinds


def assert_shares(values: Sequence[Any], expected: dict[Any, float]) -> None:
    counts = Counter(values)
    for value, share in expected.items():
        deviation = (share * (1 - share) / len(values)) ** 0.5
        assert abs(counts[value] / len(values) - share) <= 5 * deviation, value


def test_boxes_of_resized_crops(generator: torch.Generator) -> None:
    scale, ratio = (0.08, 1.0), (3 / 4, 4 / 3)
    numbers = torch.rand(NUM, crop_boxes.MAX_TRIES, crop_boxes.NUMBERS_PER_TRY, generator=generator)
    sizes = np.full((NUM, 2), (HEIGHT, WIDTH))
    boxes = crop_boxes.random_boxes(sizes, numbers.numpy(), scale, ratio)
    ours = [crop_boxes.CropBox(*box) for box in boxes.tolist()]
    others = theirs(v2.RandomResizedCrop(16))
    for name in ("top", "left", "height", "width"):
        assert_alike([getattr(each, name) for each in ours], [each[name] for each in others])
    assert_alike(
        [each.width / each.height for each in ours],
        [each["width"] / each["height"] for each in others],
    )


def test_boxes_of_erasing(generator: torch.Generator) -> None:
    drawn = [
        crop_boxes.box_of_random_shape(HEIGHT, WIDTH, (0.02, 0.33), (1 / 3.3, 1 / 0.3), generator)
        for _ in range(NUM)
    ]
    ours = [each for each in drawn if each]
    others = [each for each in theirs(v2.RandomErasing()) if each["h"] < HEIGHT]
    assert_alike([each.top for each in ours], [each["i"] for each in others])
    assert_alike([each.left for each in ours], [each["j"] for each in others])
    assert_alike([each.height for each in ours], [each["h"] for each in others])
    assert_alike([each.width for each in ours], [each["w"] for each in others])


def test_places_of_crops(generator: torch.Generator) -> None:
    ramp_HW = torch.arange(9 * 12, dtype=torch.uint8).reshape(9, 12)
    corners = geometry.random_crop(ramp_HW.expand(NUM, 3, 9, 12), 6, generator)[:, 0, 0, 0]
    assert_even(corners.tolist(), 4 * 7)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
@pytest.mark.parametrize(
    "operation",
    [
        geometry.random_horizontal_flip,
        geometry.random_vertical_flip,
        colour.random_grayscale,
    ],
)
def test_images_are_chosen_with_the_probability_asked_for(
    operation: Callable[..., torch.Tensor], p: float, generator: torch.Generator
) -> None:
    image_CHW = torch.tensor([[[9, 90], [30, 200]], [[0, 7], [11, 80]], [[60, 6], [5, 250]]])
    images_NCHW = image_CHW.to(torch.uint8).expand(NUM, 3, 2, 2)
    changed_N = (operation(images_NCHW, p, generator=generator) != images_NCHW).flatten(1).any(1)
    assert_shares(changed_N.tolist(), {True: p})


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_images_are_erased_and_tilted_with_the_probability_asked_for(
    p: float, generator: torch.Generator
) -> None:
    white_NCHW = torch.full((NUM, 3, 12, 12), 255, dtype=torch.uint8)
    erased_NCHW = colour.random_erasing(white_NCHW, p, (0.1, 0.2), (0.5, 2.0), (0, 0, 0), generator)
    assert_shares((erased_NCHW != 255).flatten(1).any(1).tolist(), {True: p})
    tilted_NCHW = warps.random_perspective(white_NCHW, p, 0.5, generator)
    # All four corners stay in one of 4 ** 8 tilts: too rarely to count.
    assert_shares((tilted_NCHW != 255).flatten(1).any(1).tolist(), {True: p})


def test_angles(generator: torch.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    angles: list[float] = []
    monkeypatch.setattr(warps, "rotated", lambda _, angles_N: angles.extend(angles_N.tolist()))
    warps.random_rotation(torch.zeros(NUM, 3, 2, 2), 30.0, generator)
    assert_alike(angles, [each["angle"] for each in theirs(v2.RandomRotation(30))])
    assert_alike(angles, [each["angle"] for each in theirs(v2.RandomAffine(30))])


def test_corners_of_tilts(generator: torch.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    others: list[Any] = []
    # What torchvision random_draws, before it becomes the coefficients of a tilt.
    place = "torchvision.transforms.v2._geometry._get_perspective_coeffs"
    monkeypatch.setattr(place, lambda _, corners: others.append(corners))
    theirs(v2.RandomPerspective(0.5))
    moved_N42, others_N42 = (
        warps.moved_corners(NUM, HEIGHT, WIDTH, 0.5, generator),
        torch.tensor(others),
    )
    for corner in range(4):
        for axis, num_places in enumerate((21, 16)):
            values = moved_N42[:, corner, axis].tolist()
            assert_alike(values, others_N42[:, corner, axis].tolist())
            assert_even(values, num_places)


def test_strengths_and_order_of_jitter(
    generator: torch.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("brightness", "contrast", "saturation", "hue")
    found: dict[str, list[float]] = {name: [] for name in names}
    for name in names:

        def note(images_NCHW: torch.Tensor, factors_N: torch.Tensor, name: str = name) -> Any:
            found[name] += factors_N.tolist()
            # Each image keeps which change came last.
            return torch.full_like(images_NCHW, names.index(name))

        monkeypatch.setattr(colour, f"adjust_{name}", note)
    images_NCHW = torch.zeros(NUM, 3, 1, 1, dtype=torch.uint8)
    output = colour.color_jitter(images_NCHW, 0.4, 0.3, 0.2, 0.1, generator)
    others = theirs(v2.ColorJitter(0.4, 0.3, 0.2, 0.1))
    for name in names:
        assert_alike(found[name], [each[f"{name}_factor"] for each in others])
    assert_even(output[:, 0, 0, 0].tolist(), 4)


def test_changes_and_strengths_of_policies(generator: torch.Generator) -> None:
    picked = [policies._any_change(generator) for _ in range(NUM)]
    assert_even(picked, len(v2.RandAugment._AUGMENTATION_SPACE))
    strengths = [random_draws.integer(0, policies.NUM_STRENGTHS - 1, generator) for _ in range(NUM)]
    assert_even(strengths, 31)


def test_changes_of_policies_go_as_far_as_torchvisions(
    generator: torch.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of every change: how often it comes, and by how much of its largest amount."""
    ours: list[tuple[str, float]] = []
    others: list[tuple[str, float]] = []

    def note(image_CHW: torch.Tensor, change: str, part: float, _: Any) -> torch.Tensor:
        ours.append((change.replace("_", "").replace("shift", "translate"), part))
        return image_CHW

    def note_theirs(_: Any, image: Any, name: str, magnitude: float, **__: Any) -> Any:
        others.append((name.lower(), magnitude))
        return image

    monkeypatch.setattr(policies, "apply_change", note)
    policies.trivial_augment(torch.zeros(NUM, 3, 1, 1, dtype=torch.uint8), generator)
    monkeypatch.setattr(v2.TrivialAugmentWide, "_apply_image_or_video_transform", note_theirs)
    policy, image = v2.TrivialAugmentWide(), torch.zeros(3, 1, 1, dtype=torch.uint8)
    for _ in range(NUM):
        policy(image)
    names = {name for name, _ in others}
    assert {name for name, _ in ours} == names
    for name in names - {"identity", "autocontrast", "equalize"}:
        parts = [part for found, part in ours if found == name]
        amounts = [amount for found, amount in others if found == name]
        if name == "solarize":
            amounts = [1 - amount for amount in amounts]
        elif name == "posterize":
            parts, amounts = [round(6 * part) for part in parts], [8 - each for each in amounts]
        largest = max(map(abs, amounts)) / max(map(abs, parts))
        shares = [round(amount / largest, 4) for amount in amounts]
        assert_alike([round(part, 4) for part in parts], shares)


def test_patches_of_mixtures(generator: torch.Generator) -> None:
    """Where the neighbour's box lies, and how much of the image it leaves."""
    images_NCHW = torch.stack([torch.zeros(1, 30, 40), torch.ones(1, 30, 40)])
    ours: list[tuple[float, ...]] = []
    others: list[tuple[float, ...]] = []
    mixture = v2.CutMix(alpha=1.0, num_classes=3)
    for _ in range(NUM):
        mixed, share = mixup._with_patch(images_NCHW, draw_share(1.0, generator), generator)
        params = mixture.make_params([images_NCHW])
        left, top, right, bottom = params["box"]
        if left < right and top < bottom:
            others.append((left, top, right, bottom, params["lam_adjusted"]))
        if mixed[0].any():
            rows, columns = mixed[0, 0].any(1).nonzero(), mixed[0, 0].any(0).nonzero()
            first, last = (int(columns[0]), int(rows[0])), (int(columns[-1]) + 1, int(rows[-1]) + 1)
            ours.append((*first, *last, share))
    assert abs(len(ours) - len(others)) < 5 * (NUM * 0.01 * 0.99) ** 0.5
    for place in range(5):  # left, top, right, bottom, share
        assert_alike([each[place] for each in ours], [each[place] for each in others])


@pytest.mark.parametrize("alpha", [0.2, 1.0])
def test_shares_of_mixtures(alpha: float, generator: torch.Generator) -> None:
    ours = [draw_share(alpha, generator) for _ in range(NUM)]
    mixture = v2.MixUp(alpha=alpha, num_classes=3)
    others = [float(mixture._dist.sample(())) for _ in range(NUM)]
    assert_alike(ours, others)
