"""This project's side of the dataset benchmark: the modules, called as functions."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from modules.artifacts import AnyDirectory, ImageDirectory
from modules.context import Context
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.image_directories.split_image_directory import SplitParameters, split_image_directory
from modules.transforms.apply_image_transformation import (
    ApplyImageTransformationParameters,
    apply_image_transformation,
)
from modules.transforms.init_image_transformation import (
    InitImageTransformationParameters,
    init_image_transformation,
)


@dataclass(frozen=True)
class Times:
    """Seconds of each step, and the images on either side of the split and after applying."""

    convert: float
    split: float
    apply: float
    counts: list[int]


def measure_modules(images: Path, store: Path, fraction: float) -> Times:
    """Convert, split and apply; each step reads its input from disk, as a node does."""
    store.mkdir(parents=True)
    given = _context(store, "given")
    dataset = AnyDirectory.write(given.new_folder(), images)
    transformation = init_image_transformation(InitImageTransformationParameters(), given)[0]
    started = time.perf_counter()
    converted = convert_to_image_directory(dataset, ConvertParameters(), _context(store, "whole"))
    convert_seconds = time.perf_counter() - started

    parameters = SplitParameters(fraction_of_images_in_the_first_output=fraction)
    started = time.perf_counter()
    sides = split_image_directory(_again(converted[0]), parameters, _context(store, "sides"))
    split_seconds = time.perf_counter() - started

    mode = ApplyImageTransformationParameters(mode="For training")
    started = time.perf_counter()
    applied = apply_image_transformation(
        transformation, _again(converted[0]), mode, _context(store, "applied")
    )
    apply_seconds = time.perf_counter() - started
    counts = [len(_again(each).images) for each in (*sides, *applied)]
    return Times(convert_seconds, split_seconds, apply_seconds, counts)


def _context(store: Path, name: str) -> Context:
    return Context(store / name)


def _again(images: ImageDirectory) -> ImageDirectory:
    """The same artifact with nothing of it in memory yet."""
    return ImageDirectory(images.path)
