"""Scripts that run in an image, by the product's own executor, with nothing else of the machine."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from modules.artifacts import Table
from pipelines.document.document import PipelineDocument
from pipelines.environments.definition import EnvironmentDefinition, EnvironmentRecord
from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.events import RunState
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import finish, run, statuses
from tests.pipelines.environments.images import (
    image_of,
    import_image,
    python_archive,
    remove_image,
    tar_of,
)
from tests.pipelines.execution.refusals import node, wired
from tests.pipelines.execution.stubborn_script import MARK, STUBBORN, marked
from tests.polling import wait_for

pytestmark = pytest.mark.extended

LOOK = """
import json, os, sys
from designer_log import designer_log
rank = os.environ.get("RANK", "0")
root = sys.argv[1] if sys.argv[1:] else "inputs"
os.makedirs("inputs", exist_ok=True)
seen = {
    "entries": sorted(os.listdir("/")),
    "only_there": os.path.exists("/etc/only-in-the-image"),
    "passwords": os.path.exists("/etc/passwd"),
    "python": sys.executable,
    "variables": {name: os.environ.get(name) for name in ("FROM_IMAGE", "PATH", "RANK")},
    "modules": os.environ["PYTHONPATH"].split(":"),
    "pid": os.getpid(),
    "images": [[each, os.listdir(f"{root}/{each}")] for each in sorted(os.listdir(root))],
}
for place in ("/new", "/etc/new", "/usr/new"):
    try:
        open(place, "w")
        seen["wrote"] = place
    except OSError:
        pass
os.makedirs(os.path.expanduser("~/kept"), exist_ok=True)
open(f"/tmp/{rank}", "w").close()
open(f"outputs/seen-{rank}.json", "w").write(json.dumps(seen))
for step in range(3):
    designer_log("loss", 1 / (step + 1), step)
print("rank", rank, "is done")
"""
NETWORK = """
import socket
try:
    socket.create_connection(("192.0.2.1", 9), timeout=5)
except OSError as error:
    print(error.strerror)
"""
GRACEFUL = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(print("ended", flush=True)))
print("started", flush=True)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def reference() -> Iterator[str]:
    """An image with a Python in it."""
    changes = ("ENV FROM_IMAGE=yes", "ENV PYTHONPATH=/opt/own")
    with image_of(python_archive(), *changes) as reference:
        yield reference


@pytest.fixture(scope="module")
def environment(shared_runs: RunService, reference: str) -> EnvironmentRecord:
    """One that is this image, kept and not yet built."""
    environments: WorkspaceEnvironments = shared_runs.checks.environments
    asked = EnvironmentDefinition(base="image", image=reference)
    return environments.keep("boxed", environments.resolve(asked))


def boxed(node: dict[str, Any], **settings: Any) -> dict[str, Any]:
    """A node that runs in the image."""
    return {**node, "run_settings": {"environment": "boxed", **settings}}


def document(script: str, settings: dict[str, Any], **parameters: Any) -> PipelineDocument:
    values = {"typed_script": script, "model_file": None, **parameters}
    return wired([boxed(node("script", "run_training_script", **values), **settings)])


def done(runs: RunService, asked: PipelineDocument) -> tuple[str, RunState]:
    runs.checks.allow_code_of(asked)
    run_id, state = run(runs, asked)
    assert set(statuses(state).values()) == {"completed"}, state.steps
    return run_id, state


def log_of(runs: RunService, run_id: str, name: str = "70_driver_log_0.txt") -> str:
    return (runs.workspace.node_dir(run_id, "script") / name).read_text("utf-8")


def seen(runs: RunService, state: RunState, rank: int = 0) -> dict[str, Any]:
    """What a rank of LOOK found."""
    folder = Path(runs.artifacts.outputs(state.steps["script"])["outputs"])
    [place] = folder.rglob(f"seen-{rank}.json")
    content: dict[str, Any] = json.loads(place.read_text("utf-8"))
    return content


def test_a_script_finds_the_files_of_the_image_and_no_others(
    shared_runs: RunService, environment: EnvironmentRecord, tmp_path: Path
) -> None:
    for name in "ab":
        (tmp_path / "photos" / name).mkdir(parents=True)
        Image.new("RGB", (8, 8)).save(tmp_path / "photos" / name / "1.png")
    script = {"typed_script": LOOK, "model_file": None, "arguments": ["{{inputs.images}}"]}
    asked = wired(
        [
            node("import", "import_images", source=f"file:{tmp_path}/photos"),
            node("convert", "convert_to_image_directory"),
            boxed(node("script", "run_training_script", **script), launcher="none"),
        ],
        "import.dataset -> convert.input_dataset",
        "convert.output_image_directory -> script.images",
    )
    run_id, state = done(shared_runs, asked)
    result = seen(shared_runs, state)
    assert result["only_there"]
    assert not result["passwords"]
    assert result["python"].startswith("/usr/bin/python3")
    assert result["variables"]["FROM_IMAGE"] == "yes"
    assert str(Path(sys.executable).parent) not in result["variables"]["PATH"]
    assert result["modules"][0] == "/opt/own"
    assert result["images"] == [["a", ["1.png"]], ["b", ["1.png"]]]
    assert "wrote" not in result
    assert log_of(shared_runs, run_id).strip() == "rank 0 is done"
    metrics = Table(Path(shared_runs.artifacts.outputs(state.steps["script"])["metrics"])).rows
    assert metrics["name"].tolist() == ["loss"] * 3
    facts = state.steps["script"].phases[0]["facts"]
    assert (facts["environment"], facts["is_cached"]) == (environment.reference, False)


def test_two_ranks_run_in_it_from_the_cache(
    shared_runs: RunService, environment: EnvironmentRecord
) -> None:
    assert environment.image
    settings = {"launcher": "pytorch_process", "process_count_per_node": 2}
    run_id, state = done(shared_runs, document(LOOK, settings))
    ranks = [seen(shared_runs, state, rank) for rank in range(2)]
    assert [item["variables"]["RANK"] for item in ranks] == ["0", "1"]
    assert all(item["only_there"] for item in ranks)
    assert ranks[0]["pid"] != ranks[1]["pid"]  # TensorBoard names its files by them
    assert log_of(shared_runs, run_id, "70_driver_log_1.txt").strip() == "rank 1 is done"
    assert state.steps["script"].phases[0]["facts"]["is_cached"]


def test_the_network_is_cut_where_it_is_to_be(
    shared_runs: RunService, environment: EnvironmentRecord
) -> None:
    assert environment.image
    asked = document(NETWORK, {"launcher": "none"}, network="none")
    assert log_of(shared_runs, done(shared_runs, asked)[0]).strip() == "Network is unreachable"


@pytest.mark.full  # as in another environment: test_launching
def test_a_script_between_two_modules_runs_in_it_too(
    shared_runs: RunService, environment: EnvironmentRecord
) -> None:
    assert environment.image
    code = "import os\ndef designer_main():\n return {'table': [{'own': os.environ['FROM_IMAGE']}]}"
    _, state = done(shared_runs, wired([boxed(node("script", "execute_python_script", code=code))]))
    table = Table(Path(shared_runs.artifacts.outputs(state.steps["script"])["table"]))
    assert table.rows.to_dict("records") == [{"own": "yes"}]


def test_what_fails_in_it_is_told_as_anywhere(
    shared_runs: RunService, environment: EnvironmentRecord
) -> None:
    assert environment.image
    for script, settings, said in (
        ("raise ValueError('no luck')", {}, "ValueError: no luck"),
        ("import os; os.kill(os.getpid(), 9)", {}, "was killed"),
        ("import torch", {}, "torch, which is not installed in the environment boxed@1"),
        ("pass", {"launcher": "mpi"}, "Open MPI"),
    ):
        asked = document(script, settings)
        shared_runs.checks.allow_code_of(asked)
        _, state = run(shared_runs, asked)
        assert said in str(state.steps["script"].problem), script


def test_a_script_in_it_may_end_in_its_own_way_when_it_is_asked_to(
    shared_runs: RunService, environment: EnvironmentRecord
) -> None:
    assert environment.image
    asked = document(GRACEFUL, {"launcher": "none"})
    shared_runs.checks.allow_code_of(asked)
    run_id = shared_runs.submit(RunRequest(asked))
    log = shared_runs.workspace.node_dir(run_id, "script") / "70_driver_log_0.txt"
    wait_for(lambda: log.exists() and "started" in log.read_text())
    shared_runs.cancel(run_id)
    finish(shared_runs, run_id)
    assert log.read_text().split() == ["started", "ended"]


@pytest.mark.parametrize("victim", ["host", "runner"])
def test_nothing_in_it_outlives_its_run(
    shared_runs: RunService, environment: EnvironmentRecord, victim: str
) -> None:
    assert environment.image
    settings = {"process_count_per_node": 2, "variables": {MARK: "1"}}
    asked = document(f"{STUBBORN}# {victim}", settings)
    shared_runs.checks.allow_code_of(asked)
    run_id = shared_runs.submit(RunRequest(asked))
    logs = [
        shared_runs.workspace.node_dir(run_id, "script") / f"70_driver_log_{n}.txt" for n in (0, 1)
    ]
    wait_for(lambda: all(log.exists() and "started" in log.read_text() for log in logs))
    runner = current_runner(shared_runs.workspace)
    assert runner is not None
    pids = {item.pid for item in marked()}
    assert len(pids) >= 4
    [host] = {item.ppid() for item in marked() if item.ppid() not in pids}
    os.kill(host if victim == "host" else runner.pid, signal.SIGKILL)
    wait_for(lambda: not marked())
    shared_runs.cancel(run_id)
    assert finish(shared_runs, run_id).steps["script"].status in ("failed", "cancelled")


@pytest.mark.full  # as test_images
def test_a_reference_that_moved_is_told_and_the_locked_image_is_kept(
    shared_runs: RunService, environment: EnvironmentRecord
) -> None:
    import_image(tar_of({"nothing": b""}), environment.image)
    asked = document(f"{LOOK}# moved", {"launcher": "none"})
    _, state = done(shared_runs, asked)
    assert seen(shared_runs, state)["only_there"]
    [message] = state.steps["script"].warnings
    assert f"{environment.image!r} now refers to another image" in message
    remove_image(environment.image)
    _, state = done(shared_runs, document(f"{LOOK}# removed", {"launcher": "none"}))
    assert seen(shared_runs, state)["only_there"]
    assert state.steps["script"].warnings == []
