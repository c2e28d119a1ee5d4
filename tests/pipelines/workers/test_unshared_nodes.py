"""Nodes that do not see the workspace: real processes, each with a folder of its own."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from modules.operating_system.process_table import IS_LINUX
from pipelines.errors import ObjectStoreAwayError
from pipelines.store.objects.object_store import ObjectStore
from pipelines.targets.step_mirror import StepMirror, location_of
from pipelines.workers.agent_files import AgentFiles, end_agents
from pipelines.workers.node_folder import NodeFolder, moved
from pipelines.workers.step_spec import StepSpec
from pipelines.workers.unshared_node import NO_STORE, Mirroring, run_node, run_step
from pipelines.workspace import Workspace
from tests import toy
from tests.pipelines.workers.unshared_nodes import (
    NAME,
    Start,
    left_on,
    mirror,
    spec,
    start,
    store,
    workspace,
    written,
)
from tests.polling import wait_for

__all__ = ["mirror", "spec", "start", "store", "workspace"]
pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(not IS_LINUX, reason="agents run on nodes with Linux"),
]


def test_a_step_reads_from_the_store_and_its_output_is_put_there(
    spec: StepSpec, start: Start, mirror: StepMirror, store: ObjectStore, tmp_path: Path
) -> None:
    assert start(spec).wait(120) == 0
    wait_for(lambda: (spec.attempt_dir / "agents" / "end-0.json").exists())
    assert (tmp_path / "m1" / "end-0.json").exists()
    result = json.loads(spec.result_path.read_text())
    assert result["outputs"] == ["output"]
    assert not Path(spec.staging_dir).exists()
    store.fetch(result["content"], tmp_path / "back", tmp_path)
    assert toy.Number(tmp_path / "back" / "output").value == 42.0
    assert '"running"' in spec.events_path(0).read_text()
    assert left_on(tmp_path / "m1") == []
    mirror.end()
    wait_for(lambda: mirror.is_done)
    assert store._files.listed("steps") == []


def test_what_a_machine_has_fetched_stays_for_the_next_step(
    spec: StepSpec, start: Start, mirror: StepMirror, store: ObjectStore, tmp_path: Path
) -> None:
    kept = next(iter(spec.contents.values()))
    assert start(spec).wait(120) == 0
    mirror.end()
    wait_for(lambda: mirror.is_done)
    store.remove(kept)
    second = replace(spec, attempt=2)
    module = toy.install(second.attempt_dir / "code")
    written(replace(second, origin={**spec.origin, "location": str(module)}))
    again = StepMirror(Workspace(tmp_path / "a workspace"), second, NAME, was_adopted=False)
    wait_for(lambda: again.has_started)
    assert start(second).wait(120) == 0
    again.end()
    wait_for(lambda: again.is_done)


@pytest.mark.parametrize("way", ["cancelled", "forgotten", "stopped"])
def test_a_step_that_is_wanted_no_more_ends_and_leaves_nothing(
    spec: StepSpec, start: Start, workspace: Workspace, store: ObjectStore, way: str
) -> None:
    slow = written(
        replace(
            spec, module_id="sleep", parameters={"seconds": 600.0}, inputs={"a": spec.inputs["a"]}
        )
    )
    mirror = StepMirror(workspace, slow, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_started)
    node = start(slow)
    wait_for(slow.events_path(0).exists)
    if way == "stopped":  # early, with what there is
        (Path(slow.node_dir) / "stop").touch()
    elif way == "cancelled":
        end_agents(slow.attempt_dir)
    else:
        mirror.leave()
        wait_for(lambda: mirror.is_done)
        store.remove_step(f"steps/{NAME}")
    assert (node.wait(60) == 0) == (way == "stopped")
    assert left_on(workspace.root.parent / "m1") == []
    mirror.end()
    wait_for(lambda: mirror.is_done)


def test_an_output_that_is_damaged_in_the_store_is_the_problem(
    spec: StepSpec, start: Start, mirror: StepMirror, tmp_path: Path
) -> None:
    [tar] = (tmp_path / "store" / "contents").rglob("data.tar")
    tar.write_bytes(b"x")
    assert start(spec).wait(120) == 1
    wait_for(lambda: (spec.attempt_dir / "agents" / "end-0.json").exists())
    problem = json.loads(spec.error_path(0).read_text())["problem"]
    assert problem["name"] == "InputLost"
    assert mirror.refusal is None


def test_without_what_the_runner_puts_nothing_starts(
    spec: StepSpec, start: Start, tmp_path: Path
) -> None:
    assert start(spec).wait(120) == NO_STORE
    assert left_on(tmp_path / "m1") == []


def test_paths_of_the_workspace_lead_to_the_nodes_folder() -> None:
    values = {"a": ["/w", "/w/x", "/wider", 1, None], "b": {"c": "/w/ä b"}}
    assert moved(values, "/w", "/n") == {
        "a": ["/n", "/n/x", "/wider", 1, None],
        "b": {"c": "/n/ä b"},
    }


def test_until_a_step_has_begun_its_machines_and_the_runner_look_often(
    workspace: Workspace, spec: StepSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.targets.step_mirror.SYNC_INTERVAL_SECONDS", 3600.0)
    AgentFiles(spec.attempt_dir).write("node-0.json", {"host": "m1"})
    mirror = StepMirror(workspace, spec, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_started)
    place = location_of(workspace, NAME, spec.attempt_dir, 1)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    node = NodeFolder(place, 0)
    node.start()
    monkeypatch.setattr("pipelines.workers.node_folder.STARTUP_PHASE_SECONDS", 0.0)
    assert node.is_starting
    looks = Mirroring(node.sync, 3600.0, lambda: True)
    (node.folder / "events-0.jsonl").write_text("{}\n")
    wait_for(spec.events_path(0).exists)
    assert not node.is_starting
    mirror.leave()
    looks.stop()
    node.clear()


def test_machines_of_a_step_that_reads_nothing_do_not_wait_for_each_other(
    workspace: Workspace, spec: StepSpec, start: Start
) -> None:
    own = replace(spec, module_id="constant", parameters={"value": 3.0})
    alone = written(replace(own, inputs={}, contents={}))
    mirror = StepMirror(workspace, alone, NAME, was_adopted=False)
    wait_for(lambda: mirror.has_started)
    assert start(alone).wait(120) == 0
    agents = AgentFiles(spec.attempt_dir)
    wait_for(lambda: "end-0.json" in agents.names())
    assert "fetched.json" not in agents.names()
    mirror.end()
    wait_for(lambda: mirror.is_done)


@pytest.fixture
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That of a machine on which this process is the node."""
    (tmp_path / "m1").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "m1"))
    return tmp_path / "m1"


@contextmanager
def started_node(workspace: Workspace, spec: StepSpec) -> Iterator[NodeFolder]:
    """The folder of a node that has begun with a step."""
    written(spec)
    name = f"designer-{spec.node}-{spec.attempt}"
    mirror = StepMirror(workspace, spec, name, was_adopted=False)
    wait_for(lambda: mirror.has_started)
    node = NodeFolder(location_of(workspace, name, spec.attempt_dir, 1), 0)
    node.start()
    yield node
    mirror.leave()
    wait_for(lambda: mirror.is_done)


def silent(node: NodeFolder, seconds: float) -> None:
    """It has been killed, and that is a while ago."""
    for path in (node.folder, *(node.folder / "agents").iterdir()):
        os.utime(path, (time.time() - seconds, time.time() - seconds))


@pytest.mark.parametrize("ends", ["late", "without a word", "before it had begun"])
def test_the_end_of_an_attempt_leaves_a_later_one_on_that_machine_alone(
    workspace: Workspace, spec: StepSpec, own_temporary_folder: Path, ends: str
) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(started_node(workspace, spec))
        (first.root / "artifacts" / ".run-node-1").mkdir()
        second = stack.enter_context(started_node(workspace, replace(spec, attempt=2)))
        checkpoint = second.node_dir / "checkpoint" / "weights.pt"
        checkpoint.parent.mkdir()
        checkpoint.touch()
        if ends == "late":
            first.clear()
        else:
            if ends == "before it had begun":
                first.spec_path.unlink()
                (first.root / "artifacts" / ".run-node-1").rmdir()
            silent(first, 400 if ends == "without a word" else 90_000)
            folder = str(workspace.node_dir("run", "other"))
            other = stack.enter_context(
                started_node(workspace, replace(spec, node="other", node_dir=folder))
            )
            other.clear()
        assert not first.folder.exists()
        assert not (first.root / "artifacts" / ".run-node-1").exists()
        assert second.spec_path.exists()
        assert checkpoint.exists()
        second.clear()
    assert left_on(own_temporary_folder) == []


def test_a_machine_that_cannot_tell_of_its_end_keeps_nothing_of_the_step(
    workspace: Workspace,
    spec: StepSpec,
    tmp_path: Path,
    own_temporary_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pipelines.workers.node_folder.END_REPORT_TIMEOUT_SECONDS", 0.0)

    def lose_the_store(node: NodeFolder) -> NoReturn:
        (tmp_path / "store").rename(tmp_path / "away")
        (tmp_path / "store").touch()
        (node.folder / "result.json").write_text("{}")
        raise ObjectStoreAwayError("the store", "it is gone")

    with started_node(workspace, spec) as node:
        run = partial(run_step, agent=lose_the_store)
        assert run_node(own_temporary_folder, node.location, 0, {}, run) == NO_STORE
        assert left_on(own_temporary_folder) == []
        (tmp_path / "store").unlink()
        (tmp_path / "away").rename(tmp_path / "store")


def test_what_a_step_reads_stays_for_as_long_as_it_runs(
    workspace: Workspace, spec: StepSpec, store: ObjectStore, own_temporary_folder: Path
) -> None:
    inputs = Path(spec.inputs["a"]).parent.name
    folder = str(workspace.node_dir("run", "other"))
    content = store.put(own_temporary_folder, own_temporary_folder.parent)
    other = replace(spec, node="other", node_dir=folder, contents={"another": content})
    other = replace(other, artifacts_cache_bytes=1)
    with started_node(workspace, spec) as long, started_node(workspace, other) as later:
        long.fetch_inputs(spec)
        mark = long.root / "cache" / "artifact_uses" / inputs
        os.utime(mark, (time.time() - 4000, time.time() - 4000))  # when it began
        later.fetch_inputs(other)
        assert (long.root / "artifacts" / inputs).is_dir()
        long.clear()
        later.fetch_inputs(other)
        assert not (long.root / "artifacts" / inputs).exists()
        later.clear()
