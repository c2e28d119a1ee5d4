"""Pipelines from standard input: ``cat digits.json | designer run -``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.document import document as documents
from pipelines.document.code.write import to_code
from pipelines.document.document import dump_document, parse_document
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.document import cases

SUM = parse_document(cases.pipeline("one:constant", "sum:add", links=("one.output -> sum.a",)))
TEXT = dump_document(SUM)


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
@pytest.mark.parametrize("kind", ["json", "python"])
def test_commands_read_a_document_or_code(runs: RunService, name: str, kind: str) -> None:
    text = TEXT if kind == "json" else to_code(SUM, runs.catalog)
    shown = designer(runs, "code", "show", name, piped=text)
    assert shown.exit_code == 0, shown.output
    assert shown.stdout == to_code(SUM, runs.catalog)
    checked = designer(runs, "validate", name, "--json", piped="\ufeff" + text)
    assert {problem["node"] for problem in json.loads(checked.stdout)["problems"]} <= {"sum"}


def test_values_are_set_and_code_edits_compared_with_one_reading(runs: RunService) -> None:
    text = dump_document(parse_document(cases.pipeline("one:constant")))
    done = designer(runs, "run", "-", "--set", "one.value=7", "--detach", "--json", piped=text)
    assert done.exit_code == 0, done.output
    [record] = runs.store.newest(limit=1)
    assert parse_document(record.document).nodes[0].parameters["value"] == 7


@pytest.mark.parametrize("text", ["", "  \n", "{", "[1]", "nonsense here", "\x00\xff"])
def test_what_is_no_pipeline_is_an_error(runs: RunService, text: str) -> None:
    result = designer(runs, "run", "-", piped=text)
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output
    assert result.stderr.strip()


def test_code_is_checked_with_its_lines(runs: RunService) -> None:
    result = designer(runs, "code", "check", "-", "--json", piped="import os\nos.remove('x')\n")
    assert result.exit_code == 1
    assert {problem["line"] for problem in json.loads(result.stdout)["problems"]} <= {1, 2}


def test_more_than_the_limit_is_refused(runs: RunService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_BYTES", 100)
    result = designer(runs, "validate", "-", piped=TEXT + " " * 200)
    assert result.exit_code == 1
    assert "at most 100" in " ".join(result.output.split())


@pytest.mark.skipif(sys.platform == "win32", reason="no /dev")
@pytest.mark.parametrize("source", ["pipe", "endless", "closed"])
def test_in_a_shell(runs: RunService, tmp_path: Path, source: str) -> None:
    file = tmp_path / "sum.json"
    file.write_text(TEXT, encoding="utf-8")
    redirected = {"pipe": f"cat {file} | ", "endless": "< /dev/zero ", "closed": "<&- "}[source]
    command = ("-m", "pipelines.cli", "code", "show", "-", "--workspace", runs.workspace.root)
    done = subprocess.run(
        ["/bin/sh", "-c", f'{redirected}"$0" "$@"', sys.executable, *map(str, command)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if source == "pipe":
        assert done.stdout == to_code(SUM, runs.catalog)
        return
    assert done.returncode == 1, done
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


def test_another_pipe_names_the_way(runs: RunService, tmp_path: Path) -> None:
    (tmp_path / "device").symlink_to("/dev/zero")
    result = designer(runs, "run", tmp_path / "device")
    assert result.exit_code == 1
    assert "or - for standard input" in " ".join(result.output.split())
