"""A runner is replaced when its code changes: what its version is made of."""

from __future__ import annotations

from pathlib import Path

import pytest

import modules
import pipelines
from pipelines.execution.runner_lock import code_version


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two packages in the place of ours, each with a file some folders deep."""
    for package in (modules, pipelines):
        deep = tmp_path / package.__name__ / "execution" / "inner"
        deep.mkdir(parents=True)
        (deep / "step.py").write_text("before = 1\n", encoding="utf-8")
        monkeypatch.setattr(package, "__path__", [str(tmp_path / package.__name__)])
    return tmp_path


@pytest.mark.parametrize("package", ["modules", "pipelines"])
def test_a_change_of_any_file_is_another_version(packages: Path, package: str) -> None:
    before = code_version()
    assert code_version() == before
    (packages / package / "execution" / "inner" / "step.py").write_text("after = 12\n", "utf-8")
    assert code_version() != before


def test_the_version_is_that_of_the_code_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    of_this_code = code_version()
    monkeypatch.setattr(pipelines, "__path__", ["/nowhere"])
    assert code_version() != of_this_code
