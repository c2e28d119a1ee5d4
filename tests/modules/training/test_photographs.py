"""Photographs on their way from a file to a batch, beside torchvision's own way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from PIL import Image, ImageOps
from torchvision.transforms import v2

from modules.artifacts import AnyDirectory, ImageDirectory
from modules.compute.distributed import ProcessGroup
from modules.context import Context
from modules.explain.samples import for_inference
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.image_loading.cache_limits import CacheLimits
from modules.image_loading.datasets import CroppedImages, DecodingImages, ImageSource, open_images
from modules.image_loading.decoded_cache import DecodedImages
from modules.image_loading.gpu_decoding import GpuDecodingImages
from modules.transforms.apply_image_transformation import (
    ApplyImageTransformationParameters,
    apply_image_transformation,
)
from modules.transforms.crop_boxes import CropBox
from modules.transforms.init_image_transformation import (
    InitImageTransformationParameters,
    init_image_transformation,
)
from modules.transforms.operations import select

Pixels = npt.NDArray[Any]
ROTATIONS = range(1, 9)
SIZES = [(375, 500), (333, 501), (503, 377), (1021, 766), (769, 1203)]
CROP = {"operation": "random_resized_crop", "size": 64, "scale": [0.08, 1], "ratio": [0.75, 4 / 3]}


class Place:
    """A store of artifacts, used as a run uses it."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._num_steps = folder, 0

    def context(self) -> Context:
        self._num_steps += 1
        step = self._folder / "store" / f"step-{self._num_steps}"
        return Context(step, cache_dir=self._folder / "cache", threads=2)

    def converted(self, pictures: Path) -> ImageDirectory:
        context = self.context()
        folder = AnyDirectory.write(context.new_folder(), pictures)
        output = convert_to_image_directory(folder, ConvertParameters(), context)[0]
        assert isinstance(output, ImageDirectory)
        return output

    def transformed(self, images: ImageDirectory, size: int) -> ImageDirectory:
        """With Resize and Center crop, from their modules."""
        chosen = InitImageTransformationParameters(
            resize=True, size=size, center_crop=True, crop_size=size, random_horizontal_flip=False
        )
        [transformation] = init_image_transformation(chosen, self.context())
        mode = ApplyImageTransformationParameters()
        outputs = apply_image_transformation(transformation, images, mode, self.context())
        output: ImageDirectory = outputs[0]
        return output

    def opened(self, images: ImageDirectory, **options: Any) -> ImageSource:
        attached, context = images.transformation, self.context()
        operations = select(attached.operations, attached.mode) if attached else ()
        group = ProcessGroup(context, torch.device("cpu"))
        return open_images(images, operations, context, group, **options)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "place")


def drawn_photographs(folder: Path) -> Path:
    """Waves and edges in JPEG files whose edges are no multiples of what decoders scale by."""
    for number, (height, width) in enumerate(SIZES):
        y, x = np.mgrid[0:height, 0:width]
        waves = np.stack([np.sin(x / 23), np.cos(y / 17), np.sin((x + y) / 31)], axis=-1)
        steps = ((x // 97 + y // 89) % 2)[..., None] * 60 - 30
        image = Image.fromarray((waves * 60 + steps + 128).astype(np.uint8))
        for orientation in ROTATIONS:
            exif = Image.Exif()
            exif[0x0112] = orientation
            path = folder / "a" / f"{number}-{orientation}.jpg"
            path.parent.mkdir(parents=True, exist_ok=True)
            image.save(path, quality=92, exif=exif)
    return folder


def upright(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return ImageOps.exif_transpose(image).convert("RGB")


def theirs(paths: Sequence[Path], size: int) -> Pixels:
    way = v2.Compose([v2.Resize(size), v2.CenterCrop(size)])
    return np.stack([np.asarray(way(upright(path)), dtype=np.int16) for path in paths])


def read_all(images: ImageSource) -> Pixels:
    pixels = np.stack(list(images.read(range(len(images))))).astype(np.int16)
    images.close()
    return pixels


@pytest.mark.parametrize("size", [32, 64, 96, 128])
def test_a_photograph_of_any_size_turned_anyhow_is_where_torchvision_has_it(
    tmp_path: Path, place: Place, size: int
) -> None:
    images = place.converted(drawn_photographs(tmp_path / "photographs"))
    ours = read_all(place.opened(place.transformed(images, size)))
    off = abs(ours - theirs(images.file_paths(), size))
    assert off.mean() < 0.4
    assert off.max() <= 20


@pytest.mark.parametrize(
    ("size", "mean", "worst"),
    [
        pytest.param(64, 0.4, 20, marks=pytest.mark.extended),
        (96, 0.2, 16),
        pytest.param(224, 0.01, 8, marks=pytest.mark.extended),
    ],
)
def test_real_photographs_have_torchvisions_pixels(
    shared_data: Path, place: Place, size: int, mean: float, worst: int
) -> None:
    images = place.converted(shared_data / "imagenet-sample")
    ours = read_all(place.opened(place.transformed(images, size)))
    off = abs(ours - theirs(images.file_paths(), size))
    assert off.mean() < mean
    assert off.max() <= worst


@pytest.mark.extended
def test_so_have_pictures_of_nine_megapixels(
    tmp_path: Path, shared_data: Path, place: Place
) -> None:
    signs = shared_data.glob("sign-language-digits/*/*.JPG")
    (tmp_path / "large").mkdir()
    for path in sorted(signs, key=lambda path: -path.stat().st_size)[:3]:
        (tmp_path / "large" / path.name).write_bytes(path.read_bytes())
    images = place.converted(tmp_path / "large")
    assert set(images.images["height"]) == {3024}
    for size in (64, 224):
        ours = read_all(place.opened(place.transformed(images, size)))
        off = abs(ours - theirs(images.file_paths(), size))
        assert off.mean() < 0.2
        assert off.max() <= 4


def test_every_way_to_a_batch_has_the_same_pixels(tmp_path: Path, place: Place) -> None:
    images = place.transformed(place.converted(drawn_photographs(tmp_path / "photographs")), 64)
    fresh = place.opened(images, limits=CacheLimits(file_bytes=0))
    decoded = place.opened(images)
    assert isinstance(decoded, DecodedImages)
    assert isinstance(fresh, DecodingImages)
    expected = read_all(decoded)
    assert np.array_equal(read_all(fresh), expected)
    attached = images.transformation
    assert attached is not None
    shown = [for_inference(images, index, attached.operations) for index in range(len(expected))]
    in_full = read_all(place.opened(images, in_full=True))
    assert np.array_equal(np.stack(shown), in_full)
    assert not np.array_equal(in_full, expected)  # training decodes large files at a reduced size


def test_random_crops_are_those_of_the_whole_picture(tmp_path: Path, place: Place) -> None:
    images = place.converted(drawn_photographs(tmp_path / "photographs"))
    cropped = place.opened(images, random_operations=[CROP]).drawn(5)
    assert isinstance(cropped, CroppedImages)
    boxes = [CropBox(*each) for each in cropped.boxes(range(len(images.images))).tolist()]
    off = abs(read_all(cropped) - squares(images.file_paths(), boxes))
    assert off.mean() < 0.4
    assert off.max() <= 20


def test_a_card_cuts_the_same_crops(tmp_path: Path, place: Place) -> None:
    images = place.converted(drawn_photographs(tmp_path / "photographs"))
    cropped = place.opened(images, random_operations=[CROP]).drawn(5)
    assert isinstance(cropped, CroppedImages)
    on_card = GpuDecodingImages(cropped, torch.device("cpu"))
    ours = on_card.read(range(len(on_card))).numpy().astype(np.int16)
    off = abs(ours - read_all(cropped))
    assert off.mean() < 0.4
    assert off.max() <= 20


@pytest.mark.extended
def test_random_crops_of_real_photographs_are_torchvisions(shared_data: Path, place: Place) -> None:
    images = place.converted(shared_data / "imagenet-sample")
    cropped = place.opened(images, random_operations=[CROP]).drawn(0)
    assert isinstance(cropped, CroppedImages)
    boxes = [CropBox(*each) for each in cropped.boxes(range(len(images.images))).tolist()]
    off = abs(read_all(cropped) - squares(images.file_paths(), boxes))
    assert off.mean() < 0.25
    assert off.max() <= 30


def squares(paths: Sequence[Path], boxes: Sequence[CropBox]) -> Pixels:
    """What torchvision cuts out of the whole pictures."""
    cut = [
        v2.functional.resized_crop(upright(path), *box, size=[64, 64])
        for path, box in zip(paths, boxes, strict=True)
    ]
    return np.stack([np.asarray(each, dtype=np.int16) for each in cut])
