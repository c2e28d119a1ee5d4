"""``designer code``: a pipeline as Python code, and the problems of such code with their lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.document.document import dump_document, parse_document
from pipelines.lessons.pipeline_files import read_document
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from tests.pipelines.cli.commands import designer
from tests.pipelines.document import cases

CODE = """\
from pipeline_designer import Pipeline
from pipeline_designer import modules as m

with Pipeline("sums") as p:
    one = m.constant(value=2)
    sum = m.add(a=one, b=one)

    p.layout(
        one=(0, 0),
        sum=(280, 0),
    )
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sums.py"
    path.write_text(CODE, encoding="utf-8")
    return path


def test_code_of_files_lessons_and_saved_pipelines(runs: RunService, file: Path) -> None:
    assert designer(runs, "code", "show", file).stdout == CODE
    assert "m.densenet(" in designer(runs, "code", "show", "01-digits").stdout
    document = parse_document(cases.pipeline("one:constant"))
    with WorkspaceSession(runs.workspace) as session:
        saved = session.pipelines.create(document).pipeline_id
    shown = designer(runs, "code", "show", saved, "--json")
    assert "one = m.constant()" in json.loads(shown.stdout)["code"]
    gone = designer(runs, "code", "show", "nothing")
    assert gone.exit_code == 1
    assert "01-digits" in gone.stderr


def test_code_is_checked_with_its_lines(runs: RunService, file: Path) -> None:
    done = designer(runs, "code", "check", file)
    assert (done.exit_code, done.stdout) == (0, "The pipeline can be run.\n")
    file.write_text(CODE.replace("value=2", "\n        valeu=2").replace("b=one", ""))
    done = designer(runs, "code", "check", file, "--json")
    answer = json.loads(done.stdout)
    assert done.exit_code == 1
    assert not answer["valid"]
    problems = {(problem["node"], problem["line"]) for problem in answer["problems"]}
    assert problems == {("one", 6), ("sum", 7)}


def test_code_that_cannot_be_read_names_its_lines(runs: RunService, file: Path) -> None:
    file.write_text(f"import os\n{CODE}    x = m.add(a=f())\n")
    done = designer(runs, "code", "check", file)
    assert done.exit_code == 1
    lines = done.stderr.splitlines()
    assert [line.split(" ", 1)[0] for line in lines] == [f"{file}:1:", f"{file}:13:"]
    assert "os cannot be imported in the code of a pipeline." in lines[0]


def test_a_run_reads_code_and_never_runs_it(runs: RunService, file: Path) -> None:
    touched = file.with_name("touched")
    file.write_text(f"{CODE}\nif __name__ == '__main__':\n    open({str(touched)!r}, 'w')\n")
    done = designer(runs, "run", file, "--set", "one.value=4", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["nodes"]["sum"]["status"] == "completed"
    assert not touched.exists()


def test_documents_are_still_read(runs: RunService, tmp_path: Path) -> None:
    path = tmp_path / "sums.json"
    document = parse_document(cases.pipeline("one:constant"))
    path.write_text(dump_document(document), encoding="utf-8")
    assert read_document(path, [], runs.catalog).nodes == document.nodes
