"""An installed package holds every file that the checkout runs with."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.project.source import ROOT

SOURCES_OF_THE_BUNDLE = "editor/frontend/"


def files_of(package: str) -> list[Path]:
    """What a package holds, without what tools leave behind."""
    folder = ROOT / package
    found = (path for path in folder.rglob("*") if path.is_file())
    return [
        path.relative_to(folder)
        for path in found
        if "__pycache__" not in path.parts
        and not path.relative_to(folder).as_posix().startswith(SOURCES_OF_THE_BUNDLE)
    ]


@pytest.mark.parametrize("package", ["designer_app", "modules", "pipelines"])
def test_every_file_is_packaged(package: str) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"].get(package, [])
    left_out = [
        path.as_posix()
        for path in files_of(package)
        if path.suffix != ".py" and not any(fnmatch(path.as_posix(), each) for each in patterns)
    ]
    assert left_out == []


@pytest.mark.parametrize("package", ["designer_app", "modules", "pipelines"])
def test_every_folder_of_code_is_a_package(package: str) -> None:
    folders = {path.parent for path in files_of(package) if path.suffix == ".py"}
    assert [each for each in folders if not (ROOT / package / each / "__init__.py").exists()] == []
