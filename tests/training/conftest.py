"""Data sets that several files of tests train on."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.ports import ImageDirectory
from tests.training.noise import noise_squares


@pytest.fixture
def squares(tmp_path: Path) -> tuple[ImageDirectory, ImageDirectory]:
    training = noise_squares(tmp_path / "store/training/out", per_class=16)
    return training, noise_squares(tmp_path / "store/validation/out", per_class=4, seed=9)
