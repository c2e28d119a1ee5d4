"""Patterns are tried and suggested on what a node printed."""

from __future__ import annotations

import pytest

from tests.designer_app.api.runs import FINISHED, new_run
from tests.designer_app.http import Client, Server


@pytest.fixture
def path(quiet: Server) -> str:
    """The address of a node that printed."""
    store, run_id = new_run(quiet)
    store.append_to(run_id, [FINISHED])
    folder = quiet.application.session.runs.workspace.node_dir(run_id, "a")
    folder.mkdir(parents=True)
    lines = [f"epoch {epoch} Loss 0.{epoch} listening on 127.0.0.1:80" for epoch in (1, 2)]
    (folder / "70_driver_log_0.txt").write_text("\n".join([*lines, "Loss nan"]), encoding="utf-8")
    return f"/api/runs/{run_id}/nodes/a/log-patterns"


def test_what_could_be_read_is_suggested(quiet: Server, path: str) -> None:
    answer = quiet.client.post(path, {}).json
    assert (answer["num_lines"], answer["tried"]) == (3, [])
    [suggested] = answer["suggested"]
    assert (suggested["name"], suggested["num_lines"], suggested["problem"]) == ("Loss", 3, None)
    assert suggested["examples"][0] == {
        "line": "epoch 1 Loss 0.1 listening on 127.0.0.1:80",
        "value": 0.1,
        "step": None,
    }
    assert suggested["examples"][2]["value"] is None  # NaN
    again = quiet.client.post(path, {"patterns": [suggested["pattern"]]}).json
    assert again["tried"] == [suggested]


def test_a_pattern_is_tried_and_its_faults_are_told(quiet: Server, path: str) -> None:
    patterns = [r"first = Loss ([\d.]+)", "x = (a+)+b"]
    good, bad = quiet.client.post(path, {"patterns": patterns}).json["tried"]
    assert (good["num_lines"], good["problem"]) == (2, None)
    assert (bad["pattern"], bad["num_lines"]) == ("x = (a+)+b", 0)
    assert "forever" in bad["problem"]


def test_what_cannot_be_tried_is_refused(quiet: Server, path: str) -> None:
    client: Client = quiet.client
    assert client.post(path, {"patterns": ["x"] * 21}).status == 422
    assert client.post(path, {"other": 1}).status == 422
    assert client.post(path.replace("/a/", "/nowhere/"), {}).status == 404


def test_a_node_without_a_log_has_no_lines(quiet: Server, path: str) -> None:
    answer = quiet.client.post(path.replace("/a/", "/two/"), {})
    assert (answer.status, answer.json) == (200, {"num_lines": 0, "tried": [], "suggested": []})
