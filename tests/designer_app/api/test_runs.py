"""Runs over HTTP: queue, look, end, go on, logs and outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import FORMAT, parse_document
from pipelines.events import Event
from tests.designer_app.api.runs import ended, submit
from tests.designer_app.documents import document, link, node, slow
from tests.designer_app.http import Client, Server
from tests.polling import wait_for


@pytest.fixture(scope="module")
def run(client: Client) -> dict[str, Any]:
    """A run that has completed."""
    return ended(client, submit(client, document(), name="First", experiment="tests"))


def test_a_run_is_reported_as_the_command_does(run: dict[str, Any]) -> None:
    assert run["status"] == "completed"
    assert run["name"] == "First"
    assert {each["status"] for each in run["nodes"].values()} <= {"completed", "reused"}
    assert run["state"]["steps"]["whole"]["status"] in ("completed", "reused")
    assert run["document"]["id"] == "toy"


def test_runs_are_listed_newest_first(client: Client, run: dict[str, Any]) -> None:
    listed = client.get("/api/runs?experiment=tests").json
    assert listed["runs"][0]["run_id"] == run["run_id"]
    assert listed["runs"][0]["num_done"] == listed["runs"][0]["num_nodes"] == 2
    assert "tests" in listed["experiments"]
    assert client.get("/api/runs?limit=x").error == "invalid_request"


def test_what_was_said_of_a_run_is_kept(client: Client) -> None:
    run_id = submit(client, document(), description="Why <b>not</b>", pipeline_id="toy", to="two")
    found = ended(client, run_id)
    assert (found["description"], found["pipeline_id"]) == ("Why <b>not</b>", "toy")
    assert found["to"] == "two"
    assert found["nodes"]["whole"]["status"] == "skipped"


def test_a_document_that_cannot_run_is_refused_with_all_problems(client: Client) -> None:
    answer = client.post("/api/runs", {"document": document(links=[])})
    assert answer.status == 422
    assert answer.error
    assert answer.json["problems"][0]["node"] == "whole"
    answer = client.post("/api/runs", {"document": document(), "target": "moon"})
    assert answer.error == "UnknownComputeTarget"
    assert client.post("/api/runs", {"document": document(), "rm": 1}).status == 422
    assert client.post("/api/runs", {"document": [1]}).status == 422
    assert client.post("/api/runs", b"[").error == "not_json"


def test_a_folder_outside_is_not_read(client: Client, tmp_path: Path) -> None:
    source = {"source": f"file:{tmp_path}"}
    content = document(nodes=[node("images", "import_images", **source)], links=[])
    found = ended(client, submit(client, content))
    assert found["nodes"]["images"]["problem"]["name"] == "SourceNotAllowed"
    foreseen = client.post("/api/forecast", content)
    assert "SourceNotAllowed" in foreseen.body.decode() or "outside" in foreseen.body.decode()


def test_a_run_can_be_cancelled_and_resumed(client: Client) -> None:
    run_id = submit(client, slow(30))
    wait_for(lambda: client.get(f"/api/runs/{run_id}").json["nodes"]["nap"]["status"] == "running")
    assert client.post(f"/api/runs/{run_id}/resume").error == "still_running"
    assert client.post(f"/api/runs/{run_id}/cancel").status == 200
    assert ended(client, run_id)["status"] == "cancelled"
    assert client.post(f"/api/runs/{run_id}/cancel").error == "already_ended"
    resumed = client.post(f"/api/runs/{run_id}/resume").json
    assert resumed["status"] in ("queued", "running"), "the runner may be quicker than the answer"
    wait_for(lambda: client.get(f"/api/runs/{run_id}").json["nodes"]["nap"]["status"] == "running")
    assert client.post(f"/api/runs/{run_id}/stop-and-keep").json["stopping"] == ["nap"]
    assert ended(client, run_id)["status"] == "completed"
    assert client.post(f"/api/runs/{run_id}/stop-and-keep").error == "already_ended"


def test_nodes_are_made_anew_beside_an_unchanged_document(client: Client) -> None:
    more = {"forced": ["whole"], "target": "local", "only": ["whole"]}
    ended(client, submit(client, document()))
    found = ended(client, submit(client, document(), **more))
    assert found["nodes"]["two"]["status"] == "reused"
    assert found["nodes"]["whole"]["status"] == "completed"
    assert found["document"]["nodes"] == document()["nodes"]
    assert (found["target"], found["only"]) == ("local", ["whole"])
    assert client.post("/api/runs", {"document": document(), "forced": ["x"]}).status == 422


def test_a_run_that_lost_its_runner_continues_while_its_progress_is_asked_for(
    server: Server,
) -> None:
    runs = server.application.session.runs
    runs.runner.stop()
    run_id = runs.store.create(document(), ["two", "whole"], name="n", experiment="e")
    path = f"/api/runs/{run_id}/training"
    assert wait_for(lambda: server.client.get(path).json["is_finished"])
    assert runs.store.state(run_id).status == "completed"


def test_an_unknown_run_is_not_found(client: Client) -> None:
    for path in ("", "/metrics", "/logs", "/events", "/logs/two/70_driver_log_0.txt"):
        assert client.get(f"/api/runs/20200101-000000-ffff{path}").error == "not_found"


def test_metrics_are_curves(quiet: Server) -> None:
    store = quiet.application.session.runs.store
    points = [("loss", 1, 0.5), ("loss", 2, float("nan"))]
    events = [
        Event("MetricLogged", "two", {"name": name, "step": step, "value": value})
        for name, step, value in points
    ]
    run_id = store.create(document(), ["two"], name="n", experiment="e")
    store.append_to(run_id, [*events, Event("RunFinished", data={"status": "completed"})])
    curve = quiet.client.get(f"/api/runs/{run_id}/metrics").json["metrics"]["two"]["loss"]
    assert [(each["step"], each["value"]) for each in curve] == [(1, 0.5), (2, None)]


def test_metrics_are_thinned(quiet: Server) -> None:
    store = quiet.application.session.runs.store
    run_id = store.create(document(), ["two", "three"], name="n", experiment="e")
    events = [
        Event("MetricLogged", node, {"name": "loss", "step": step, "value": float(step == 3)})
        for node in ("two", "three")
        for step in range(30)
    ]
    store.append_to(run_id, [*events, Event("RunFinished", data={"status": "completed"})])
    path = f"/api/runs/{run_id}/metrics"
    whole = quiet.client.get(path).json["metrics"]
    assert [len(whole[node]["loss"]) for node in ("three", "two")] == [30, 30]
    found = quiet.client.get(f"{path}?node=two&points=8").json["metrics"]
    assert list(found) == ["two"]
    assert len(found["two"]["loss"]) <= 8
    assert max(point["value"] for point in found["two"]["loss"]) == 1
    assert quiet.client.get(f"{path}?points=1000000").error == "invalid_request"


def test_logs_are_read_by_bytes(server: Server, client: Client, run: dict[str, Any]) -> None:
    folder = server.application.session.runs.workspace.node_dir(run["run_id"], "two")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "70_driver_log_0.txt").write_text("<b>one</b>\ntwo\n")
    (folder / "secret.txt").write_text("secret")
    (folder / "70_driver_log_1.txt").symlink_to(folder / "secret.txt")
    path = f"/api/runs/{run['run_id']}/logs"
    assert client.get(path).json["logs"][0]["rank"] == 0
    whole = client.get(f"{path}/two/70_driver_log_0.txt")
    assert (whole.status, whole.body) == (200, b"<b>one</b>\ntwo\n")
    assert whole.headers["content-type"].startswith("text/plain")
    following = client.get(f"{path}/two/70_driver_log_0.txt?offset=11")
    assert (following.body, following.headers["x-designer-size"]) == (b"two\n", "15")
    assert client.get(f"{path}/two/70_driver_log_0.txt?offset=99").body == b""
    part = client.get(f"{path}/two/70_driver_log_0.txt", Range="bytes=3-5")
    assert (part.status, part.body) == (206, b"one")
    assert part.headers["content-range"] == "bytes 3-5/15"
    assert client.get(f"{path}/two/70_driver_log_0.txt", Range="bytes=-4").body == b"two\n"
    assert client.get(f"{path}/two/70_driver_log_0.txt", Range="bytes=20-").status == 416
    (folder / "70_launcher_log.txt").write_bytes(b"")
    empty = client.get(f"{path}/two/70_launcher_log.txt", Range="bytes=-65536")
    assert (empty.status, empty.body, empty.headers["x-designer-size"]) == (200, b"", "0")
    for name in ("secret.txt", "..%2Fsecret.txt", "70_driver_log_1.txt", "70_x/../secret.txt"):
        assert client.get(f"{path}/two/{name}").status == 404


def test_the_log_of_a_step_that_has_not_begun_is_empty(quiet: Server) -> None:
    run_id = quiet.application.session.runs.store.create(
        document(), ["two", "whole"], name="n", experiment="e"
    )
    path = f"/api/runs/{run_id}/logs"
    awaited = quiet.client.get(f"{path}/two/70_driver_log_0.txt", Range="bytes=-65536")
    assert (awaited.status, awaited.body, awaited.headers["x-designer-size"]) == (200, b"", "0")
    found = quiet.client.get(f"{path}/two/70_driver_log_0.txt/matches?text=a")
    assert found.json == {"matches": [], "more": False}
    for name in ("gone/70_driver_log_0.txt", "two/secret.txt", "two/70_driver_log_0.txt.gz"):
        assert quiet.client.get(f"{path}/{name}").error == "not_found"


def test_logs_are_listed_as_nodes_and_ranks_follow_one_another(quiet: Server) -> None:
    runs = quiet.application.session.runs
    run_id = runs.store.create(slow(0), ["two", "nap"], name="n", experiment="e")
    wanted = [("two", None), ("two", 0), ("two", 2), ("two", 10), ("nap", 0)]
    for owner, rank in reversed(wanted):
        folder = runs.workspace.node_dir(run_id, owner)
        folder.mkdir(parents=True, exist_ok=True)
        name = "70_launcher_log.txt" if rank is None else f"70_driver_log_{rank}.txt"
        (folder / name).touch()
    listed = quiet.client.get(f"/api/runs/{run_id}/logs").json["logs"]
    assert [(each["node"], each["rank"]) for each in listed] == wanted


def test_outputs_are_downloads(client: Client, server: Server, run: dict[str, Any]) -> None:
    artifact_id = run["state"]["steps"]["two"]["artifact_id"]
    path = f"/api/artifacts/{artifact_id}/output"
    assert client.get(path).json["type"] == "Number"
    listed = client.get(f"{path}/files").json
    assert [each["path"] for each in listed["files"]] == ["manifest.json", "number.json"]
    answer = client.get(f"{path}/files/number.json")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert float(answer.body) == 2
    (server.application.session.runs.artifacts.folder(artifact_id, "output") / "out").symlink_to(
        "/etc"
    )
    for name in ("../../../designer.db", "..%2f..%2fdesigner.db", "nothing", "out/passwd", "%00"):
        assert client.get(f"{path}/files/{name}").status == 404
    for other in ("/api/artifacts/../output", "/api/artifacts/nothing/output"):
        assert client.get(other).status == 404


@pytest.mark.usefixtures("run")
def test_the_forecast_knows_what_is_there(client: Client) -> None:
    foreseen = client.post("/api/forecast", document()).json
    assert [each["reused"] for each in foreseen["nodes"]] == [True, True]
    assert client.post("/api/forecast", document(links=[])).status == 422


def test_a_document_of_any_format_is_read_complete(client: Client) -> None:
    short = {"format": "pipeline-designer/1", "id": "x", "nodes": [{"id": "a", "module": "whole"}]}
    read = client.post("/api/documents/read", short).json
    assert read == parse_document(short).to_json()
    assert (read["format"], read["nodes"][0]["position"]) == (FORMAT, {"x": 0, "y": 0})
    refused = client.post("/api/documents/read", {"format": FORMAT, "id": "../x"})
    assert (refused.status, refused.json["problems"][0]["name"]) == (422, "InvalidDocument")


def test_checking_says_everything_that_is_wrong(client: Client) -> None:
    assert client.post("/api/validate", document()).json == {"valid": True, "problems": []}
    cycle = document(
        nodes=[node("a", "whole"), node("b", "whole")],
        links=[link("a", "b", "a"), link("b", "a", "a")],
    )
    for path in ("/api/validate", "/api/pipelines/toy/validate"):
        answer = client.post(path, cycle).json
        assert not answer["valid"]
        assert "PipelineHasCycle" in {each["name"] for each in answer["problems"]}
    broken = client.post("/api/validate", {"format": "pipeline-designer/2", "id": "x", "nodes": 1})
    assert broken.json["problems"][0]["name"] == "InvalidDocument"
