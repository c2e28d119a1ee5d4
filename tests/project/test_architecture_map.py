"""``docs/architecture.md`` names every package, and nothing that is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project.source import ROOT

MAP = ROOT / "docs" / "architecture.md"
BROWSER = ROOT / "designer_app" / "editor" / "frontend" / "src"
PATH = re.compile(r"`((?:src|modules|pipelines|designer_app|tests)/[\w./-]+)`")


def place(name: str) -> Path:
    """Where a path of the map lies; ``src/`` is the editor's browser half."""
    return BROWSER / name.removeprefix("src/") if name.startswith("src/") else ROOT / name


def test_every_path_is_there() -> None:
    names = PATH.findall(MAP.read_text(encoding="utf-8"))
    assert len(names) > 60
    assert [name for name in names if not place(name).exists()] == []


@pytest.mark.parametrize("package", ["modules", "pipelines", "designer_app"])
def test_every_package_has_its_line(package: str) -> None:
    folders = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
    listed = re.findall(rf"^\| `{package}/(\w+)` \|", MAP.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(folders)


def test_the_map_is_a_page() -> None:
    assert len(MAP.read_text(encoding="utf-8").splitlines()) < 150
