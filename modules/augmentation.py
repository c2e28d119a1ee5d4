"""Roles of modules in handling random operations on images, for the check of a pipeline.

Random operations are chosen in one module, attached to images in another and reach a training
through others. Each module declares its role (``@module(augmentation=...)``), so that a check finds
operations that get lost without knowing any module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Attaching:
    """Role of attaching a transformation to images, or of removing its random operations."""

    transformation: str
    """Input port of the transformation."""
    parameter: str
    keeping: str
    """Value of ``parameter`` that keeps random operations."""


@dataclass(frozen=True)
class Augmentation:
    """Role of a module; most modules have only one of these."""

    chosen: Callable[[Any], Sequence[str]] | None = None
    """Function that returns the random operations chosen by the parameters, as text."""
    attaching: Attaching | None = None
    kept: Mapping[str, str] = field(default_factory=dict)
    """Outputs whose images keep the transformation of an input: output port to input port."""
    learned: str | None = None
    """Input port of the images that a network is trained on."""
    validated: str | None = None
    """Input port of the images that it is validated with."""
