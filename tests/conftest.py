"""What every test may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real pictures beside the checkout."""
    if not SHARED_DATA.is_dir():
        pytest.skip("needs the real pictures of ../shared/data, which are not here")
    return SHARED_DATA
