"""What a module does with random operations on images, told for the check of a pipeline.

Random operations are chosen in one module, attached to images in another and reach a training
through others still. Each says its part with its declaration (``@module(augmentation=...)``),
so that a check finds operations that get lost on the way without knowing any module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Attaching:
    """The module attaches a transformation to images, or leaves its random operations out."""

    transformation: str
    """The input port that brings the transformation."""
    parameter: str
    keeping: str
    """The value of ``parameter`` with which random operations stay."""


@dataclass(frozen=True)
class Augmentation:
    """A module's part; most have one of these."""

    chosen: Callable[[Any], Sequence[str]] | None = None
    """The random operations in the transformation that these parameters choose, in words."""
    attaching: Attaching | None = None
    kept: Mapping[str, str] = field(default_factory=dict)
    """Outputs whose images have the transformation of an input: output port to input port."""
    learned: str | None = None
    """The input port of the images that a network learns from."""
    validated: str | None = None
    """The input port of the images that it is validated with."""
