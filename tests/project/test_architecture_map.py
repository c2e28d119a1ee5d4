"""``docs/architecture.md`` names every package, and nothing that is not there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.project.source import ROOT

MAP = ROOT / "docs" / "architecture.md"
BROWSER = ROOT / "designer_app" / "frontend" / "src"
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


@pytest.mark.parametrize("package", ["modules", "pipelines", "designer_app"])
def test_lines_quote_the_docstrings_of_packages(package: str) -> None:
    rows = re.findall(
        rf"^\| `({package}/\w+)` \| (.*) \|$", MAP.read_text(encoding="utf-8"), re.MULTILINE
    )
    sentences = {folder: first_sentence(ROOT / folder / "__init__.py") for folder, _ in rows}
    assert {folder for folder, text in rows if not text.startswith(sentences[folder])} == set()


def first_sentence(file: Path) -> str:
    """Return the first sentence of a docstring, in Markdown."""
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    sentence = re.match(r".+?\.(?=\s|$)", docstring, re.DOTALL)
    assert sentence is not None, f"Begin the docstring of {file} with a sentence."
    return " ".join(sentence[0].split()).replace("``", "`")


def test_the_map_is_a_page() -> None:
    assert len(MAP.read_text(encoding="utf-8").splitlines()) < 150
