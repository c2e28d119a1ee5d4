"""Folders of pictures, one folder a class: real ones, or for a small run drawn ones."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import BenchmarkError
from benchmarks.processes import ROOT

REAL = ROOT.parent / "shared" / "data"
NUM_CLASSES = 10
VALIDATE_EVERY = 5
"""Of every class, each fifth image is for validation."""


@dataclass(frozen=True)
class Divided:
    """Pictures to learn from and pictures to be judged by."""

    train: Path
    validation: Path

    @property
    def num_images(self) -> int:
        """How many both hold."""
        return len(list_pictures(self.train)) + len(list_pictures(self.validation))


def photos(folder: Path, num_images: int) -> Path:
    """So many files of 250 photographs of about 500 x 375 pixels, some of them again and again."""
    return _write(folder, _numbered(_real("imagenet-sample", "*.JPEG")), num_images)


def large_photos(folder: Path, num_images: int) -> Path:
    """So many files of three photographs of 3,024 x 3,024 pixels, none of which is to be turned."""
    signs = _real("sign-language-digits", "*/*.JPG")
    largest = sorted(signs, key=lambda path: (-path.stat().st_size, path.name))[:3]
    _write(folder, _numbered(largest), num_images)
    for path in folder.glob("*/*"):
        path.write_bytes(without_exif(path.read_bytes()))
    return folder


def without_exif(jpeg: bytes) -> bytes:
    """The same pixels without what says how to turn them: not every peer obeys that."""
    kept, start = jpeg[:2], 2
    while jpeg[start : start + 2] != b"\xff\xda":  # from there on it is the scan
        end = start + 2 + int.from_bytes(jpeg[start + 2 : start + 4], "big")
        if jpeg[start + 1] != 0xE1:
            kept += jpeg[start:end]
        start = end
    return kept + jpeg[start:]


def signs(folder: Path) -> Divided:
    """All 2,062 pictures of hands that show a digit, 100 x 100 pixels but for three."""
    named = [(path.parent.name, path) for path in _real("sign-language-digits", "*/*.JPG")]
    return divided(_write(folder / "all", named, len(named)), folder)


def drawn(folder: Path, num_images: int, size: int = 64) -> Path:
    """So many drawn pictures as JPEG files, classes equally often."""
    import numpy as np

    from modules.datasets.shapes import CLASSES, draw_shape

    for number in range(num_images):
        name = CLASSES[number % 4]
        path = folder / name / f"{number:05}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        draw_shape(name, size, np.random.default_rng(number)).save(path, quality=90)
    return folder


def divided(pictures: Path, folder: Path) -> Divided:
    """The same files in ``folder / "train"`` and ``folder / "validation"``."""
    sides = Divided(folder / "train", folder / "validation")
    for group in sorted(pictures.iterdir()):
        for place, file in enumerate(sorted(group.iterdir())):
            side = sides.train if (place + 1) % VALIDATE_EVERY else sides.validation
            _link(file, side / group.name / file.name)
    return sides


GROUPS = {
    "birds": ((1514668, 1622779), (1795545, 1860187), (2002556, 2058221)),
    "dogs": ((2085620, 2113978),),
}
"""Numbers of WordNet, which the names of ImageNet's files begin with."""


def birds_and_dogs(folder: Path) -> Divided:
    """46 photographs of as many species and breeds, half of them for tests."""
    named = [
        (group, path)
        for path in _real("imagenet-sample", "*.JPEG")
        for group, ranges in GROUPS.items()
        if any(low <= int(path.stem[1:9]) <= high for low, high in ranges)
    ]
    return halved(_write(folder / "all", named, len(named)), folder)


def halved_signs(folder: Path) -> Divided:
    """The pictures of hands, half of them for tests."""
    named = [(path.parent.name, path) for path in _real("sign-language-digits", "*/*.JPG")]
    return halved(_write(folder / "all", named, len(named)), folder)


def halved(pictures: Path, folder: Path) -> Divided:
    """Every second file of each class in ``folder / "train"``, others in ``"validation"``."""
    sides = Divided(folder / "train", folder / "validation")
    for group in sorted(pictures.iterdir()):
        for place, file in enumerate(sorted(group.iterdir())):
            side = (sides.train, sides.validation)[place % 2]
            _link(file, side / group.name / file.name)
    return sides


def some(pictures: Path, folder: Path, num_pictures: int) -> Path:
    """So many of the files, evenly of all classes."""
    files = list_pictures(pictures)
    for file in files[:: max(1, len(files) // num_pictures)][:num_pictures]:
        _link(file, folder / file.parent.name / file.name)
    return folder


def list_pictures(folder: Path) -> list[Path]:
    """The files of all classes, in order."""
    return [file for group in sorted(folder.iterdir()) for file in sorted(group.iterdir())]


def _real(name: str, pattern: str) -> list[Path]:
    files = sorted((REAL / name).glob(pattern))
    if not files:
        raise BenchmarkError(
            f"There are no pictures in ../shared/data/{name}. Put them there, or use --small."
        )
    return files


def _numbered(files: list[Path]) -> list[tuple[str, Path]]:
    return [(f"class_{place % NUM_CLASSES}", file) for place, file in enumerate(files)]


def _write(folder: Path, named: list[tuple[str, Path]], num_images: int) -> Path:
    """Copies of the files under their classes; those that come again are links to the first."""
    first: dict[Path, Path] = {}
    for number, (name, file) in zip(range(num_images), _again(named), strict=False):
        target = folder / name / f"{number:05}.jpg"
        target.parent.mkdir(parents=True, exist_ok=True)
        if file in first:
            _link(first[file], target)
        else:
            first[file] = Path(shutil.copyfile(file, target))
    return folder


def _again(named: list[tuple[str, Path]]) -> Iterator[tuple[str, Path]]:
    while True:
        yield from named


def _link(file: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    os.link(file, target)
