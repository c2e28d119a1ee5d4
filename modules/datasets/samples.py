"""The built-in samples: handwritten digits (real data) and drawn shapes, no network needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import parse_qsl, urlencode

from modules.artifacts import AnyDirectory
from modules.context import Context
from modules.errors import NotInRangeValueError
from modules.forecast import ArtifactForecast
from modules.sentences import datasets as say

SHAPES_VERSION = 1
DIGITS_VERSION = 1
NAMES = ("digits", "shapes")


@dataclass(frozen=True)
class DigitsSource:
    """scikit-learn's 1,797 scans of handwritten digits, 10 classes."""

    def check(self, context: Context) -> None:
        """Do nothing: it is always available."""

    def write(self, context: Context) -> AnyDirectory:
        from modules.datasets.digits import write_digits

        folder = context.new_folder()
        write_digits(folder / "data")
        return AnyDirectory.write(folder)

    def fingerprint(self, context: Context) -> str:  # noqa: ARG002
        return f"sample:digits/{DIGITS_VERSION}"

    def forecast(self, context: Context) -> ArtifactForecast:  # noqa: ARG002
        return ArtifactForecast(
            num_images=1797, num_classes=10, image_height=32, image_width=32, labeled=True
        )


@dataclass(frozen=True)
class ShapesSource:
    """Drawn shapes with the given numbers of classes, images and pixels."""

    classes: int = 4
    images: int = 400
    size: int = 64
    seed: int = 7

    LIMITS: ClassVar[Mapping[str, tuple[int, int]]] = {
        "classes": (2, 8),
        "images": (2, 100_000),
        "size": (16, 1024),
        "seed": (0, 2**32 - 1),
    }

    def check(self, context: Context) -> None:
        """Do nothing: it is always available."""

    def write(self, context: Context) -> AnyDirectory:
        from modules.datasets.shapes import write_shapes

        folder = context.new_folder()
        write_shapes(folder / "data", self.classes, self.images, self.size, self.seed)
        return AnyDirectory.write(folder)

    def fingerprint(self, context: Context) -> str:  # noqa: ARG002
        return f"sample:shapes/{SHAPES_VERSION}?{urlencode(vars(self))}"

    def forecast(self, context: Context) -> ArtifactForecast:  # noqa: ARG002
        return ArtifactForecast(
            num_images=self.images,
            num_classes=min(self.classes, self.images),
            image_height=self.size,
            image_width=self.size,
            labeled=True,
        )


def parse_sample(text: str) -> DigitsSource | ShapesSource:
    """Return the sample for ``digits`` or ``shapes?classes=4&images=400&size=64&seed=7``."""
    name, _, query = text.partition("?")
    if name not in NAMES:
        raise NotInRangeValueError(
            say.NO_SAMPLE,
            name=name[:100],
            names=[f"sample:{sample}" for sample in NAMES],
            parameter="source",
        )
    limits = ShapesSource.LIMITS if name == "shapes" else {}
    options = {
        key: _whole_number(key, value, limits)
        for key, value in parse_qsl(query, keep_blank_values=True)
    }
    return ShapesSource(**options) if name == "shapes" else DigitsSource()


def _whole_number(key: str, value: str, limits: Mapping[str, tuple[int, int]]) -> int:
    if key not in limits:
        facts = {"option": key[:100], **({"options": list(limits)} if limits else {})}
        unknown = say.NO_SUCH_OPTION if limits else say.NO_OPTIONS
        raise NotInRangeValueError(unknown.about(facts), parameter="source")
    low, high = limits[key]
    number = int(value) if re.fullmatch(r"[0-9]{1,10}", value) else -1
    if not low <= number <= high:
        raise NotInRangeValueError(
            say.WRONG_OPTION, option=key, value=value[:100], low=low, high=high, parameter="source"
        )
    return number
