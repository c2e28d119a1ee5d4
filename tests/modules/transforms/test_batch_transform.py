"""Random operations on batches: torchvision's arithmetic, its distributions, determinism."""

from __future__ import annotations

import inspect
import math
from typing import Any

import pytest
import torch
from torchvision.transforms import v2
from torchvision.transforms.v2 import functional

from modules.transforms import colour, geometry, policies, warps
from modules.transforms.batch_transform import BatchTransformation
from modules.transforms.operations import RANDOM

NUM = 300
RANDOM_OPERATIONS: list[dict[str, Any]] = [
    {
        "operation": "color_jitter",
        "brightness": 0.4,
        "contrast": 0.4,
        "saturation": 0.4,
        "hue": 0.1,
    },
    {"operation": "random_resized_crop", "size": 20, "scale": [0.08, 1], "ratio": [0.75, 4 / 3]},
    {"operation": "random_crop", "size": 20},
    {"operation": "random_horizontal_flip", "p": 0.5},
    {"operation": "random_vertical_flip", "p": 0.5},
    {"operation": "random_rotation", "degrees": 30},
    {"operation": "random_affine", "degrees": 30},
    {"operation": "random_grayscale", "p": 0.5},
    {"operation": "random_perspective", "p": 0.5, "distortion_scale": 0.5},
    {"operation": "rand_augment", "num_ops": 2, "magnitude": 9},
    {"operation": "trivial_augment"},
    {"operation": "random_erasing", "p": 0.5, "scale": [0.02, 0.33], "ratio": [0.3, 3.3]},
]


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def noise(num: int, height: int, width: int, seed: int = 7) -> torch.Tensor:
    return torch.randint(0, 256, (num, height, width, 3), dtype=torch.uint8, generator=seeded(seed))


def test_every_random_operation_is_tried_here() -> None:
    assert {each["operation"] for each in RANDOM_OPERATIONS} | {"mixup", "cutmix"} == RANDOM


@pytest.mark.parametrize("operation", RANDOM_OPERATIONS, ids=lambda each: str(each["operation"]))
def test_the_same_generator_gives_the_same_images_and_nothing_else_is_touched(
    operation: dict[str, Any],
) -> None:
    images_NHWC = noise(16, 24, 28)
    before = images_NHWC.clone()
    state = torch.get_rng_state()
    transform = BatchTransformation([operation])

    first, again = transform(images_NHWC, seeded()), transform(images_NHWC, seeded())
    other = transform(images_NHWC, seeded(1))

    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert torch.equal(images_NHWC, before)
    assert torch.equal(torch.get_rng_state(), state)
    assert first.dtype == torch.uint8
    assert first.is_contiguous()
    assert first.data_ptr() != images_NHWC.data_ptr()


def test_images_of_unequal_size_are_joined_once_an_operation_makes_them_equal() -> None:
    images = [noise(1, 30, 20)[0], noise(1, 20, 44)[0], noise(1, 25, 25)[0]]
    crop = {"operation": "random_resized_crop", "size": 16, "scale": [0.5, 1], "ratio": [1, 1]}
    flip = {"operation": "random_horizontal_flip", "p": 0.5}

    assert BatchTransformation([flip, crop])(images, seeded()).shape == (3, 16, 16, 3)
    with pytest.raises(ValueError, match="different sizes"):
        BatchTransformation([flip])(images, seeded())


def test_without_operations_a_copy_comes_back() -> None:
    images_NHWC = noise(2, 8, 8)
    output = BatchTransformation([])(images_NHWC, seeded())

    assert torch.equal(output, images_NHWC)
    assert output.data_ptr() != images_NHWC.data_ptr()


def test_deterministic_operations_behind_random_ones_are_torchvisions() -> None:
    images_NHWC = noise(3, 30, 40)
    images_NCHW = images_NHWC.permute(0, 3, 1, 2)
    operations: list[dict[str, Any]] = [
        {"operation": "resize", "size": 20},
        {"operation": "center_crop", "size": 17},
        {"operation": "pad", "padding": 2},
        {"operation": "grayscale"},
    ]
    theirs = v2.Compose([v2.Resize(20), v2.CenterCrop(17), v2.Pad(2), v2.Grayscale(3)])
    ours_NHWC = BatchTransformation(operations)(images_NHWC, seeded())

    difference = ours_NHWC.int() - theirs(images_NCHW).permute(0, 2, 3, 1).int()
    assert difference.abs().max() <= 1


@pytest.mark.parametrize(
    ("change", "theirs"),
    [
        (colour.adjust_brightness, functional.adjust_brightness),
        (colour.adjust_contrast, functional.adjust_contrast),
        (colour.adjust_saturation, functional.adjust_saturation),
    ],
)
def test_colour_changes_are_torchvisions(change: Any, theirs: Any) -> None:
    images_NCHW = noise(5, 12, 12).permute(0, 3, 1, 2)
    factors_N = torch.tensor([0.3, 0.8, 1.0, 1.2, 1.9])
    ours = change(images_NCHW, factors_N)
    expected = torch.stack(
        [theirs(image, float(factor)) for image, factor in zip(images_NCHW, factors_N, strict=True)]
    )

    assert (ours.int() - expected.int()).abs().max() <= 1


def test_hue_is_torchvisions() -> None:
    images_NCHW = noise(5, 16, 16).permute(0, 3, 1, 2).clone()
    images_NCHW[0, :, :4] = 77  # grey has no hue
    shifts_N = torch.tensor([-0.5, -0.1, 0.0, 0.07, 0.4])
    ours = colour.adjust_hue(images_NCHW, shifts_N)
    expected = torch.stack(
        [
            functional.adjust_hue(image, float(shift))
            for image, shift in zip(images_NCHW, shifts_N, strict=True)
        ]
    )

    assert (ours.int() - expected.int()).abs().max() <= 1


def test_jitter_without_strength_leaves_images_as_they_are() -> None:
    images_NCHW = noise(4, 9, 9).permute(0, 3, 1, 2)
    output = colour.color_jitter(images_NCHW, 0, 0, 0, 0, seeded())

    assert (output.int() - images_NCHW.int()).abs().max() <= 1


@pytest.mark.parametrize("p", [0.0, 0.2, 1.0])
def test_flips_come_as_often_as_asked_for(p: float) -> None:
    images_NCHW = noise(NUM, 4, 4).permute(0, 3, 1, 2)
    flipped = geometry.random_horizontal_flip(images_NCHW, p, seeded())
    is_flipped = (flipped == images_NCHW.flip(3)).flatten(1).all(1)
    is_same = (flipped == images_NCHW).flatten(1).all(1)

    assert bool((is_flipped ^ is_same).all())
    assert is_flipped.float().mean().item() == pytest.approx(p, abs=0.07)


def test_random_crops_are_parts_of_the_image_from_all_over_it() -> None:
    height, width, size = 9, 12, 6
    ramp_HW = torch.arange(height * width, dtype=torch.uint8).reshape(height, width)
    images_NCHW = ramp_HW.expand(NUM, 3, height, width)
    corners = geometry.random_crop(images_NCHW, size, seeded())[:, 0, 0, 0].tolist()
    expected = {y * width + x for y in range(height - size + 1) for x in range(width - size + 1)}

    assert set(corners) == expected


def test_a_random_crop_larger_than_the_image_is_padded_with_black() -> None:
    cropped = geometry.random_crop(torch.full((4, 3, 5, 5), 9, dtype=torch.uint8), 8, seeded())

    assert cropped.shape == (4, 3, 8, 8)
    assert cropped.sum(dim=(1, 2, 3)).tolist() == [9 * 3 * 25] * 4


def test_an_image_too_thin_for_any_ratio_is_cropped_in_the_middle() -> None:
    thin = torch.zeros(2, 3, 100, 2, dtype=torch.uint8)

    cropped = geometry.random_resized_crop(thin, 8, (0.9, 1), (0.75, 4 / 3), seeded())
    assert cropped.shape == (2, 3, 8, 8)


@pytest.mark.parametrize(("height", "width"), [(24, 24), (20, 35), (33, 16)])
def test_rotation_is_torchvisions(height: int, width: int) -> None:
    angles_N = torch.tensor([-170.0, -20.0, 0.0, 7.5, 88.0])
    images_NCHW = noise(5, height, width).permute(0, 3, 1, 2)
    ours = warps.rotated(images_NCHW, angles_N)
    theirs = torch.stack(
        [functional.rotate(each, float(n)) for each, n in zip(images_NCHW, angles_N, strict=True)]
    )

    assert torch.equal(ours[2], images_NCHW[2])
    # Where a source lies between two pixels, the last bit decides which of them is the nearest.
    assert (ours != theirs).float().mean() < 0.02


def vignettes(num: int, height: int, width: int) -> torch.Tensor:
    """Pictures (N, 3, H, W) that are black at the edge and grow brighter by less than 2 a pixel.

    Whichever of two pixels the last bit of a place chooses, the picture is the same within 2.
    """
    y_H1 = torch.sin((torch.arange(height) + 0.5) / height * torch.pi)[:, None]
    x_W = torch.sin((torch.arange(width) + 0.5) / width * torch.pi)
    brightest_N3 = torch.rand(num, 3, generator=seeded()) * 55 + 200
    return (brightest_N3[:, :, None, None] * y_H1 * x_W).round().to(torch.uint8)


def assert_same_picture(ours: torch.Tensor, theirs: torch.Tensor) -> None:
    assert (ours.int() - theirs.int()).abs().max() <= 2


def test_rotated_pictures_are_torchvisions() -> None:
    angles_N = torch.tensor([-170.0, -45.0, -20.0, 7.5, 30.0, 88.0])
    images_NCHW = vignettes(6, 420, 500)
    ours = warps.rotated(images_NCHW, angles_N)
    for image, angle, picture in zip(ours, angles_N.tolist(), images_NCHW, strict=True):
        assert_same_picture(image, functional.rotate(picture, angle))


def test_tilted_pictures_are_torchvisions() -> None:
    height, width = 420, 500
    images_NCHW = vignettes(6, height, width)
    moved_N42 = warps.moved_corners(6, height, width, 0.5, seeded())
    corners = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]
    ours = warps.tilted(images_NCHW, moved_N42)
    for image, moved, picture in zip(ours, moved_N42.int().tolist(), images_NCHW, strict=True):
        assert_same_picture(image, functional.perspective(picture, corners, moved))


@pytest.mark.parametrize(("height", "width"), [(24, 24), (20, 35)])
def test_perspective_is_torchvisions(height: int, width: int) -> None:
    images_NCHW = noise(6, height, width).permute(0, 3, 1, 2)
    moved_N42 = warps.moved_corners(6, height, width, 0.5, seeded())
    corners = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]
    ours = warps.tilted(images_NCHW, moved_N42)
    theirs = torch.stack(
        [
            functional.perspective(each, corners, moved.int().tolist())
            for each, moved in zip(images_NCHW, moved_N42, strict=True)
        ]
    )

    assert (ours.int() - theirs.int()).abs().float().mean() < 0.5


def test_corners_move_as_far_as_torchvisions() -> None:
    height, width = 40, 60
    moved_N42 = warps.moved_corners(NUM, height, width, 0.5, seeded())

    assert sorted(moved_N42[:, 0, 0].unique().tolist()) == list(range(16))  # type: ignore[no-untyped-call]
    assert moved_N42[:, 2, 0].min() == width - 16
    assert moved_N42[:, 2, 0].max() == width - 1
    assert moved_N42[:, 1, 1].min() == 0
    assert moved_N42[:, 3, 1].max() == height - 1


@pytest.mark.parametrize("operation", RANDOM_OPERATIONS, ids=lambda each: str(each["operation"]))
@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 9), (2, 3)])
def test_tiny_images_pass(operation: dict[str, Any], height: int, width: int) -> None:
    output = BatchTransformation([operation])(noise(4, height, width), seeded())

    assert len(output) == 4


def test_erasing_covers_as_many_and_as_much_as_torchvision() -> None:
    images_NHWC = torch.full((NUM, 32, 32, 3), 255, dtype=torch.uint8)
    erase = {"operation": "random_erasing", "p": 0.5, "scale": [0.02, 0.33], "ratio": [0.3, 3.3]}
    output = BatchTransformation([erase], mean_colour=(0.5, 0.4, 0.2))(images_NHWC, seeded())
    covered_N = (output[..., 0] != 255).float().mean(dim=(1, 2))
    torch.manual_seed(0)
    eraser = v2.RandomErasing(p=0.5)
    theirs_N = torch.stack(
        [(eraser(torch.ones(1, 32, 32)) == 0).float().mean() for _ in range(NUM)]
    )

    assert {tuple(each) for each in output.reshape(-1, 3).tolist()} == {(255,) * 3, (128, 102, 51)}
    assert (covered_N > 0).float().mean().item() == pytest.approx(0.5, abs=0.09)
    assert covered_N.mean().item() == pytest.approx(theirs_N.mean().item(), abs=0.03)
    assert covered_N.max() <= 0.36


def both_changed(
    image_CHW: torch.Tensor, change: str, part: float, policy: str
) -> tuple[torch.Tensor, torch.Tensor]:
    """The image after a change at ``part`` of its largest amount, ours and torchvision's."""
    height, width = image_CHW.shape[1:]
    theirs: Any = v2.RandAugment() if policy == "rand" else v2.TrivialAugmentWide()
    magnitudes_of, _ = theirs._AUGMENTATION_SPACE[THEIR_NAMES[change]]
    magnitudes = magnitudes_of(31, height, width)
    strength = round(abs(part) * 30)
    magnitude = 0.0 if magnitudes is None else math.copysign(float(magnitudes[strength]), part)
    expected: torch.Tensor = theirs._apply_image_or_video_transform(
        image_CHW,
        THEIR_NAMES[change],
        magnitude,
        interpolation=theirs.interpolation,
        fill=theirs._fill,
    )
    rand_table = policies.rand_augment_table(height, width)
    table = rand_table if policy == "rand" else policies.TRIVIAL_TABLE
    return policies.apply_change(image_CHW, change, part, table), expected


THEIR_NAMES = {name: name.title().replace("_", "") for name in policies.CHANGES}
THEIR_NAMES |= {"shift_x": "TranslateX", "shift_y": "TranslateY", "autocontrast": "AutoContrast"}


@pytest.mark.parametrize("change", policies.CHANGES)
@pytest.mark.parametrize("strength", [0, 9, 30])
@pytest.mark.parametrize("policy", ["rand", "trivial"])
def test_changes_of_policies_are_torchvisions(change: str, strength: int, policy: str) -> None:
    ours, expected = both_changed(
        noise(1, 30, 36)[0].permute(2, 0, 1), change, strength / 30, policy
    )
    # Angles that differ in the last bit move single pixels of a nearest-neighbour rotation.
    assert (ours != expected).float().mean() <= 0.01


@pytest.mark.parametrize("change", [*policies.SIGNED, *policies.FACTORS])
@pytest.mark.parametrize("part", [-1.0, -0.3, 0.5, 1.0])
@pytest.mark.parametrize("policy", ["rand", "trivial"])
def test_pictures_changed_by_policies_are_torchvisions(
    change: str, part: float, policy: str
) -> None:
    [picture_CHW] = vignettes(1, 420, 500)
    assert_same_picture(*both_changed(picture_CHW, change, part, policy))


def test_policies_pick_every_change_of_torchvision() -> None:
    picked = {policies._any_change(seeded(n)) for n in range(NUM)}

    assert picked == set(policies.CHANGES)
    assert len(policies.CHANGES) == len(v2.RandAugment._AUGMENTATION_SPACE)


def test_defaults_are_torchvisions() -> None:
    rand_augment = inspect.signature(v2.RandAugment).parameters
    erasing = inspect.signature(v2.RandomErasing).parameters

    assert rand_augment["num_ops"].default == 2
    assert rand_augment["magnitude"].default == 9
    assert tuple(erasing["scale"].default) == (0.02, 0.33)
    assert tuple(erasing["ratio"].default) == (0.3, 3.3)
