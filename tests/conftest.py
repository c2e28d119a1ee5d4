"""What every test may ask for."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

TRAINING = (
    "tests/browser/test_looking.py",
    "tests/browser/test_newcomer.py",
    "tests/browser/test_pictures.py",
    "tests/browser/test_run_control.py",
    "tests/engine/test_lessons.py",
    "tests/engine/test_training.py",
    "tests/looking/",
    "tests/training/",
)
"""Files that train for long. Two trainings at once on two cores take more than twice as long."""


@pytest.fixture(autouse=True)
def alone_in_training(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Let one of the workers train at a time."""
    if not request.node.nodeid.startswith(TRAINING) or "PYTEST_XDIST_WORKER" not in os.environ:
        yield
        return
    with (tmp_path_factory.getbasetemp().parent / "training.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real pictures beside the checkout."""
    if not SHARED_DATA.is_dir():
        pytest.skip("needs the real pictures of ../shared/data, which are not here")
    return SHARED_DATA
