"""``designer diff``: files, lessons, saved pipelines, revisions, published versions and runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.document.document import PipelineDocument, dump_document, parse_document
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests import toy
from tests.designer_app.documents import document, node


def changed(value: int) -> PipelineDocument:
    return parse_document(document(nodes=[node("two", "constant", value=value)], links=[]))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workspace")
    toy.install(Workspace.at(folder).make().modules_dir)
    with WorkspaceSession(Workspace.at(folder)) as session:
        made = session.pipelines.create(changed(2))
        session.pipelines.commit(changed(3), made.revision)
        session.published.publish("nightly", changed(4), lambda _: [])
        session.runs.store.create(changed(5).to_json(), ["two"], name="n", experiment="e")
    return folder


def diff(workspace: Path, *arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["diff", *arguments, "--workspace", str(workspace)])
    return result.exit_code, result.output


def test_forms_of_pipelines(workspace: Path, tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text(dump_document(changed(6)))
    with WorkspaceSession(Workspace.at(workspace)) as session:
        [run] = session.runs.store.newest(limit=1)
    for form, value in (
        ("toy", 3),
        ("pipeline:toy", 3),
        ("pipeline:toy@1", 2),
        ("toy@1", 2),
        ("published:nightly", 4),
        ("published:nightly@1", 4),
        (f"run:{run.id}", 5),
        ("last", 5),
        (str(file), 6),
    ):
        code, text = diff(workspace, form, str(file))
        wanted = "No differences." if value == 6 else f"~ Constant · Value: {value} → 6"
        assert (code, text.strip()) == (0, wanted), form


def test_marks_of_each_kind(workspace: Path, tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    moved = {**node("two", "constant", value=3), "position": {"x": 40, "y": 0}}
    content = document(nodes=[moved, node("sum", "add")], links=[])
    file.write_text(json.dumps(content))
    code, text = diff(workspace, "toy", str(file))
    assert code == 0
    assert text.splitlines() == ["+ Add", "> Constant · moved"]
    code, text = diff(workspace, str(file), "toy")
    assert text.splitlines() == ["- Add", "> Constant · moved"]


def test_json_has_both_values(workspace: Path) -> None:
    code, text = diff(workspace, "toy@1", "toy", "--json")
    answer = json.loads(text)
    assert code == 0
    [value] = answer["graph"]["values"]["two"]
    assert (value["name"], value["before"], value["after"]) == ("value", 2, 3)
    assert answer["count"] == 1


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("nothing-like-it", "No file, lesson, saved pipeline or run"),
        ("toy@99", "Revision 99 of 'toy' not found."),
        ("published:other", "other"),
        ("run:zzz", "No run ID starts or ends with"),
        ("pipeline:toy@latest", "Invalid reference"),
        ("missing.json", "missing.json"),
    ],
)
def test_unknown_pipelines_are_errors(workspace: Path, form: str, message: str) -> None:
    code, text = diff(workspace, form, "toy")
    assert code == 1
    assert message in " ".join(text.split())
