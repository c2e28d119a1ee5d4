"""Runs of a workspace whose outputs lie in an object store: stored, reused, waited for."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pipelines.events import RunState
from pipelines.execution.runner_lock import current_runner
from pipelines.replay.library import export
from pipelines.runs.report import run_report
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests import s3, toy
from tests.pipelines.conftest import build, contents, finish, run, statuses, value
from tests.pipelines.execution.store_outage import bring_back, take_away
from tests.polling import wait_for

pytestmark = [pytest.mark.extended, pytest.mark.own_runner]

PAIR = build(
    {"sum": {"a": "two", "b": "two"}},
    {"two": {"module": "constant", "value": 2.0}, "sum": {"module": "add"}},
)
LONGER = build(
    {"sum": {"a": "two", "b": "two"}, "product": {"a": "sum", "b": "two"}},
    {
        "two": {"module": "constant", "value": 2.0},
        "sum": {"module": "add"},
        "product": {"module": "multiply"},
    },
)


@pytest.fixture
def runs(workspace: Workspace, tmp_path: Path) -> Iterator[RunService]:
    """With a store in a folder that may be taken away."""
    (tmp_path / "disk").mkdir()
    settings = f'artifacts = "file://{tmp_path}/disk/store"\n'
    (workspace.root / "designer.toml").write_text(settings, encoding="utf-8")
    with WorkspaceSession(workspace) as session:
        yield session.runs
    (workspace.root / "designer.toml").unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    return tmp_path / "disk"


def empty_folder(runs: RunService) -> None:
    """As on another machine: nothing but the store has the outputs."""
    for path in runs.artifacts.root.iterdir():
        shutil.rmtree(path)


def warnings(state: RunState) -> str:
    return " ".join(warning for step in state.steps.values() for warning in step.warnings)


def test_a_run_has_all_its_outputs_in_the_store_when_it_ends(runs: RunService) -> None:
    _, state = run(runs, PAIR)
    assert statuses(state) == {"two": "completed", "sum": "completed"}
    remote = runs.artifacts.remote
    assert remote is not None
    records = runs.artifacts.index.all()
    assert {record.content for record in records} == {
        content.name for content in remote.store.contents()
    }
    empty_folder(runs)
    _, again = run(runs, PAIR)
    assert set(statuses(again).values()) == {"reused"}
    assert list(runs.artifacts.root.iterdir()) == []  # nobody has read them
    assert value(runs, again, "sum") == 4.0


def test_a_run_ends_well_where_no_room_can_be_made_for_copies(runs: RunService) -> None:
    remote = runs.artifacts.remote
    assert remote is not None
    lock = remote._cache._marks / ".lock"
    lock.mkdir(parents=True)  # what removes copies cannot open it
    _, state = run(runs, PAIR)
    assert state.status == "completed"
    assert runs.artifacts.index.unstored() == []
    assert current_runner(runs.workspace) is not None


def test_what_a_step_reads_comes_from_the_store(runs: RunService) -> None:
    run(runs, PAIR)
    empty_folder(runs)
    _, state = run(runs, LONGER)
    assert statuses(state) == {"two": "reused", "sum": "reused", "product": "completed"}
    assert value(runs, state, "product") == 8.0


def test_a_copy_that_went_while_the_runner_had_work_is_no_damage(runs: RunService) -> None:
    document = build(
        {"long": {"a": "one"}},
        {"one": {"module": "constant"}, "long": {"module": "sleep", "seconds": 60.0}},
    )
    busy = runs.submit(RunRequest(document))
    run_id, _ = run(runs, PAIR)
    for record in runs.artifacts.index.made_by(run_id):
        assert record.content is not None
        shutil.rmtree(runs.artifacts.root / record.id)  # as one that was not used for long
    _, state = run(runs, PAIR)
    assert set(statuses(state).values()) == {"reused"}
    assert not any(record.damaged for record in runs.artifacts.index.all())
    runs.cancel(busy)
    finish(runs, busy)


def test_a_step_whose_stored_output_is_damaged_is_computed_again(
    runs: RunService, disk: Path
) -> None:
    _, state = run(runs, PAIR)
    empty_folder(runs)
    record = runs.artifacts.index.get(state.steps["sum"].artifact_id or "")
    assert record is not None
    tar = disk / "store" / "contents" / str(record.content) / "data.tar"
    tar.write_bytes(tar.read_bytes().replace(b"4.0", b"5.0"))
    _, after = run(runs, LONGER)
    assert statuses(after) == {"two": "reused", "sum": "completed", "product": "completed"}
    assert value(runs, after, "product") == 8.0
    shutil.rmtree(tar.parent.parent / str(runs.artifacts.index.all()[-1].content))
    empty_folder(runs)
    _, last = run(runs, LONGER)  # one that is gone altogether is made again too
    assert "completed" in statuses(last).values()


def test_a_store_that_is_away_is_waited_for(runs: RunService, disk: Path) -> None:
    earlier, state = run(runs, PAIR)
    empty_folder(runs)
    take_away(disk)
    run_id = runs.submit(RunRequest(LONGER))
    waits = f"a response from file://{disk}/store"

    def is_reported() -> bool:
        phases = runs.store.state(run_id).steps["product"].phases
        return bool(phases) and phases[-1]["facts"].get("waits_for") == waits

    wait_for(is_reported)
    report = run_report(runs, earlier, state)  # what can be told is told
    assert {node.outputs == {} for node in report.nodes.values()} == {True}
    bring_back(disk)
    assert statuses(finish(runs, run_id))["product"] == "completed"


@pytest.mark.full  # with a dead runner, too: below
def test_an_output_waits_for_the_store_and_is_not_lost(runs: RunService, disk: Path) -> None:
    document = build(
        {"long": {"a": "two"}},
        {"two": {"module": "constant"}, "long": {"module": "sleep", "seconds": 4.0}},
    )
    run_id = runs.submit(RunRequest(document))
    wait_for(lambda: runs.store.state(run_id).steps["long"].status == "running")
    take_away(disk)
    wait_for(lambda: "waits for the object store" in warnings(runs.store.state(run_id)))
    state = runs.store.state(run_id)
    assert state.steps["long"].status == "completed"  # what follows would begin
    assert not state.is_finished
    assert value(runs, state, "long") == 1.0
    bring_back(disk)
    assert finish(runs, run_id).status == "completed"
    assert runs.artifacts.index.unstored() == []


def test_what_a_dead_runner_did_not_store_the_next_one_does(runs: RunService, disk: Path) -> None:
    document = build(
        {"long": {"a": "two"}},
        {"two": {"module": "constant"}, "long": {"module": "sleep", "seconds": 4.0}},
    )
    run_id = runs.submit(RunRequest(document))
    wait_for(lambda: runs.store.state(run_id).steps["long"].status == "running")
    take_away(disk)
    wait_for(lambda: bool(warnings(runs.store.state(run_id))))
    leader = current_runner(runs.workspace)
    assert leader is not None
    os.kill(leader.pid, signal.SIGKILL)
    bring_back(disk)
    runs.runner.refresh()
    assert finish(runs, run_id).status == "completed"
    assert runs.artifacts.index.unstored() == []


def test_a_cancelled_run_ends_though_the_store_is_away(runs: RunService, disk: Path) -> None:
    document = build(
        {"long": {"a": "two"}},
        {"two": {"module": "constant"}, "long": {"module": "sleep", "seconds": 4.0}},
    )
    run_id = runs.submit(RunRequest(document))
    wait_for(lambda: runs.store.state(run_id).steps["long"].status == "running")
    take_away(disk)
    wait_for(lambda: bool(warnings(runs.store.state(run_id))))
    runs.cancel(run_id)
    assert finish(runs, run_id).is_finished
    bring_back(disk)
    wait_for(lambda: runs.artifacts.index.unstored() == [])


def test_a_place_that_is_another_workspaces_is_refused_before_the_first_step(
    runs: RunService, disk: Path
) -> None:
    (disk / "store").mkdir()
    (disk / "store" / "workspace.json").write_text('{"workspace": "somebody"}')
    _, state = run(runs, PAIR)
    assert state.status == "failed"
    assert state.problem is not None
    assert state.problem["code"] == "3084"
    assert "belongs to another workspace" in state.problem["message"]


@pytest.fixture
def on_s3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Workspace, int]]:
    """A workspace that names a bucket of a server that is not there yet, and its port."""
    missing = s3.lacks()
    if missing:
        pytest.skip(missing)
    port = s3.free_port()
    for name, options in s3.environment(port).items():
        monkeypatch.setenv(name, options)
    workspace = Workspace.at(tmp_path / "workspace").make()
    toy.install(workspace.modules_dir)
    yield workspace, port
    with WorkspaceSession(workspace) as session:
        session.runner.stop()


def designer(workspace: Workspace, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pipelines.cli", *arguments, "--workspace"]
    return subprocess.run(
        [*command, str(workspace.root)], capture_output=True, text=True, check=False
    )


def test_on_s3_nothing_tells_its_secret(on_s3: tuple[Workspace, int]) -> None:
    workspace, port = on_s3
    bucket = "not-made-yet"
    settings = f'artifacts = "s3://{bucket}/prefix"\n'
    (workspace.root / "designer.toml").write_text(settings, encoding="utf-8")
    seen: list[str] = []
    with WorkspaceSession(workspace) as session:
        run_id = session.runs.submit(RunRequest(PAIR))
        node = "two"
        wait_for(lambda: bool(session.runs.store.state(run_id).steps[node].phases))
        watching = threading.Thread(target=lambda: seen.append(_process_lists()))
        watching.start()
        with s3.running(port, bucket):
            assert finish(session.runs, run_id).status == "completed"
            empty_folder(session.runs)
            _, again = run(session.runs, PAIR)
            assert set(statuses(again).values()) == {"reused"}
            assert value(session.runs, again, "sum") == 4.0
            replay = export(session.runs, run_id)
            assert (
                "2 of 2 artifacts are intact" in designer(workspace, "artifacts", "verify").stdout
            )
        away = designer(workspace, "doctor")
        watching.join()
    assert "is not responding" in " ".join(away.stdout.split())
    everything_shown = seen[0] + away.stdout + away.stderr + _unzipped(replay)
    everything_shown += "".join(
        text.decode("latin-1") for text in contents(workspace.root, databases=True).values()
    )
    assert s3.SECRET not in everything_shown


def _process_lists() -> str:
    """The command lines of all processes."""
    results = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            results.append(path.read_text("latin-1"))
    return "".join(results)


def _unzipped(content: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "".join(archive.read(name).decode("latin-1") for name in archive.namelist())
