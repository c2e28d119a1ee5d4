"""Lines of a log found on the server."""

from __future__ import annotations

from pathlib import Path

import pytest

from designer_app.api import log_search
from designer_app.api.log_search import MAX_LINE_BYTES, found_lines
from modules.errors import FailedToEvaluateScriptError
from modules.files.redaction import Redaction
from pipelines.events import Event
from pipelines.problems import Problem
from pipelines.sentences.steps import CODE_RAISED
from tests.designer_app.api.runs import FINISHED, new_run
from tests.designer_app.http import Client, Server

FILE = "70_driver_log_0.txt"


def test_lines_are_found_with_their_places(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_bytes("first\nSchöne Grüße\nloss 0.1\nLOSS 0.2".encode() + b"\xff\n")
    found = list(found_lines(log, "Loss"))
    assert [(match.line, match.text) for match in found] == [
        (3, "loss 0.1"),
        (4, "LOSS 0.2\ufffd"),
    ]
    whole = log.read_bytes()
    assert all(whole[match.offset :].lower().startswith(b"loss") for match in found)
    assert list(found_lines(log, "nothing")) == []


def test_no_part_of_a_secret_is_found_where_a_line_or_a_block_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_search, "BLOCK_BYTES", 4096)
    secret = "hunter2-SUPERSECRET-abcdef0123456789"
    log = tmp_path / "log.txt"
    for before in (MAX_LINE_BYTES - 10, 4096 - 10, 2 * 4096 - 30, 0):
        log.write_text(f"{'x' * before}{secret} needle\n{secret} needle\n")
        found = list(found_lines(log, "needle", Redaction([secret])))
        assert [match.line for match in found] == [1, 2]
        assert all(secret[-8:] not in match.text for match in found)
        assert not list(found_lines(log, "SUPERSECRET", Redaction([secret])))
        assert found[-1].offset == before + len(f"{secret} needle\n")


def test_a_log_is_searched_over_http(quiet: Server) -> None:
    client: Client = quiet.client
    store, run_id = new_run(quiet)
    store.append_to(run_id, [FINISHED])
    folder = quiet.application.session.runs.workspace.node_dir(run_id, "a")
    folder.mkdir(parents=True)
    (folder / FILE).write_text("epoch 1\n" * 700, encoding="utf-8")
    path = f"/api/runs/{run_id}/logs/a/{FILE}/matches"
    answer = client.get(f"{path}?text=EPOCH").json
    assert (len(answer["matches"]), answer["more"]) == (500, True)
    assert answer["matches"][2] == {"offset": 16, "line": 3, "text": "epoch 1"}
    assert client.get(f"{path}?text=epoch+2").json == {"matches": [], "more": False}
    assert client.get(path).error == "invalid_request"
    assert client.get(f"{path}?text={'x' * 201}").status == 400
    missing = f"/api/runs/{run_id}/logs/b/{FILE}/matches?text=a"
    assert client.get(missing).status == 404


def test_all_logs_of_a_run_are_searched_at_once(quiet: Server) -> None:
    client: Client = quiet.client
    store, run_id = new_run(quiet)
    store.append_to(run_id, [FINISHED])
    for node in ("a", "sum"):
        folder = quiet.application.session.runs.workspace.node_dir(run_id, node)
        folder.mkdir(parents=True)
        for rank in (1, 0):
            words = f"epoch 1\nrank {rank} of {node}: ConnectionError\n"
            (folder / f"70_driver_log_{rank}.txt").write_text(words, encoding="utf-8")
    path = f"/api/runs/{run_id}/log-matches"
    answer = client.get(f"{path}?text=connectionerror").json
    found = [(each["node"], each["rank"], each["line"]) for each in answer["matches"]]
    assert found == [("a", 0, 2), ("a", 1, 2), ("sum", 0, 2), ("sum", 1, 2)]
    assert answer["more"] is False
    inside = client.get(f"{path}?text=connectionerror&within=sum").json["matches"]
    assert [each["node"] for each in inside] == ["sum", "sum"]
    assert client.get(f"{path}?text=connectionerror&within=su").json["matches"] == []
    assert client.get(path).error == "invalid_request"
    assert client.get("/api/runs/none/log-matches?text=a").status == 404


def test_the_log_of_the_rank_that_failed_first_comes_first(quiet: Server) -> None:
    store, run_id = new_run(quiet)
    reason = FailedToEvaluateScriptError(CODE_RAISED, module="add", traceback="It broke.")
    problem = Problem.from_error(reason, "sum").to_json()
    problem["details"] = {"rank": 1}
    store.append_to(run_id, [Event("StepFailed", "sum", {"problem": problem})])
    folder = quiet.application.session.runs.workspace.node_dir(run_id, "sum")
    folder.mkdir(parents=True)
    for rank in (0, 1, 2):
        (folder / f"70_driver_log_{rank}.txt").write_text("It broke.\n", encoding="utf-8")
    answer = quiet.client.get(f"/api/runs/{run_id}/log-matches?text=broke").json
    assert [match["rank"] for match in answer["matches"]] == [1, 0, 2]
