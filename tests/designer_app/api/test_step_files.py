"""Files of a step's own processes over HTTP, and logs without the values of secrets."""

from __future__ import annotations

from tests.designer_app.api.runs import new_run
from tests.designer_app.http import Server

LOG = "70_driver_log_0.txt"


def test_files_are_listed_and_downloaded(quiet: Server) -> None:
    _, run_id = new_run(quiet)
    node_dir = quiet.application.session.workspace.node_dir(run_id, "a")
    outputs = node_dir / "attempt-0" / "working" / "node-0" / "outputs"
    outputs.mkdir(parents=True)
    (outputs / "page.html").write_bytes(b"0123456789")
    (node_dir / "attempt-0" / "step.json").write_text("{}")
    address = f"/api/runs/{run_id}/nodes/a/files"
    listed = quiet.client.get(address).json
    assert listed == {"files": [{"path": "outputs/page.html", "num_bytes": 10}], "num_files": 1}
    whole = quiet.client.get(f"{address}/outputs/page.html")
    assert whole.body == b"0123456789"
    assert whole.headers["content-disposition"].startswith("attachment")
    part = quiet.client.get(f"{address}/outputs/page.html", range="bytes=2-4")
    assert (part.status, part.body) == (206, b"234")
    for path in ("outputs/none", "outputs/..%2f..%2f..%2fstep.json", "step.json"):
        assert quiet.client.get(f"{address}/{path}").status == 404


def test_a_file_is_kept_as_a_model_by_hand(quiet: Server) -> None:
    _, run_id = new_run(quiet)
    node_dir = quiet.application.session.workspace.node_dir(run_id, "a")
    outputs = node_dir / "attempt-0" / "working" / "node-0" / "outputs"
    outputs.mkdir(parents=True)
    (outputs / "birds.ONNX").write_bytes(b"weights")
    address = f"/api/runs/{run_id}/nodes/a/models"
    body = {"file": "outputs/birds.ONNX", "name": "birds", "alias": "best", "description": "Eight"}
    made = quiet.client.post(address, body)
    assert made.status == 201
    told = made.json
    assert (told["reference"], told["type"], told["run_id"]) == ("birds@1", "ForeignModel", run_id)
    assert (told["aliases"], told["lineage"]["node"]) == (["best"], "a")
    assert (told["lineage"]["framework"], told["lineage"]["file"]) == ("onnx", "birds.ONNX")
    assert quiet.client.get("/api/models/birds/file?as=file").body == b"weights"
    gone = quiet.client.post(address, {**body, "file": "outputs/../step.json"})
    assert (gone.status, gone.error) == (404, "not_found")
    long = quiet.client.post(address, {**body, "file": "x" * 3_000}).json["error"]["message"]
    assert long.count("x") == 100, "the answer is bounded"
    refused = quiet.client.post(address, {**body, "name": "no/name"})
    assert (refused.status, refused.error) == (422, "not_registered")


def test_a_log_is_shown_without_the_values_of_secrets(quiet: Server) -> None:
    _, run_id = new_run(quiet)
    session = quiet.application.session
    session.secrets.set("TOKEN", "hunter22")
    folder = session.workspace.node_dir(run_id, "a")
    folder.mkdir(parents=True)
    (folder / LOG).write_text("the token is hunter22.\n", encoding="utf-8")
    address = f"/api/runs/{run_id}/logs/a/{LOG}"
    assert quiet.client.get(address).body == b"the token is ********.\n"
    part = quiet.client.get(address, range="bytes=13-16")
    assert part.body == b"****"
    assert quiet.client.get(f"{address}/matches?text=hunter").json["matches"] == []
    found = quiet.client.get(f"{address}/matches?text=token").json["matches"]
    assert [each["text"] for each in found] == ["the token is ********."]
