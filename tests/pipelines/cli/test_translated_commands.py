"""Help and output of commands in the language of the user."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from designer_app.command import designer
from pipelines.cli.help_texts import help_texts, in_user_language, run_program
from tests.languages import Entry, in_czech
from tests.project.source import ROOT

MARK = "č "


def marked() -> Iterator[Entry]:
    for text, _ in help_texts(designer):
        yield text, "", MARK + text
    yield "Target", "", "Cíl"
    yield "Removed {name}.", "", "{name}: odstraněno."


@pytest.fixture
def czech(tmp_path: Path) -> Iterator[None]:
    with in_czech(tmp_path, marked()):
        yield


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    in_user_language(designer)(list(arguments), standalone_mode=False)
    return capsys.readouterr().out


@pytest.mark.usefixtures("czech")
def test_help_is_translated(capsys: pytest.CaptureFixture[str]) -> None:
    assert "č Run a pipeline. Without --detach" in printed(capsys, "run", "--help")
    program = printed(capsys, "--help")
    assert "č Build, run, compare and replay" in program
    assert "č Start the designer in the browser" in program
    group = printed(capsys, "runs", "--help")
    assert "č Cancel a run." in group
    options = printed(capsys, "runs", "cancel", "--help")
    assert "č Stop trainings early" in options
    assert "č A run's ID" in options


@pytest.mark.usefixtures("czech")
def test_output_is_translated_and_json_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ("--workspace", str(tmp_path / "w"))
    added = ("target", "add", "small", "--simulated-nodes", "2", *place)
    assert printed(capsys, *added).startswith("Added small.")  # without a translation
    assert printed(capsys, "target", "list", *place).startswith("Cíl")
    assert printed(capsys, "target", "remove", "small", *place) == "small: odstraněno.\n"


def test_help_is_english_without_a_catalog() -> None:
    result = CliRunner().invoke(designer, ["run", "--help"])
    assert "Run a pipeline. Without --detach" in result.output


@pytest.mark.usefixtures("czech")
def test_a_program_runs_in_the_language_of_the_user(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["designer", "gc", "--help"])
    with pytest.raises(SystemExit):
        run_program(designer)
    assert "č Delete unreferenced outputs" in capsys.readouterr().out


def test_english_help_needs_no_tools_of_translators() -> None:
    """Babel compiles catalogs; gettext itself is imported by typer."""
    code = "import sys, designer_app.command; assert 'babel' not in sys.modules"
    environment = {**os.environ, "LANGUAGE": "cs"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)
