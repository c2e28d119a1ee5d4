"""Commands of published pipelines, schedules, keys, endpoints and inference pipelines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import dump_document
from pipelines.registry.models import ModelRegistry
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.registry.trained import DOCUMENT, trained_run
from tests.pipelines.runs.published import with_parameter


def answer(runs: RunService, *arguments: str | Path, code: int = 0) -> dict[str, Any]:
    """The JSON object that a command printed."""
    done = designer(runs, *arguments, "--json")
    assert done.exit_code == code, done.output
    return dict(json.loads(done.stdout))


def text(runs: RunService, *arguments: str | Path) -> str:
    done = designer(runs, *arguments)
    assert done.exit_code == 0, done.output
    return str(done.stdout)


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    path = tmp_path / "toy.json"
    path.write_text(dump_document(with_parameter()), encoding="utf-8")
    return path


def test_a_pipeline_is_published_run_scheduled_and_removed(
    runs: RunService, pipeline: Path
) -> None:
    made = answer(runs, "published", "add", "nightly", pipeline, "--description", "Toy")
    assert made == {"name": "nightly", "version": 1}
    assert "nightly" in text(runs, "published", "list")
    shown = answer(runs, "published", "show", "nightly")
    assert [parameter["id"] for parameter in shown["parameters"]] == ["value"]
    assert "value" in text(runs, "published", "show", "nightly")
    report = answer(
        runs, "published", "run", "nightly", "--param", "value=5", "--idempotency-key", "k"
    )
    assert report["status"] == "completed"
    again = answer(
        runs, "published", "run", "nightly", "--param", "value=5", "--idempotency-key", "k"
    )
    assert again["run_id"] == report["run_id"]
    resubmitted = answer(runs, "runs", "resubmit", "last", "--param", "value=6")
    record = runs.store.record(resubmitted["run_id"])
    assert record is not None
    assert record.document["parameters"][0]["default"] == 6
    # another version, of a run
    assert answer(runs, "published", "add", "nightly", report["run_id"])["version"] == 2
    added = answer(
        runs, "schedules", "add", "s", "nightly", "--cron", "0 8 * * *", "--zone", "Europe/Berlin"
    )
    assert len(added["next_times"]) == 5
    assert "08:00 CE" in text(runs, "schedules", "show", "s")
    assert "Europe/Berlin" in text(runs, "schedules", "list")
    refused = answer(runs, "published", "remove", "nightly", "--yes", code=1)
    assert refused["error"]["code"] == "in_use"
    assert answer(runs, "schedules", "pause", "s")["paused"]
    assert answer(runs, "schedules", "resume", "s")["paused"] is None
    lines = answer(runs, "schedules", "lines")
    assert str(runs.workspace.root) in lines["cron"]
    assert "ExecStart=" in lines["systemd"]
    answer(runs, "schedules", "remove", "s", "--yes")
    answer(runs, "published", "remove", "nightly", "--yes")
    assert answer(runs, "published", "list") == {"published": []}


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--cron", "* * *"],
        ["--cron", "0 8 * * *", "--every", "5"],
        ["--every", "0.5"],
        ["--every", "5", "--zone", "Mars/Olympus"],
        ["--every", "5", "--until", "2001-01-01"],
        ["--every", "5", "--until", "tomorrow"],
        ["--every", "5", "--missed", "never"],
        ["--every", "5", "--overlap", "never"],
        ["--every", "5", "--jitter", "-1"],
        ["--every", "5", "--param", "none=1"],
        ["--every", "5", "--version", "7"],
        ["--when", "dataset:none"],
    ],
    ids=" ".join,
)
def test_schedules_that_are_refused(runs: RunService, pipeline: Path, options: list[str]) -> None:
    answer(runs, "published", "add", "nightly", pipeline)
    done = designer(runs, "schedules", "add", "s", "nightly", *options)
    assert done.exit_code == 1
    assert "Traceback" not in done.output
    assert answer(runs, "schedules", "list") == {"schedules": []}


def test_keys_are_shown_once(runs: RunService, pipeline: Path) -> None:
    answer(runs, "published", "add", "nightly", pipeline)
    for group, name in (("published", "nightly"), ("endpoints", "birds")):
        key = answer(runs, group, "rotate", name, "1")["key"]
        assert len(key) > 40
        listed = designer(runs, group, "keys", name, "--json").stdout
        assert key not in listed
        assert [entry["slot"] for entry in json.loads(listed)["keys"]] == [1]
        assert answer(runs, group, "rotate", name, "1")["key"] != key
        assert designer(runs, group, "rotate", name, "3").exit_code == 1
        answer(runs, group, "revoke", name, "1")
        assert answer(runs, group, "keys", name)["keys"] == []


def test_inference_pipelines_name_the_registered_model(runs: RunService, tmp_path: Path) -> None:
    run_id = trained_run(runs)
    document = tmp_path / "train.json"
    document.write_text(dump_document(DOCUMENT), encoding="utf-8")
    refused = designer(runs, "inference", document)
    assert refused.exit_code == 1
    assert "registered" in refused.output
    registry = ModelRegistry(runs.database, runs.artifacts)
    [(_, artifact_id, port)] = registry.trained_by(run_id)
    registry.register(artifact_id, port, "shapes")
    output = tmp_path / "score.json"
    made = answer(runs, "inference", run_id, "--output", output)
    kinds = {change["kind"] for change in made["changes"]}
    assert kinds == {"replaced", "added"}
    written = json.loads(output.read_text(encoding="utf-8"))
    [model] = [node for node in written["nodes"] if node["module"] == "registered_model"]
    assert model["parameters"] == {"model": "shapes@1"}
    assert "Web Service Input" in text(runs, "inference", document)
