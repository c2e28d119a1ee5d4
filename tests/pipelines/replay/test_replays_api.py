"""Replays over HTTP: out of a workspace with runs, into one without."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest

from designer_app.api.replays import ReplayAnswer, ReplayCreated, ReplayList
from pipelines.replay.archive import unpack
from pipelines.replay.format import MAX_FILE_BYTES
from pipelines.runs.run_service import RunService
from pipelines.workspace import Workspace
from tests.designer_app.http import Client, Server

BYTES = {"Content-Type": "application/octet-stream"}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Client]:
    """A server of a workspace in which nothing has ever run."""
    server = Server(Workspace.at(tmp_path / "elsewhere").make(), data_roots=(), more_hosts=())
    yield server.client
    server.stop()


def test_a_run_goes_out_as_a_file(recorded_runs: tuple[RunService, str]) -> None:
    runs, run_id = recorded_runs
    server = Server(runs.workspace, data_roots=(), more_hosts=())
    try:
        answer = server.client.get(f"/api/runs/{run_id}/replay")
        assert server.client.get("/api/runs/20200101-000000-abcd/replay").error == "not_found"
    finally:
        server.stop()
    assert answer.status == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="{run_id}.replay"'
    assert unpack(answer.body).replay.run.id == run_id


def test_a_file_comes_in_plays_and_goes(elsewhere: Client, content: bytes) -> None:
    added = elsewhere.send("POST", "/api/replays", content, BYTES)
    assert added.status == 201
    made = ReplayCreated.model_validate(added.json)
    assert made.name == "A <script>run</script>"
    listed = ReplayList.model_validate(elsewhere.get("/api/replays").json).replays
    assert [item.id for item in listed if not item.is_lesson] == [made.id]
    report = elsewhere.get(f"/api/replays/{made.id}").json
    answer = ReplayAnswer.model_validate_json(elsewhere.get(f"/api/replays/{made.id}").body)
    assert [event.id for event in answer.events] == list(range(1, len(answer.events) + 1))
    assert {preview["kind"] for preview in report["previews"]} == {"images"}
    assert all(
        b64decode(picture).startswith(b"\xff\xd8") for picture in report["pictures"].values()
    )
    assert elsewhere.get(f"/api/replays/{made.id}/file").body == content
    assert elsewhere.delete(f"/api/replays/{made.id}").json["deleted"]
    assert elsewhere.get(f"/api/replays/{made.id}").error == "not_found"
    assert elsewhere.get("/api/runs").json["runs"] == []


def test_a_replay_that_was_damaged_is_not_downloaded(
    elsewhere: Client, content: bytes, tmp_path: Path
) -> None:
    made = ReplayCreated.model_validate(elsewhere.send("POST", "/api/replays", content, BYTES).json)
    [file] = Workspace.at(tmp_path / "elsewhere").replays_dir.iterdir()
    file.write_bytes(content[:-40])
    refused = elsewhere.get(f"/api/replays/{made.id}/file")
    assert (refused.status, refused.error) == (422, "InvalidReplay")


def test_what_is_no_replay_is_refused(elsewhere: Client, content: bytes) -> None:
    refused = elsewhere.send("POST", "/api/replays", content[:-40], BYTES)
    assert (refused.status, refused.error) == (422, "InvalidReplay")
    assert "damaged or truncated" in refused.json["error"]["message"]
    assert elsewhere.send("POST", "/api/replays", b"", BYTES).error == "InvalidReplay"
    long = {**BYTES, "Content-Length": str(MAX_FILE_BYTES + 1)}
    assert elsewhere.send("POST", "/api/replays", b"", long).error == "too_large"
    page = {"Content-Type": "text/html"}
    assert elsewhere.send("POST", "/api/replays", content, page).error == "wrong_content_type"
    own = [
        replay
        for replay in elsewhere.get("/api/replays").json["replays"]
        if not replay["is_lesson"]
    ]
    assert own == []


@pytest.mark.parametrize("name", ["..", "%2e%2e%2ftoken", "a.replay", "A", "x" * 65])
def test_addresses_that_lead_elsewhere_are_not_found(elsewhere: Client, name: str) -> None:
    assert elsewhere.get(f"/api/replays/{name}").status == 404
