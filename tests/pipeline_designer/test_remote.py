"""A workspace by the address of its app and its key: the same verbs, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline_designer import Pipeline, PipelineError, Workspace
from pipeline_designer import modules as modules_of_users
from pipeline_designer.remote import RemoteError
from pipelines import workspace as folders
from pipelines.errors import RefusedError
from tests.designer_app.http import Server

m: Any = modules_of_users


@pytest.fixture
def server(workspace: folders.Workspace) -> Iterator[Server]:
    made = Server(workspace, data_roots=(), more_hosts=())
    yield made
    made.stop()


@pytest.fixture
def app(server: Server) -> Workspace:
    return Workspace(f"http://127.0.0.1:{server.client.port}/", key=server.client.token)


def test_a_pipeline_is_checked_run_and_read(app: Workspace, tmp_path: Path) -> None:
    with Pipeline("sums", workspace=app) as p:
        two = m.unknown("constant", value=2.0)
        m.unknown("add", id="sum", a=two.output, b=two.output)
    assert p.check().is_valid
    run = p.run(wait=True, name="From elsewhere")
    assert (run.status, run.report.name) == ("completed", "From elsewhere")
    output = run.output("sum")
    assert (output.type, output.files) == ("Number", ["number.json"])
    assert output.file("number.json").read_text().strip() == "4.0"
    assert (output.download(tmp_path / "sum") / "number.json").is_file()
    assert app.run("last").id == app.runs()[0].id == run.id
    assert run.document.nodes == p.document.nodes
    assert isinstance(run.log("sum"), str)


def test_problems_come_back_as_they_are(app: Workspace) -> None:
    with Pipeline("sums", workspace=app) as p:
        m.unknown("add", id="sum")
    assert {problem.node for problem in p.check()} == {"sum"}
    with pytest.raises(PipelineError, match="sum"):
        p.run()


def test_what_cannot_be_reached_is_said(app: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    address = str(app.backend.address)  # type: ignore[attr-defined]
    with pytest.raises(RemoteError, match="token"):
        Workspace(address, key="wrong").runs()
    with pytest.raises(RemoteError, match="does not respond"):
        Workspace("http://127.0.0.1:9", key="x").runs()
    with pytest.raises(RemoteError):
        app.run("../../etc")
    monkeypatch.delenv("DESIGNER_KEY", raising=False)
    with pytest.raises(RefusedError, match="needs its key"):
        Workspace(address)
    with pytest.raises(RefusedError, match="Use the folder"):
        _ = app.session
