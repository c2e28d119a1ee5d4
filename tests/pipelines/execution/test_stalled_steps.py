"""What stands still is told: a frozen rank on its node, a frozen runner to whoever asks of it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from modules.operating_system.processes import ProcessIdentity
from pipelines.document.document import PipelineDocument, dump_document, parse_document
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import build, finish
from tests.pipelines.execution.runner_processes import children_of, family, host_of
from tests.pipelines.execution.sleeper_run import SLEEPER, start
from tests.polling import wait_for

pytestmark = pytest.mark.extended

STALLED_SECONDS = 2.0
STEADY = '''
import time
from pathlib import Path
from pydantic import Field
from modules.context import Context
from modules.declare import module
from modules.parameters import Parameters
from modules.artifacts import Artifact


class Beat(Artifact):
    """Nothing."""

    colour = "green"


class SteadyParameters(Parameters):
    end: str = Field("", title="End", description="The file at which it ends.")


@module(title="Steady", category="Own", summary="Tell progress.", icon="bug", distributed=True)
def steady(parameters: SteadyParameters, context: Context) -> Beat:
    """Tell progress until a file is there, in step with the other ranks."""
    context.alive()
    end = Path(parameters.end)
    while end.with_name("gate").exists():
        time.sleep(0.01)
    own = end.with_name(f"beat-{context.rank}")
    done = 0
    while not end.exists():
        done += 1
        own.write_text(str(done))
        others = [own.with_name(f"beat-{rank}") for rank in range(context.world_size)]
        while any(not each.exists() or int(each.read_text() or 0) < done for each in others):
            time.sleep(0.01)
            if end.exists():
                break
        print(f"rank {context.rank} did its step", flush=True)
        context.progress(min(done, 999), 1000, "steps")
        time.sleep(0.05)
    return Beat(context.new_folder())
'''


@pytest.fixture
def impatient(runs: RunService) -> Iterator[RunService]:
    """Runs whose runner calls a step stalled after two seconds."""
    runs.runner.stop()
    command = [sys.executable, "-m", "pipelines.execution.runner_process", "--detach"]
    command += ["--stalled-seconds", str(STALLED_SECONDS), "--workspace", str(runs.workspace.root)]
    subprocess.run(command, check=True)
    wait_for(lambda: current_runner(runs.workspace) is not None)
    (runs.workspace.modules_dir / "steady.py").write_text(STEADY, encoding="utf-8")
    yield runs
    runs.runner.stop()


def steady(runs: RunService, **settings: Any) -> PipelineDocument:
    end = runs.workspace.root / "runs" / "end"
    settings = {"process_count_per_node": 2, **settings}
    return build({}, {"beat": {"module": "steady", "end": str(end), "run_settings": settings}})


def under_way(runs: RunService, document: PipelineDocument) -> tuple[str, ProcessIdentity]:
    """A run that tells its progress, and the second of its ranks."""
    run_id = runs.submit(RunRequest(document))
    wait_for(lambda: steps_done(runs, run_id) > 1)  # now the first one of each rank is printed
    return run_id, second_rank(runs)


def steps_done(runs: RunService, run_id: str) -> int:
    progress = runs.store.state(run_id).steps["beat"].progress
    return 0 if progress is None else int(progress["done"])


def second_rank(runs: RunService) -> ProcessIdentity:
    return ProcessIdentity.of(children_of(host_of(runs).pid)[1])


def test_a_rank_that_stands_still_is_told_with_the_last_words_of_each(
    impatient: RunService,
) -> None:
    run_id, rank = under_way(impatient, steady(impatient))
    rank.signal(signal.SIGSTOP)
    wait_for(lambda: impatient.store.state(run_id).steps["beat"].stalled is not None)
    stalled = impatient.store.state(run_id).steps["beat"].stalled
    assert stalled is not None
    assert stalled["ranks"] == {"0": "rank 0 did its step", "1": "rank 1 did its step"}
    shown = designer(impatient, "runs", "show", run_id)
    assert "stalled: no progress for" in " ".join(shown.output.split())
    content = json.loads(designer(impatient, "runs", "show", run_id, "--json").stdout)
    assert content["nodes"]["beat"]["stalled"]["ranks"]["1"] == "rank 1 did its step"
    rank.signal(signal.SIGCONT)
    wait_for(lambda: impatient.store.state(run_id).steps["beat"].stalled is None)
    (impatient.workspace.root / "runs" / "end").touch()
    assert finish(impatient, run_id).status == "completed"


@pytest.mark.full  # as a rank that stands still
def test_ranks_that_never_begin_are_told(impatient: RunService) -> None:
    gate = impatient.workspace.root / "runs" / "gate"
    gate.touch()
    run_id = impatient.submit(RunRequest(steady(impatient)))
    wait_for(lambda: impatient.store.state(run_id).steps["beat"].stalled is not None)
    gate.unlink()
    wait_for(lambda: impatient.store.state(run_id).steps["beat"].stalled is None)
    (impatient.workspace.root / "runs" / "end").touch()
    assert finish(impatient, run_id).status == "completed"


def test_a_step_that_stands_still_too_long_is_ended_and_tried_again(impatient: RunService) -> None:
    run_id, rank = under_way(impatient, steady(impatient, stall_limit_minutes=0.1))
    rank.signal(signal.SIGSTOP)
    wait_for(lambda: impatient.store.state(run_id).steps["beat"].attempt == 2, 40.0)
    assert not rank.is_alive
    warning = impatient.store.state(run_id).steps["beat"].warnings[0]
    assert "no progress for 0.1 minutes, its stall limit" in warning
    assert "Rank 1: rank 1 did its step" in warning
    (impatient.workspace.root / "runs" / "end").touch()
    assert finish(impatient, run_id).status == "completed"


@pytest.mark.full  # it is ended above; a script fails by its limit below
def test_a_step_that_stalls_each_time_fails_and_says_why(impatient: RunService) -> None:
    run_id, rank = under_way(impatient, steady(impatient, stall_limit_minutes=0.1))
    rank.signal(signal.SIGSTOP)
    wait_for(lambda: impatient.store.state(run_id).steps["beat"].attempt == 2, 40.0)
    step = impatient.store.state(run_id).steps["beat"]
    wait_for(lambda: impatient.store.state(run_id).steps["beat"].progress is not None)
    second_rank(impatient).signal(signal.SIGSTOP)
    state = finish(impatient, run_id)
    assert state.status == "failed", step
    assert state.problem is not None
    assert state.problem["name"] == "StallLimitReached"


@pytest.mark.parametrize(
    ("limit", "minutes", "name"),
    [
        pytest.param(
            *("stall_limit_minutes", 0.05, "StallLimitReached"),
            marks=pytest.mark.full,  # as a step that is tried again
        ),
        ("time_limit_minutes", 0.1, "TimeLimitReached"),
    ],
)
def test_a_script_whose_ranks_wait_for_each_other_is_ended_with_their_last_words(
    runs: RunService, limit: str, minutes: float, name: str
) -> None:
    code = (
        "import os, time\n"
        "open(f\"logs/{os.environ['RANK']}\", 'w').close()\n"
        "print('rank', os.environ['RANK'], 'waits for the other', flush=True)\n"
        "time.sleep(600)\n"
    )
    settings = {"process_count_per_node": 2, limit: minutes}
    values = {"typed_script": code, "source_folder": "", "model_file": ""}
    document = build(
        {}, {"own": {"module": "run_training_script", "run_settings": settings, **values}}
    )
    runs.checks.allow_code_of(document)
    state = finish(runs, runs.submit(RunRequest(document)))
    assert state.problem is not None
    assert state.problem["name"] == name
    for rank in (0, 1):
        assert f"Rank {rank}: rank {rank} waits for the other" in state.problem["message"]


def test_the_stall_limit_is_only_written_where_it_is_set() -> None:
    document = SLEEPER.to_json()
    assert "stall_limit" not in dump_document(SLEEPER)
    document["nodes"][0]["run_settings"]["stall_limit_minutes"] = 2.5
    set_ = parse_document(document)
    assert set_.nodes[0].run_settings.stall_limit_minutes == 2.5
    assert parse_document(dump_document(set_)) == set_
    document["nodes"][0]["run_settings"]["stall_limit_minutes"] = None
    assert parse_document(document) == SLEEPER


def test_a_frozen_runner_is_told_instead_of_waited_for(runs: RunService) -> None:
    run_id = start(runs)
    runner, _ = family(runs)
    runner.signal(signal.SIGSTOP)
    shown = designer(runs, "runs", "show", run_id)
    assert f"The runner (process {runner.pid}) is suspended" in " ".join(shown.output.split())
    status = json.loads(designer(runs, "runner", "status", "--json").stdout)
    assert f"kill -9 {runner.pid}" in status["problem"]
    cancelled = designer(runs, "runs", "cancel", run_id)
    assert cancelled.exit_code == 1
    assert f"kill -CONT {runner.pid}" in " ".join(cancelled.output.split())
    runner.signal(signal.SIGCONT)
    assert finish(runs, run_id).status == "cancelled"


def test_a_runner_that_does_nothing_though_it_is_not_stopped_is_told(runs: RunService) -> None:
    run_id = start(runs)
    runner, _ = family(runs)
    assert (
        json.loads(designer(runs, "runs", "show", run_id, "--json").stdout)["runner_problem"]
        is None
    )
    beat = runs.workspace.heartbeat_path
    pid, when = beat.read_text().split()
    runner.signal(signal.SIGSTOP)  # so that it does not beat again
    beat.write_text(f"{pid} {float(when) - 60}")
    shown = json.loads(designer(runs, "runs", "show", run_id, "--json").stdout)
    assert shown["runner_problem"] is not None
    runner.signal(signal.SIGCONT)
    wait_for(lambda: float(beat.read_text().split()[1]) > float(when))
    assert finish(runs, run_id).status == "completed"
