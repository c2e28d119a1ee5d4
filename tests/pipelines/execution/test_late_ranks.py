"""Ranks that write an output after the first one has returned: it is sealed once all have ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import read_json
from pipelines.events import RunState
from pipelines.runs.report import leading_ranks
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.manifest import MANIFEST, damages_of
from tests.pipelines.conftest import build, finish, run
from tests.polling import wait_for

pytestmark = pytest.mark.extended

LATE = '''
import os, signal, time
from typing import Literal
from modules import Artifact, Context, Field, Parameters, module


class Parts(Artifact):
    """``<rank>.txt`` of each rank."""

    colour = "green"


class LateParameters(Parameters):
    seconds: float = Field(0.0, ge=0, title="Seconds", description="From a rank to the next one.")
    ending: Literal["good", "raises", "killed", "never"] = Field(
        "good", title="Ending", description="Of the last rank, in the first attempt."
    )


@module(title="Late", category="Own", summary="Write in turn.", icon="bug", distributed=True)
def late(parameters: LateParameters, context: Context) -> Parts:
    """Each rank writes later than the one before, which has long returned then."""
    time.sleep(parameters.seconds * context.rank)
    is_last = context.rank == context.world_size - 1
    if is_last and parameters.ending != "good" and context.attempt_dir.name == "attempt-1":
        time.sleep(0.5)  # the others have returned by now
        (context.attempt_dir / "late").touch()
        if parameters.ending == "never":
            time.sleep(600)
        if parameters.ending == "raises":
            raise ValueError("the last one has had enough")
        os.kill(os.getpid(), signal.SIGKILL)
    folder = context.new_folder()
    (folder / f"{context.rank}.txt").write_text(str(context.rank) * 100_000)
    return Parts(folder)
'''
PLACES = {
    "processes": {"target": "local", "process_count_per_node": 2},
    "nodes": {"target": "simulated", "node_count": 2, "process_count_per_node": 2},
}


@pytest.fixture
def late_runs(runs: RunService) -> RunService:
    (runs.workspace.modules_dir / "late.py").write_text(LATE, encoding="utf-8")
    return runs


@pytest.fixture(params=PLACES)
def spread(request: pytest.FixtureRequest) -> dict[str, Any]:
    return PLACES[request.param]


def num_ranks(spread: dict[str, Any]) -> int:
    return int(spread.get("node_count", 1) * spread["process_count_per_node"])


def node(spread: dict[str, Any], **facts: Any) -> dict[str, Any]:
    return {"module": "late", "run_settings": spread, **facts}


def written_by_all(spread: dict[str, Any]) -> list[str]:
    return [f"{rank}.txt" for rank in range(num_ranks(spread))]


def parts(runs: RunService, state: RunState, name: str) -> Path:
    return Path(runs.artifacts.outputs(state.steps[name])["output"])


def test_what_every_rank_writes_late_is_in_the_output_and_its_hashes(
    late_runs: RunService, spread: dict[str, Any]
) -> None:
    nodes = {"late": node(spread, seconds=0.5), "alone": {"module": "late"}}
    _, state = run(late_runs, build({}, nodes))
    assert state.status == "completed", state.problem
    folder, alone = (parts(late_runs, state, name) for name in nodes)
    content = read_json(folder / MANIFEST)["content"]
    assert list(content) == written_by_all(spread)
    assert [*damages_of(folder)] == []
    assert {"0.txt": content["0.txt"]} == read_json(alone / MANIFEST)["content"]


@pytest.mark.parametrize(("ending", "said"), [("raises", "has had enough"), ("killed", "SIGKILL")])
def test_the_end_of_a_rank_for_which_the_first_one_waits_is_the_problem(
    late_runs: RunService, spread: dict[str, Any], ending: str, said: str
) -> None:
    run_id, state = run(late_runs, build({}, {"late": node(spread, ending=ending)}))
    problem = state.steps["late"].problem
    assert problem is not None
    assert said in problem["message"]
    assert leading_ranks(state) == {("late", num_ranks(spread) - 1)}
    assert problem["details"] is not None
    assert [who for who, _ in problem["details"]["echoes"]["rows"]] == ["rank 0"]
    attempt = late_runs.workspace.node_dir(run_id, "late") / "attempt-1"
    assert not (attempt / "result.json").exists()
    assert [*late_runs.workspace.artifacts_dir.rglob("*.txt")] == []


def test_another_attempt_seals_what_its_own_ranks_write(
    late_runs: RunService, spread: dict[str, Any]
) -> None:
    again = node({**spread, "retries": 1}, ending="killed")
    _, state = run(late_runs, build({}, {"late": again}))
    assert (state.status, state.steps["late"].attempt) == ("completed", 2)
    assert list(read_json(parts(late_runs, state, "late") / MANIFEST)["content"]) == written_by_all(
        spread
    )


def test_a_step_whose_first_rank_waits_can_be_cancelled(
    late_runs: RunService, spread: dict[str, Any]
) -> None:
    run_id = late_runs.submit(RunRequest(build({}, {"late": node(spread, ending="never")})))
    attempt = late_runs.workspace.node_dir(run_id, "late") / "attempt-1"
    wait_for(lambda: (attempt / "late").exists())
    late_runs.cancel(run_id)
    assert finish(late_runs, run_id).status == "cancelled"
    assert not (attempt / "result.json").exists()
