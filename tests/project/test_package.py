"""An installed package holds every file that the checkout runs with."""

from __future__ import annotations

import sys
import tomllib
from fnmatch import fnmatch
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project.source import ROOT, imported_libraries, python_files

SOURCES_OF_THE_BUNDLE = "frontend/"
NOT_PACKAGED = {".py", ".po", ".pot"}
"""Python files are packaged without being listed; translations are packaged compiled."""
PACKAGES = ("designer_app", "modules", "pipeline_designer", "pipelines")
OTHER_LIBRARIES = {
    "pydantic_core": "a dependency of pydantic, which requires one exact version",
    "fsspec": "a dependency of the extras for object stores",
    "urllib3": "a dependency of the extra kubernetes",
    "nvidia": "a namespace of many packages; the extra nvimgcodec is the one",
    "ray": "installed on Ray clusters",
    "designer_installed": "made by the bootstrap of scripts",
    "designer_log": "on the path of scripts",
    "designer_rank": "on the path of scripts",
}
"""Imported libraries that pyproject.toml does not declare, and why."""


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


@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_is_packaged(package: str) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"].get(package, [])
    left_out = [
        path.as_posix()
        for path in files_of(package)
        if path.suffix not in NOT_PACKAGED
        and not any(fnmatch(path.as_posix(), each) for each in patterns)
    ]
    assert left_out == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_of_code_is_a_package(package: str) -> None:
    folders = {path.parent for path in files_of(package) if path.suffix == ".py"}
    assert [each for each in folders if not (ROOT / package / each / "__init__.py").exists()] == []


def test_every_imported_library_is_declared() -> None:
    """An indirect dependency can disappear with the next version of the one that requires it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for_users = [each for name, texts in extras.items() if name != "dev" for each in texts]
    declared = {
        canonicalize_name(Requirement(text).name) for text in [*project["dependencies"], *for_users]
    }
    distributions = packages_distributions()
    imported = {name for path in python_files(*PACKAGES) for name in imported_libraries(path)}
    missing = {
        name
        for name in imported - sys.stdlib_module_names - set(PACKAGES) - OTHER_LIBRARIES.keys()
        if not declared & set(map(canonicalize_name, distributions.get(name, [name])))
    }
    assert missing == set()
