"""Runs that lost their runner, and the decisions about a failed attempt, without any process."""

from __future__ import annotations

import shutil
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from modules.files.hashing import stat_fingerprint
from modules.files.json_files import write_durably
from modules.sentences.sentence import Sentence
from pipelines.document.target_offer import TargetOffer
from pipelines.events import Event
from pipelines.execution.disk_reserve import RESERVE_BYTES, DiskReserve
from pipelines.execution.recovery import MAX_RESTARTS, recover
from pipelines.execution.running_step import PREEMPTIONS, RunningStep, is_preemption
from pipelines.problems import PROCESS_LOST, UNEXPECTED, Problem
from pipelines.store.artifacts.artifact_store import ArtifactStore, facts_of
from pipelines.store.artifacts.manifest import seal
from pipelines.store.database.connections import Database
from pipelines.store.database.runs import RunStore
from pipelines.workers.secrets_in_use import SecretsInUse
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace
from tests import toy

ENDED = Sentence("It ended.", key="ended")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.at(tmp_path / "workspace").make()


def lost_run(store: RunStore, restarts: int = 0) -> str:
    """A run whose step was started by a runner that is gone, after so many restarts."""
    run_id = store.create({}, ["a", "b"], name="n", experiment="e")
    for attempt in range(1, restarts + 1):
        begun = [Event("RunStarted"), Event("StepStarted", "a", {"attempt": attempt})]
        store.append_to(run_id, [*begun, Event("RunInterrupted", data={"times": attempt})])
    begun = [Event("RunStarted"), Event("StepStarted", "a", {"attempt": restarts + 1})]
    store.append_to(run_id, begun)
    return run_id


def test_a_run_that_lost_its_runner_waits_for_the_next_one(workspace: Workspace) -> None:
    with closing(Database.open(workspace)) as database:
        store = RunStore(database)
        run_id = lost_run(store)
        recover(workspace, database)
        assert not store.state(run_id).is_finished
        assert [event.kind for event in store.events_after(run_id)][-1] == "RunInterrupted"


@pytest.mark.parametrize(("restarts", "go_on"), [(0, False), (MAX_RESTARTS, True)])
def test_it_fails_where_it_must_not_go_on(workspace: Workspace, restarts: int, go_on: bool) -> None:
    with closing(Database.open(workspace)) as database:
        store = RunStore(database)
        run_id = lost_run(store, restarts)
        recover(workspace, database, go_on=go_on)
        state = store.state(run_id)
        assert (state.status, state.steps["a"].status) == ("failed", "failed")


def attempt(workspace: Workspace, run_id: str, node: str = "a", target: str = "") -> StepSpec:
    """The files of a step's first attempt, as its runner left them."""
    node_dir = workspace.node_dir(run_id, node)
    node_dir.mkdir(parents=True)
    spec = StepSpec(
        run_id=run_id,
        node=node,
        attempt=1,
        module_id="constant",
        origin={},
        parameters={},
        inputs={},
        key="k" * 64,
        node_dir=str(node_dir),
        staging_dir=str(workspace.artifacts_dir / f".{run_id}-{node}-1"),
        datasets_dir=str(workspace.datasets_dir),
        weights_dir=str(workspace.weights_dir),
        cache_dir=str(workspace.cache_dir),
        target=target,
    )
    spec.write()
    return spec


@pytest.mark.parametrize("place", ["staged", "moved", "gone"])
def test_a_step_that_has_finished_is_adopted_if_its_output_is_there(
    workspace: Workspace, place: str
) -> None:
    with closing(Database.open(workspace)) as database:
        store, artifacts = RunStore(database), ArtifactStore(workspace, database)
        run_id = lost_run(store)
        spec = attempt(workspace, run_id)
        folder = artifacts.staging_dir(run_id, "a", 1)
        (folder / "output").mkdir(parents=True)
        number = toy.Number.write(folder / "output", 2.0)
        seal(number.path, number, {"key": spec.key, "run_id": run_id, "node": "a"})
        facts = facts_of(folder, stat_fingerprint(folder))
        write_durably(spec.result_path, {**facts, "seconds": 1.5})
        if place == "moved":  # its runner died before it was recorded
            artifacts.take_in(folder, spec.key, run_id, "a", facts, spec.artifact_path)
        elif place == "gone":
            shutil.rmtree(folder)
        recover(workspace, database)
        step = store.state(run_id).steps["a"]
        assert (step.status == "completed") == (place != "gone")
        if place != "gone":
            [record] = artifacts.index.all()
            assert step.artifact_id == record.id
            assert toy.Number(artifacts.folder(record.id, "output")).value == 2.0


def test_secrets_are_kept_only_for_steps_that_continue_elsewhere(workspace: Workspace) -> None:
    with closing(Database.open(workspace)) as database:
        store, secrets = RunStore(database), SecretsInUse(workspace)
        local, remote = (attempt(workspace, lost_run(store), target=name) for name in ("", "far"))
        removed = attempt(workspace, "20260101-000000-abcd")
        for spec in (local, remote, removed):
            secrets.keep(spec.attempt_dir, {"TOKEN": "hunter22"})
            spec.log_path(0).write_text("the token is hunter22", encoding="utf-8")
        recover(workspace, database)
        for spec, is_kept in ((local, False), (remote, True), (removed, False)):
            assert (secrets.of(spec.attempt_dir) is not None) == is_kept
            assert ("hunter22" in spec.log_path(0).read_text(encoding="utf-8")) == is_kept


def test_only_a_lost_process_on_a_preemptible_machine_is_a_preemption() -> None:
    kept, preemptible = TargetOffer("kept"), TargetOffer("spot", is_preemptible=True)
    lost, raised = (Problem.of(kind, ENDED).to_json() for kind in (PROCESS_LOST, UNEXPECTED))
    assert PROCESS_LOST.code in PREEMPTIONS
    assert is_preemption(lost, preemptible)
    assert not is_preemption(lost, kept)
    assert not is_preemption(raised, preemptible)


@pytest.mark.parametrize(
    ("minutes", "seconds", "is_overdue"), [(1.0, 59.0, False), (1.0, 61.0, True), (0.0, 1e6, False)]
)
def test_a_time_limit_counts_from_the_start_of_the_work(
    minutes: float, seconds: float, is_overdue: bool
) -> None:
    attempt = SimpleNamespace(
        _note_start=lambda: None,
        _began=time.monotonic() - seconds,
        step=SimpleNamespace(settings=SimpleNamespace(time_limit_minutes=minutes)),
    )
    assert vars(RunningStep)["is_overdue"].fget(attempt) is is_overdue


def test_reserved_space_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "reserve"
    reserve = DiskReserve(path)
    reserve.hold()
    assert path.stat().st_size == RESERVE_BYTES
    reserve.release()
    assert not path.exists()

    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    reserve.hold()
    assert not path.exists(), "a part of the space is no reserve"
