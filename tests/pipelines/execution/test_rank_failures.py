"""One rank fails and the others because of it: its own error leads, theirs are folded."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modules.errors import ModuleError, TimeoutOccuredError
from modules.sentences import compute
from pipelines.events import ProblemData
from pipelines.problems import RANK_LOST, Problem
from pipelines.runs.report import leading_ranks
from pipelines.runs.run_service import RunService
from pipelines.sentences import steps
from pipelines.workers.rank_errors import Cause, cause_of, first_failure, leave_echo, leave_error
from pipelines.workers.step_spec import StepSpec
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import build, run

pytestmark = pytest.mark.extended

FALLING = '''
import signal, time
from pathlib import Path
from pydantic import Field
from modules.context import Context
from modules.declare import module
from modules.parameters import Parameters
from modules.artifacts import Artifact


class Nothing(Artifact):
    """Never made."""

    colour = "green"


class FallingParameters(Parameters):
    folder: str = Field("", title="Folder", description="Where ranks see each other.")


@module(title="Falling", category="Own", summary="Ranks fall.", icon="bug", distributed=True)
def falling(parameters: FallingParameters, context: Context) -> Nothing:
    """Rank 1 fails last, and is the reason; rank 2 waits until it is ended."""
    folder = Path(parameters.folder)
    if context.rank == 1:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    (folder / f"rank-{context.rank}").touch()
    while len(list(folder.glob("rank-*"))) < 3:
        time.sleep(0.01)
    if context.rank == 0:
        raise RuntimeError("[pair.cc:554] Connection closed by peer [127.0.0.1]:31337")
    while context.rank == 2 or not (context.attempt_dir / "error-0.json").exists():
        time.sleep(0.01)
    raise ValueError("the labels are wrong")
'''


def test_the_first_real_error_leads_and_the_others_are_one_line(
    runs: RunService, tmp_path: Path
) -> None:
    (runs.workspace.modules_dir / "falling.py").write_text(FALLING, encoding="utf-8")
    settings = {"target": "simulated", "node_count": 3}
    node = {"module": "falling", "folder": str(tmp_path), "run_settings": settings}
    run_id, state = run(runs, build({}, {"fall": node}))
    problem = state.steps["fall"].problem
    assert problem is not None
    assert problem["message"].endswith("ValueError: the labels are wrong")
    assert "Connection closed" not in problem["message"]
    assert leading_ranks(state) == {("fall", 1)}
    assert problem["details"] is not None
    echoes = problem["details"]["echoes"]
    assert echoes["title"] == "2 other ranks ended as a result"
    assert [who for who, _ in echoes["rows"]] == ["rank 0", "rank 2"]
    assert "Connection closed by peer" in echoes["rows"][0][1]
    assert "SIGTERM" in echoes["rows"][1][1]
    folded, unfolded = (
        " ".join(designer(runs, "runs", "show", run_id, *more).output.split())
        for more in ((), ("--ranks",))
    )
    assert "2 other ranks ended as a result (--ranks shows them)" in folded
    assert "Connection closed by peer" not in folded
    assert "rank 0: RuntimeError" in unfolded
    content = json.loads(designer(runs, "runs", "show", run_id, "--json").stdout)
    assert content["nodes"]["fall"]["problem"]["details"]["echoes"] == echoes


@pytest.fixture
def step(tmp_path: Path) -> StepSpec:
    """Four ranks of which none has said anything."""
    (tmp_path / "attempt-1").mkdir()
    names = ("node_dir", "staging_dir", "datasets_dir", "weights_dir", "cache_dir")
    facts: dict[str, Any] = {name: str(tmp_path) for name in names}
    facts |= {"parameters": {}, "inputs": {}, "origin": {}, "attempt": 1}
    facts |= dict.fromkeys(("run_id", "node", "module_id", "key"), "x")
    return StepSpec(**facts, process_count_per_node=4)


def problem_of(text: str) -> ProblemData:
    return Problem.from_error(ModuleError(text, cure="None.")).to_json()


def leave(spec: StepSpec, *left: tuple[int, str, Cause, float]) -> None:
    """Errors of ranks, each at a time of its machine's clock."""
    for rank, text, cause, at in left:
        leave_error(spec.error_path(rank), problem_of(text), cause)
        written = json.loads(spec.error_path(rank).read_text())
        spec.error_path(rank).write_text(json.dumps({**written, "time": at}))


def test_a_cause_leads_whatever_the_clocks_of_machines_say(step: StepSpec) -> None:
    leave(step, (0, "lost", "lost", 10.0), (1, "ended", "ended", 20.0), (3, "own", "own", 9_000.0))
    problem = first_failure(step)
    assert problem is not None
    assert problem["details"] is not None
    assert (problem["message"], problem["details"]["rank"]) == ("own", 3)
    assert problem["details"]["echoes"]["rows"] == [["rank 0", "lost"], ["rank 1", "ended"]]


def test_ranks_that_fail_by_themselves_are_no_consequence(step: StepSpec) -> None:
    leave(step, (0, "first", "own", 10.0), (1, "a\nsecond", "own", 11.0))
    problem = first_failure(step)
    assert problem is not None
    assert problem["details"] is not None
    assert problem["details"]["echoes"]["title"] == "1 other rank failed too"
    assert problem["details"]["echoes"]["rows"] == [["rank 1", "second"]]


def test_an_end_by_the_host_leads_where_nobody_says_more(step: StepSpec) -> None:
    """As when a machine is taken away: that is worth another try, a lost connection is not."""
    leave(step, (0, "lost", "lost", 10.0))
    ended = Problem.of(RANK_LOST, steps.RANK_ENDED, rank=2, signal="SIGTERM", last="").to_json()
    leave_echo(step.error_path(2), ended)
    problem = first_failure(step)
    assert problem is not None
    assert problem["code"] == RANK_LOST.code


def test_what_a_rank_said_itself_is_kept_when_it_is_ended(step: StepSpec) -> None:
    leave(step, (0, "own", "own", 10.0))
    leave_echo(step.error_path(0), problem_of("ended"))
    problem = first_failure(step)
    assert problem is not None
    assert problem["message"] == "own"
    assert "echoes" not in (problem["details"] or {})


def test_evidence_of_its_own_is_kept_and_one_rank_has_no_others(step: StepSpec) -> None:
    details = {"kind": "sizes", "title": "Sizes", "rows": [["a", "b"]], "num_rows": 1}
    leave_error(step.error_path(0), {**problem_of("own"), "details": details})
    leave(step, (1, "lost", "lost", 1.0))
    problem = first_failure(step)
    assert problem is not None
    echoes = (problem["details"] or {})["echoes"]
    assert problem["details"] == {**details, "rank": 0, "echoes": echoes}
    alone = first_failure(replace(step, process_count_per_node=1))
    assert alone is not None
    assert alone["details"] == details


@pytest.mark.parametrize("text", ['{"problem": []}', "{", '{"time": 1}', "[]"])
def test_damaged_words_of_a_rank_count_as_none(step: StepSpec, text: str) -> None:
    step.error_path(0).write_text(text)
    assert first_failure(step) is None


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (RuntimeError("[../pair.cc:554] Connection closed by peer [10.77.0.11]:7"), "lost"),
        (RuntimeError("NCCL error: ncclRemoteError: A call failed"), "lost"),
        (BrokenPipeError(), "lost"),
        (TimeoutOccuredError(compute.LOST_PROCESS, rank=0, processes=2), "lost"),
        (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), "own"),
        (ValueError("connection reset"), "own"),
    ],
)
def test_the_end_of_another_rank_is_known_by_its_error(
    step: StepSpec, error: Exception, cause: Cause
) -> None:
    assert cause_of(error, step) == cause
    assert cause_of(error, replace(step, process_count_per_node=1)) == "own"
