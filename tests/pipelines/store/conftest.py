"""Object stores: a folder, and an S3."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import s3


@pytest.fixture(params=["file", "s3"])
def address(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty object store."""
    if request.param == "file":
        return f"file://{tmp_path}/store"
    port: int = request.getfixturevalue("s3_port")
    for name, value in s3.environment(port).items():
        monkeypatch.setenv(name, value)
    return f"s3://{s3.new_bucket(port)}/some/prefix"
