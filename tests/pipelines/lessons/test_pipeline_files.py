"""A pipeline is named by the path of its file; a lesson also by its name, from any folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.catalog import builtin_catalog
from pipelines.lessons.pipeline_files import (
    LIBRARY_DIR,
    is_pipeline_file,
    pipeline_file,
    read_document,
)
from pipelines.problems import PipelineError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: an empty folder outside the checkout."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_lesson_is_read_by_its_name() -> None:
    document = read_document(Path("01-digits"), ["train.epochs=3"], builtin_catalog())
    assert document.id == "01-digits"
    assert is_pipeline_file(Path("01-digits"))


def test_paths_of_a_lesson_are_those_of_the_working_directory(folder: Path) -> None:
    override = ["import.source=file:my-images"]
    document = read_document(Path("04-your-own-folder"), override, builtin_catalog())
    [source] = [node.parameters["source"] for node in document.nodes if node.id == "import"]
    assert source == f"file:{folder / 'my-images'}"


def test_a_file_comes_before_a_lesson_of_its_name(folder: Path) -> None:
    assert pipeline_file(Path("01-digits")) == LIBRARY_DIR / "01-digits.json"
    (folder / "01-digits").write_text("{}", encoding="utf-8")
    assert pipeline_file(Path("01-digits")) == Path("01-digits")


@pytest.mark.parametrize("name", ["01-digit", "01-digits.json", "*", "\0", "x" * 5000, "lesson 1"])
def test_an_unknown_name_lists_the_lessons(name: str) -> None:
    assert not is_pipeline_file(Path(name))
    with pytest.raises(PipelineError, match="File or lesson") as raised:
        pipeline_file(Path(name))
    assert "01-digits" in raised.value.problems[0].cure


@pytest.mark.parametrize("path", ["guides/01-digits", "../01-digits", "./sub/01-digits.json", ""])
def test_a_path_names_a_file_only(path: str) -> None:
    assert pipeline_file(Path(path)) == Path(path)
