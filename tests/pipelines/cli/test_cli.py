"""The command line: one JSON object on standard output, exit codes, help in no time, no torch."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from modules.files.object_folder import ObjectFolder
from pipelines.document.document import dump_document
from pipelines.events import Event
from pipelines.registry.pipelines import SavedPipelines
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.cache_keys import library_version
from pipelines.store.database import runs as stored_runs
from tests import s3
from tests.pipelines.cli.commands import as_process, designer
from tests.pipelines.conftest import build
from tests.pipelines.registry.trained import trained_run
from tests.workspaces import store_without_runner

SUM = build(
    {"sum": {"a": "two", "b": "two"}},
    {"two": {"module": "constant", "value": 2.0}, "sum": {"module": "add"}},
)
NODE_FACTS = {"status", "seconds", "outputs", "metrics", "problem"}


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    path = tmp_path / "sum.json"
    path.write_text(dump_document(SUM), encoding="utf-8")
    return path


def answer(runs: RunService, *arguments: str | Path, code: int = 0) -> dict[str, Any]:
    """The JSON object that a command printed, and nothing else on standard output."""
    done = designer(runs, *arguments, "--json")
    return answer_of(done.exit_code, done.stdout, done.stderr, code)


def refusal(runs: RunService, *arguments: str | Path) -> str:
    """What a command says that refuses, as text; programs get all of its parts."""
    error = answer(runs, *arguments, code=1)["error"]
    assert set(error) == {"code", "message", "cure", "reason", "facts"}
    assert error["reason"]
    return f"{error['message']} {error['cure']}"


def answer_of(exit_code: int, stdout: str, stderr: str, code: int = 0) -> dict[str, Any]:
    assert exit_code == code, stderr
    content: dict[str, Any] = json.loads(stdout)
    return content


def test_run_reports_every_node(runs: RunService, pipeline: Path) -> None:
    done = as_process(runs, "run", pipeline, "--experiment", "E", "--name", "N", "--json")
    report = answer_of(done.returncode, done.stdout, done.stderr)
    assert report["status"] == "completed"
    assert report["seconds"] > 0
    assert (report["experiment"], report["name"]) == ("E", "N")
    assert set(report["nodes"]) == {"two", "sum"}
    for facts in report["nodes"].values():
        assert set(facts) >= NODE_FACTS
        assert facts["status"] == "completed"
        assert facts["problem"] is None
        assert all(Path(folder).is_absolute() for folder in facts["outputs"].values())
        assert (Path(facts["outputs"]["output"]) / "number.json").is_file()


def test_a_step_takes_as_long_while_it_is_watched_as_in_the_result(
    runs: RunService, pipeline: Path
) -> None:
    done = as_process(runs, "run", pipeline)
    assert done.returncode == 0, done.stderr
    watched = dict(re.findall(r"completed +(\w+) in (.+)", done.stderr))
    matches = dict(re.findall(r"^(\w+) +completed +(.+? s) ", done.stdout, re.MULTILINE))
    assert watched == matches
    assert set(matches) == {"two", "sum"}


def test_overrides_change_parameters_and_run_settings(runs: RunService, pipeline: Path) -> None:
    report = answer(runs, "run", pipeline, "--set", "two.value=3.5")
    folder = Path(report["nodes"]["sum"]["outputs"]["output"])
    assert json.loads((folder / "number.json").read_text(encoding="utf-8")) == 7.0


def test_run_to_a_node(runs: RunService, pipeline: Path) -> None:
    report = answer(runs, "run", pipeline, "--to", "two")
    assert report["nodes"]["sum"]["status"] == "skipped"
    refused = answer(runs, "run", pipeline, "--to", "nowhere", code=1)
    assert refused["problem"]["name"] == "UnknownNode"


def test_a_failed_run_exits_with_1(runs: RunService, tmp_path: Path) -> None:
    path = tmp_path / "fail.json"
    document = build({}, {"broken": {"module": "fail", "message": "No luck."}})
    path.write_text(dump_document(document), encoding="utf-8")
    report = answer(runs, "run", path, code=1)
    assert report["status"] == "failed"
    problem = report["nodes"]["broken"]["problem"]
    assert set(problem) == {"code", "name", "message", "cure", "reason", "facts", "details"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{", "NotAPipelineDocument"),
        ("[]", "NotAPipelineDocument"),
        ('{"format": "pipeline-designer/99", "id": "x"}', "NewerDocumentFormat"),
    ],
)
def test_what_is_no_pipeline_is_refused(
    runs: RunService, tmp_path: Path, text: str, name: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    assert answer(runs, "validate", path, code=1)["problems"][0]["name"] == name
    assert answer(runs, "run", path, code=1)["problem"]["name"] == name
    assert not runs.store.newest()


def test_validate_lists_problems(runs: RunService, pipeline: Path, tmp_path: Path) -> None:
    assert answer(runs, "validate", pipeline) == {"valid": True, "problems": []}
    path = tmp_path / "loose.json"
    path.write_text(dump_document(build({}, {"sum": {"module": "add"}})), encoding="utf-8")
    report = answer(runs, "validate", path, code=1)
    assert not report["valid"]
    keys = {"code", "name", "severity", "node", "port", "parameter", "message", "cure"}
    assert all(keys <= set(problem) for problem in report["problems"])
    assert {problem["port"] for problem in report["problems"]} == {"a", "b"}


def test_a_detached_run_is_followed_by_other_commands(runs: RunService, pipeline: Path) -> None:
    queued = answer(runs, "run", pipeline, "--detach")
    assert queued["status"] in ("queued", "running", "completed")
    for _ in runs.follow(queued["run_id"]):
        continue
    shown = answer(runs, "runs", "show", "last")
    assert (shown["run_id"], shown["status"]) == (queued["run_id"], "completed")
    listed = answer(runs, "runs", "list")["runs"]
    assert [item["run_id"] for item in listed] == [queued["run_id"]]
    assert "sum/70_driver_log_0.txt" in answer(runs, "runs", "logs", "last")
    assert answer(runs, "runs", "metrics", "last")["metrics"] == {}
    assert "already ended" in refusal(runs, "runs", "cancel", "last")
    assert "No run" in refusal(runs, "runs", "show", "nothing-like-it")


def test_what_was_measured_as_no_number_is_shown_as_that(runs: RunService) -> None:
    run_id = store_without_runner(runs).create(SUM.to_json(), ["two"], name="n", experiment="e")
    values = [math.nan, math.inf, 0.5]
    points = [{"name": "loss", "value": item, "step": step} for step, item in enumerate(values)]
    runs.store.append_to(run_id, [Event("MetricLogged", "two", point) for point in points])
    loss = answer(runs, "runs", "metrics", run_id)["metrics"]["two"]["loss"]
    assert [item["value"] for item in loss] == [None, None, 0.5]
    shown = designer(runs, "runs", "metrics", run_id)
    assert shown.exit_code == 0
    assert [line.split()[-1] for line in shown.stdout.splitlines()[1:]] == ["number", "inf", "0.5"]


def test_a_completed_run_is_not_resumed(runs: RunService, pipeline: Path) -> None:
    first = answer(runs, "run", pipeline)
    assert "is already completed" in refusal(runs, "runs", "resume", "last")
    assert answer(runs, "runs", "show", "last")["nodes"] == first["nodes"]


def test_a_run_is_named_by_the_beginning_or_the_last_part_of_its_id(
    runs: RunService, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = ["20261127-171928-e577", "20261127-171930-4f2a", "20261128-080000-4f2a"]
    monkeypatch.setattr(stored_runs, "new_run_id", iter(ids).__next__)
    for _ in ids:
        store_without_runner(runs).create(SUM.to_json(), ["two", "sum"], name="n", experiment="e")
    for text in (ids[0], "20261127-171928", "e577"):
        assert answer(runs, "runs", "show", text)["run_id"] == ids[0]
    for text in ("4f2a", "20261127", "2026"):
        assert "run IDs start or end with" in refusal(runs, "runs", "show", text)
    for text in ("577", "%577", "171928-e577x"):
        assert "No run ID starts" in refusal(runs, "runs", "show", text)
    compared = answer(runs, "runs", "compare", "e577", "20261128")["runs"]
    assert [item["run_id"] for item in compared] == [ids[0], ids[2]]


def test_artifacts_are_shown_verified_and_swept(runs: RunService, pipeline: Path) -> None:
    report = answer(runs, "run", pipeline)
    assert len(answer(runs, "artifacts", "show")["artifacts"]) == 2
    assert answer(runs, "artifacts", "verify") == {"verified": 2, "damages": []}
    folder = Path(report["nodes"]["two"]["outputs"]["output"])
    one = answer(runs, "artifacts", "show", folder.parent.name)
    assert one["ports"]["output"]["node"] == "two"
    (folder / "number.json").write_text("1", encoding="utf-8")
    damages = answer(runs, "artifacts", "verify", code=1)["damages"]
    assert [damage["message"] for damage in damages] == ["number.json has changed"]
    assert answer(runs, "gc", "--dry-run")["artifact_ids"] == []


def test_modules_lists_users_modules_and_their_mistakes(runs: RunService) -> None:
    (runs.workspace.modules_dir / "broken.py").write_text("def f(:\n", encoding="utf-8")
    catalog = answer(runs, "modules")
    ids = {module["id"] for module in catalog["modules"]}
    assert {"train_pytorch_model", "add"} <= ids
    assert [Path(failure["source"]).name for failure in catalog["failures"]] == ["broken.py"]
    assert catalog["failures"][0]["cure"]


def test_targets_can_be_listed_and_added(runs: RunService) -> None:
    answer(runs, "target", "add", "classroom", "--simulated-nodes", "3")
    offers = {target["name"]: target for target in answer(runs, "target", "list")["targets"]}
    assert set(offers) == {"local", "simulated", "classroom"}
    taken = refusal(runs, "target", "add", "classroom", "--simulated-nodes", "5")
    assert "Choose another name" in taken
    offers = {target["name"]: target for target in answer(runs, "target", "list")["targets"]}
    assert offers["classroom"]["max_nodes"] == 3
    assert "built-in target" in refusal(runs, "target", "add", "local", "--simulated-nodes", "3")
    assert "not found" in refusal(runs, "target", "check", "nowhere")
    assert answer(runs, "target", "remove", "classroom") == {"removed": "classroom"}
    assert "not found" in refusal(runs, "target", "remove", "classroom")
    assert "built-in target" in refusal(runs, "target", "remove", "local")


def test_what_kubernetes_is_given_can_be_shown(runs: RunService) -> None:
    words = ("image=designer:1", "claim=workspace", "user=1000", "max_nodes=2", "namespace=team")
    settings = [item for word in words for item in ("--set", word)]
    answer(runs, "target", "add", "pods", "--kind", "kubernetes", *settings)
    job, service = answer(runs, "target", "show", "pods", "--manifest")["manifests"]
    assert (job["kind"], service["kind"]) == ("Job", "Service")
    assert (job["metadata"]["namespace"], job["spec"]["completions"]) == ("team", 2)
    assert "no manifest" in refusal(runs, "target", "show", "local", "--manifest")
    answer(runs, "target", "remove", "pods")


def test_shards_are_made_and_indexed(runs: RunService, tmp_path: Path) -> None:
    folder, shards = tmp_path / "robins", tmp_path / "shards"
    folder.mkdir()
    (folder / "a.txt").write_text("x", encoding="utf-8")
    made = answer(runs, "dataset", "shard", folder, shards)
    assert made == {"files": 1, "shards": 1, "bytes": 1, "source": f"file:{shards.resolve()}"}
    (shards / "shards.parquet").unlink()
    assert answer(runs, "dataset", "index", shards) == made
    assert "1 file in 1 shard, all verified" in designer(runs, "dataset", "index", shards).stdout
    assert "contains no tar files" in refusal(runs, "dataset", "index", folder)
    assert "other files" in refusal(runs, "dataset", "shard", shards, folder)
    assert "not found" in refusal(runs, "dataset", "shard", tmp_path / "no", shards)
    assert "not found" in refusal(runs, "dataset", "index", tmp_path / "no")


@pytest.mark.extended
def test_shards_in_an_object_store_are_made_indexed_and_kept_by_name(
    runs: RunService, tmp_path: Path, s3_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in s3.environment(s3_port).items():
        monkeypatch.setenv(name, value)
    there = ObjectFolder.parse(f"s3://{s3.new_bucket(s3_port)}/robins")
    folder = tmp_path / "robins"
    folder.mkdir()
    (folder / "a.txt").write_text("x", encoding="utf-8")
    assert "contains no tar files" in refusal(runs, "dataset", "index", there.place)
    assert "no shards.parquet" in refusal(runs, "dataset", "import", there.place)
    made = answer(runs, "dataset", "shard", folder, there.place)
    assert made == {"files": 1, "shards": 1, "bytes": 1, "source": there.place}
    assert answer(runs, "dataset", "index", there.place) == made
    kept = answer(runs, "dataset", "import", there.place)
    assert kept == {"name": "robins", "version": 1, "source": "dataset:robins@1"}
    assert "contains credentials or options" in refusal(
        runs, "dataset", "import", "s3://me:secret@b/robins"
    )


def test_datasets_are_imported_and_listed(runs: RunService, tmp_path: Path) -> None:
    folder = tmp_path / "birds" / "robin"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("x", encoding="utf-8")
    made = answer(runs, "dataset", "import", tmp_path / "birds")
    assert made == {"name": "birds", "version": 1, "source": "dataset:birds@1"}
    listed = answer(runs, "dataset", "list")["datasets"]
    assert listed == [{"name": "birds", "versions": [1]}]
    assert "not found" in refusal(runs, "dataset", "import", tmp_path / "no")
    assert "--yes" in refusal(runs, "dataset", "delete", "birds@1")
    gone = answer(runs, "dataset", "delete", "birds@1", "--yes")
    assert gone["deleted_versions"] == [1]
    again = answer(runs, "dataset", "delete", "birds", "--yes", code=1)
    assert "Dataset 'dataset:birds' not found" in again["error"]["message"]


def test_the_runner_is_started_and_stopped(runs: RunService) -> None:
    runs.runner.stop()
    assert not answer(runs, "runner", "status")["running"]
    runs.runner.ensure()
    assert answer(runs, "runner", "status")["running"]
    assert answer(runs, "runner", "stop")["stopped"]
    assert not answer(runs, "runner", "stop")["stopped"]


def test_doctor_tells_what_this_machine_offers(runs: RunService) -> None:
    done = designer(runs, "doctor", "--json")
    findings = {finding["name"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert {"python", "torch", "cores", "gpus", "memory", "workspace", "disk"} <= set(findings)
    assert all(finding["ok"] or finding["cure"] for finding in findings.values())
    extras = {"postgres": "psycopg", "kubernetes": "kubernetes", "object stores": "s3fs"}
    for name, package in extras.items():
        is_there = importlib.util.find_spec(package) is not None
        assert (library_version(package) in findings[name]["found"]) == is_there, findings[name]


def test_people_get_tables(runs: RunService, pipeline: Path) -> None:
    done = designer(runs, "run", pipeline)
    assert done.exit_code == 0
    assert "completed" in done.stdout
    assert "two" in designer(runs, "runs", "show", "last").stdout
    assert "Add two numbers." in designer(runs, "modules").stdout


SLOW = {"torch", "torchvision", "pandas", "sklearn", "sqlalchemy"}


@pytest.mark.parametrize(
    ("arguments", "slow"),
    [(["--help"], SLOW | {"pydantic", "yaml"}), (["modules", "--json"], SLOW)],
)
def test_looking_around_imports_nothing_slow(
    arguments: list[str], slow: set[str], tmp_path: Path
) -> None:
    program = (
        "import sys; from pipelines.cli import app\n"
        "try: app(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        f"imported = {slow} & set(sys.modules)\n"
        "sys.exit(f'imported {imported}' if imported else 0)\n"
    )
    environment = {**os.environ, "DESIGNER_WORKSPACE": str(tmp_path)}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr


def test_runs_are_found_named_and_deleted(runs: RunService, pipeline: Path) -> None:
    first = answer(runs, "run", pipeline, "--name", "Robins")["run_id"]
    assert answer(runs, "runs", "tag", first, "best", "talk")["tags"] == ["best", "talk"]
    assert answer(runs, "runs", "tag", first, "talk", "--remove")["tags"] == ["best"]
    assert answer(runs, "runs", "rename", first, "Finches")["name"] == "Finches"
    assert answer(runs, "runs", "note", first, "keep")["note"] == "keep"
    result = answer(runs, "runs", "list", "finch", "--tag", "best", "--since", "2020-01-01")
    assert [run["run_id"] for run in result["runs"]] == [first]
    assert answer(runs, "runs", "list", "--status", "failed")["total"] == 0
    again = answer(runs, "runs", "resubmit", first, "--from", "sum")
    assert again["nodes"]["sum"]["status"] == "completed"
    compared = answer(runs, "runs", "compare", first, "last")
    assert (compared["parameters"], len(compared["nodes"])) == ([], 2)
    draft = answer(runs, "runs", "clone", "last")["pipeline_id"]
    assert SavedPipelines(runs.database, lambda: runs.catalog).open(draft).revision == 1
    assert "--yes" in refusal(runs, "runs", "delete", first)
    plan = answer(runs, "runs", "delete", first, "--dry-run")
    done = answer(runs, "runs", "delete", first, "--yes")
    assert {**plan, "is_done": True} == done
    assert [run["run_id"] for run in answer(runs, "runs", "list")["runs"]] == [again["run_id"]]


def test_models_with_garbage_in_their_weights_are_found(runs: RunService) -> None:
    runs.runner.stop()  # it would take the runs for some of its own
    assert answer(runs, "models", "check") == {"checked": 0, "faults": 0, "models": []}
    for seed, value in ((1, None), (2, 3e16), (3, math.nan)):
        answer(runs, "models", "register", "m", trained_run(runs, seed, first_weight=value))
    assert answer(runs, "models", "check", "m@1")["models"][0]["weights"] == "plausible"
    for _ in ("read", "known"):
        weight_report = answer(runs, "models", "check", code=1)
        assert (weight_report["checked"], weight_report["faults"]) == (3, 2)
        states = [model["weights"] for model in weight_report["models"]]
        assert states == ["plausible", "implausible", "implausible"]
        assert "conv1.0.weight: 3e+16" in weight_report["models"][1]["message"]
        assert "Train the model again" in weight_report["models"][1]["cure"]
    printed = designer(runs, "models", "check", "m@3")
    assert printed.exit_code == 1
    assert "conv1.0" in printed.stdout
    verdicts = list((runs.workspace.cache_dir / "weight-checks").iterdir())
    assert len(verdicts) == 3
    assert "not found" in refusal(runs, "models", "check", "n")


def test_models_are_registered_exported_and_deleted(runs: RunService, tmp_path: Path) -> None:
    runs.runner.stop()  # it would take the run for one of its own
    run_id = trained_run(runs)
    made = answer(runs, "models", "register", "shapes", run_id, "--alias", "best")
    assert (made["reference"], made["aliases"]) == ("shapes@1", ["best"])
    assert answer(runs, "models", "list")["models"][0]["name"] == "shapes"
    assert answer(runs, "models", "show", "shapes@best")["lineage"]["run_id"] == run_id
    assert answer(runs, "models", "alias", "shapes@1", "good")["aliases"] == {"best": 1, "good": 1}
    target = tmp_path / "shapes.safetensors"
    assert answer(runs, "models", "export", "shapes", target)["form"] == "safetensors"
    assert "already" in refusal(runs, "models", "export", "shapes", target)
    assert "--yes" in refusal(runs, "models", "delete", "shapes@1")
    assert answer(runs, "models", "delete", "shapes@1", "--yes")["deleted"]
    assert "not found" in refusal(runs, "models", "show", "shapes")
