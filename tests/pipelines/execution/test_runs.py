"""Runs of small pipelines by a real runner: order, reuse, failures, cancels, limits."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import read_json
from pipelines.events import Event, fold
from pipelines.execution.step_events import unreported
from pipelines.problems import PipelineError
from pipelines.runs.history import RunHistory
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.workers.step_spec import STOP
from tests.pipelines.conftest import build, finish, run, statuses, value
from tests.polling import wait_for

Nodes = dict[str, dict[str, Any]]
SUM = {"sum": {"a": "two", "b": "three"}, "product": {"a": "sum", "b": "three"}}
NODES: Nodes = {
    "two": {"module": "constant", "value": 2.0},
    "three": {"module": "constant", "value": 3.0},
    "sum": {"module": "add"},
    "product": {"module": "multiply"},
}


def test_a_pipeline_runs_and_gives_its_outputs(runs: RunService) -> None:
    run_id, state = run(runs, build(SUM, NODES))
    assert state.status == "completed"
    assert set(statuses(state).values()) == {"completed"}
    assert value(runs, state, "product") == 15.0
    manifest = read_json(
        Path(runs.artifacts.outputs(state.steps["sum"])["output"]) / "manifest.json"
    )
    assert (manifest["type"], manifest["run_id"], manifest["node"]) == ("Number", run_id, "sum")
    assert not list(runs.artifacts.root.glob(".*")), "staging folders are left behind"
    queued = Counter(e.node for e in runs.store.events_after(run_id) if e.kind == "StepQueued")
    assert queued == dict.fromkeys(NODES, 1), "each step is queued once"


def test_an_unchanged_pipeline_is_reused_whole(runs: RunService) -> None:
    first_id, first = run(runs, build(SUM, NODES))
    _, second = run(runs, build(SUM, NODES))
    assert set(statuses(second).values()) == {"reused"}
    assert {step.reused_from for step in second.steps.values()} == {first_id}
    assert second.steps["sum"].artifact_id == first.steps["sum"].artifact_id


def test_a_changed_parameter_runs_its_node_and_what_follows(runs: RunService) -> None:
    run(runs, build(SUM, NODES))
    changed = {**NODES, "two": {"module": "constant", "value": 4.0}}
    _, state = run(runs, build(SUM, changed))
    assert statuses(state) == {
        "two": "completed",
        "three": "reused",
        "sum": "completed",
        "product": "completed",
    }
    assert value(runs, state, "product") == 21.0


def test_a_changed_module_file_runs_again(runs: RunService) -> None:
    run(runs, build(SUM, NODES))
    file = runs.workspace.modules_dir / "toy.py"
    file.write_text(
        file.read_text(encoding="utf-8").replace("a.value + b.value", "a.value - b.value")
    )
    _, state = run(runs, build(SUM, NODES))
    assert value(runs, state, "sum") == -1.0


def test_a_forced_node_forces_its_children(runs: RunService) -> None:
    run(runs, build(SUM, NODES))
    forced = {**NODES, "sum": {"module": "add", "run_settings": {"regenerate_output": True}}}
    _, state = run(runs, build(SUM, forced))
    assert statuses(state) == {
        "two": "reused",
        "three": "reused",
        "sum": "completed",
        "product": "completed",
    }


def test_run_to_a_node_runs_only_what_it_needs(runs: RunService) -> None:
    _, state = run(runs, build(SUM, NODES), to_node="sum")
    assert state.status == "completed"
    assert state.steps["product"].status == "skipped"
    assert state.steps["product"].problem is None
    assert value(runs, state, "sum") == 5.0


def test_a_run_to_a_node_does_not_mind_what_it_does_not_need(runs: RunService) -> None:
    half = {"cut": {"a": "product"}, "lost": {"a": "cut", "b": "more"}, "more": {"a": "lost"}}
    nodes: Nodes = {
        **NODES,
        "cut": {"module": "factorial"},
        "lost": {"module": "unheard_of"},
        "more": {"module": "add"},
    }
    document = build({**SUM, **half}, nodes)
    run_id, state = run(runs, document, to_node="product")
    assert state.status == "completed", state.problem
    assert {item: state.steps[item].status for item in half} == dict.fromkeys(half, "skipped")
    record = runs.store.record(run_id)
    assert record is not None
    assert len(record.document["nodes"]) == len(nodes)
    with pytest.raises(PipelineError) as caught:
        runs.submit(RunRequest(document, to_node="lost"))
    assert {problem.node for problem in caught.value.problems} >= {"cut", "lost", "more"}


def test_what_a_run_was_asked_for_is_asked_for_again(runs: RunService) -> None:
    options = {"target": "local", "only": ("sum",), "description": "Why not"}
    run_id, _ = run(runs, build(SUM, NODES), **options)
    again = RunHistory(runs).resubmit(run_id)
    finish(runs, again)
    record = runs.store.record(again)
    assert record is not None
    assert {name: getattr(record.options, name) for name in options} == options


def test_a_disabled_node_is_skipped_and_passed_through(runs: RunService) -> None:
    nodes: Nodes = {**NODES, "late": {"module": "sleep", "seconds": 0.0, "disabled": True}}
    links = {"sum": {"a": "late", "b": "three"}, "late": {"a": "two"}}
    nodes.pop("product")
    _, state = run(runs, build(links, nodes))
    assert state.steps["late"].status == "skipped"
    assert value(runs, state, "sum") == 5.0


def test_a_failure_skips_its_children_and_spares_other_branches(runs: RunService) -> None:
    nodes: Nodes = {
        **NODES,
        "broken": {"module": "fail", "message": "No luck."},
        "after": {"module": "add"},
    }
    links = {**SUM, "broken": {"a": "two"}, "after": {"a": "broken", "b": "two"}}
    _, state = run(runs, build(links, nodes))
    assert state.status == "failed"
    assert statuses(state)["product"] == "completed"
    assert statuses(state)["after"] == "skipped"
    skipped = state.steps["after"].problem
    assert skipped is not None
    assert skipped["message"] == "Fail produced no output.", "as it is called on the canvas"
    problem = state.steps["broken"].problem
    assert problem is not None
    assert problem["message"].startswith("No luck.")
    assert problem["cure"] == "Remove the Fail module."
    assert state.problem == problem
    assert not list(runs.artifacts.root.glob(".*"))


def test_a_failed_run_is_resumed_with_what_was_finished(runs: RunService) -> None:
    nodes: Nodes = {"two": NODES["two"], "broken": {"module": "fail", "message": "No luck."}}
    run_id, before = run(runs, build({"broken": {"a": "two"}}, nodes))
    edit_toys(
        runs,
        "    raise ModuleError(",
        "    return Number.write(context.new_folder(), 7.0)\n    ModuleError(",
    )
    runs.resume(run_id)
    state = finish(runs, run_id)
    assert state.status == "completed", state.problem
    assert state.steps["broken"].attempt == before.steps["broken"].attempt + 1
    assert value(runs, state, "broken") == 7.0


def test_retries_try_again_and_say_so(runs: RunService) -> None:
    file = runs.workspace.modules_dir / "flaky.py"
    file.write_text(FLAKY)
    nodes: Nodes = {"flaky": {"module": "flaky", "run_settings": {"retries": 2}}}
    _, state = run(runs, build({}, nodes))
    assert state.status == "completed", state.problem
    assert state.steps["flaky"].attempt == 3
    assert len(state.steps["flaky"].warnings) == 2


def test_a_user_modules_error_shows_its_own_lines(runs: RunService) -> None:
    (runs.workspace.modules_dir / "flaky.py").write_text(FLAKY)
    _, state = run(runs, build({}, {"flaky": {"module": "flaky"}}))
    problem = state.steps["flaky"].problem
    assert problem is not None
    assert problem["code"] == "0085"
    assert 'raise RuntimeError("not yet")' in problem["message"]
    assert "flaky.py" in problem["message"]


def test_a_step_over_its_time_limit_ends_and_says_so(runs: RunService) -> None:
    limit = {"time_limit_minutes": 0.005}
    nodes: Nodes = {
        "two": NODES["two"],
        "long": {"module": "sleep", "seconds": 60.0, "run_settings": limit},
    }
    _, state = run(runs, build({"long": {"a": "two"}}, nodes))
    problem = state.steps["long"].problem
    assert problem is not None
    assert problem["name"] == "TimeLimitReached"


def test_cancelling_keeps_what_is_finished_and_can_be_resumed(runs: RunService) -> None:
    nodes: Nodes = {"two": NODES["two"], "long": {"module": "sleep", "seconds": 5.0}}
    run_id = runs.submit(RunRequest(build({"long": {"a": "two"}}, nodes)))
    wait_for(lambda: runs.store.state(run_id).steps["long"].status == "running")
    runs.cancel(run_id)
    state = finish(runs, run_id)
    assert state.status == "cancelled"
    assert statuses(state) == {"two": "completed", "long": "cancelled"}
    runs.resume(run_id)
    assert finish(runs, run_id).status == "completed"


def test_nothing_stays_of_the_output_of_a_cancelled_step(runs: RunService) -> None:
    (runs.workspace.modules_dir / "half.py").write_text(HALF_WRITTEN)
    run_id = runs.submit(RunRequest(build({}, {"half": {"module": "half"}})))
    wait_for(lambda: list(runs.artifacts.root.glob(".*/*")))
    runs.cancel(run_id)
    assert finish(runs, run_id).status == "cancelled"
    assert not list(runs.artifacts.root.glob(".*"))


def test_a_step_cut_short_counts_for_its_own_run_only(runs: RunService) -> None:
    nodes: Nodes = {
        "two": NODES["two"],
        "nap": {"module": "sleep", "seconds": 60.0},
        "sum": {"module": "add"},
        "late": {"module": "sleep", "seconds": 61.0},
    }
    document = build(
        {"nap": {"a": "two"}, "sum": {"a": "nap", "b": "two"}, "late": {"a": "sum"}}, nodes
    )
    run_id = runs.submit(RunRequest(document))
    wait_for(lambda: runs.store.state(run_id).steps["nap"].status == "running")
    assert runs.stop_and_keep(run_id) == ["nap"]
    wait_for(lambda: runs.store.state(run_id).steps["late"].status == "running")
    runs.cancel(run_id)
    before = finish(runs, run_id)
    assert value(runs, before, "sum") == 4.0
    (runs.workspace.node_dir(run_id, "late") / STOP).touch()  # asked for just before the cancel
    runs.resume(run_id)
    wait_for(lambda: runs.store.state(run_id).steps["late"].status == "running")
    assert not (runs.workspace.node_dir(run_id, "late") / STOP).exists()
    runs.stop_and_keep(run_id)
    after = finish(runs, run_id)
    assert after.status == "completed", after.problem
    kept = ("two", "nap", "sum")
    assert [after.steps[item].artifact_id for item in kept] == [
        before.steps[item].artifact_id for item in kept
    ]
    other = runs.submit(RunRequest(document))
    wait_for(lambda: runs.store.state(other).steps["nap"].status == "running")
    assert runs.stop_and_keep(other) == ["nap"]
    wait_for(lambda: runs.store.state(other).steps["late"].status == "running")
    assert statuses(runs.store.state(other))["sum"] == "completed"
    runs.cancel(other)
    finish(runs, other)


def test_who_follows_a_run_looks_seldom_while_nothing_happens(runs: RunService) -> None:
    nodes: Nodes = {"two": NODES["two"], "nap": {"module": "sleep", "seconds": 4.0}}
    run_id = runs.submit(RunRequest(build({"nap": {"a": "two"}}, nodes)))
    wait_for(lambda: runs.store.state(run_id).steps["nap"].status == "running")
    began, batches = time.monotonic(), list(runs.follow(run_id))
    assert sum(not batch for batch in batches) < 12 * (time.monotonic() - began)
    assert runs.store.state(run_id).status == "completed"


def test_independent_nodes_run_side_by_side(runs: RunService) -> None:
    nodes: Nodes = {
        "two": NODES["two"],
        "one": {"module": "sleep", "seconds": 5.0},
        "other": {"module": "sleep", "seconds": 5.01},
    }
    _, state = run(runs, build({"one": {"a": "two"}, "other": {"a": "two"}}, nodes))
    one, other = state.steps["one"], state.steps["other"]
    assert one.started is not None
    assert other.started is not None
    assert abs(one.started - other.started) < 4.9


def test_two_runs_at_once_share_what_is_the_same(runs: RunService) -> None:
    nodes: Nodes = {"two": NODES["two"], "long": {"module": "sleep", "seconds": 1.0}}
    document = build({"long": {"a": "two"}}, nodes)
    ids = [runs.submit(RunRequest(document, name=name)) for name in ("one", "two")]
    states = {run_id: finish(runs, run_id) for run_id in ids}
    assert {state.status for state in states.values()} == {"completed"}
    steps = {states[run_id].steps["long"].status: (run_id, states[run_id]) for run_id in ids}
    assert sorted(steps) == ["completed", "reused"]
    (computing, _), (waiting, state) = steps["completed"], steps["reused"]
    record = runs.store.record(computing)
    assert record is not None
    # its last wait: for the one second of the node "long", as the node before may wait, too
    [event] = [
        event.data for event in runs.store.events_of(waiting, ["StepPhase"]) if event.node == "long"
    ]
    assert event == {
        "phase": "scaling",
        "waits_for": f"run “{record.name}”, which computes the same output",
        "computed_by": record.name,
        "run_id": computing,
    }
    assert state.steps["long"].reused_from == computing


def test_a_node_waits_for_its_twin_in_the_same_run(runs: RunService) -> None:
    sleeper = {"module": "sleep", "seconds": 1.0}
    nodes: Nodes = {"two": NODES["two"], "one": sleeper, "other": sleeper}
    run_id, state = run(runs, build({"one": {"a": "two"}, "other": {"a": "two"}}, nodes))
    assert state.status == "completed"
    waited = runs.store.events_of(run_id, ["StepPhase"])
    assert [event.data["run_id"] for event in waited] == [""]
    assert waited[0].data["waits_for"].startswith("node “")


def test_a_node_starts_when_the_run_it_waits_for_is_cancelled(runs: RunService) -> None:
    nodes: Nodes = {"two": NODES["two"], "long": {"module": "sleep", "seconds": 60.0}}
    document = build({"long": {"a": "two"}}, nodes)
    first = runs.submit(RunRequest(document))
    wait_for(lambda: runs.store.state(first).steps["long"].status == "running")
    second = runs.submit(RunRequest(document))
    wait_for(lambda: runs.store.state(second).steps["long"].phases)
    runs.cancel(first)
    wait_for(lambda: runs.store.state(second).steps["long"].status == "running")
    runs.cancel(second)
    finish(runs, first)
    finish(runs, second)


def test_a_document_with_problems_is_not_run(runs: RunService) -> None:
    with pytest.raises(PipelineError) as caught:
        runs.submit(
            RunRequest(build({}, {"sum": {"module": "add"}, "what": {"module": "unheard_of"}}))
        )
    assert {problem.node for problem in caught.value.problems} == {"sum", "what"}
    assert not runs.store.newest()


def test_a_successor_repeats_no_event_that_is_recorded() -> None:
    events = [
        Event("MetricLogged", "train", {"name": "loss", "value": value, "step": step})
        for step, value in enumerate((3.0, 2.0, 1.0))
    ]
    other_rank = Event("MetricLogged", "train", {"name": "loss", "value": 3.0, "rank": 1})
    recorded = Counter({("MetricLogged", 0): 2})
    assert unreported([*events[:2], other_rank, events[2]], recorded) == [other_rank, events[2]]
    assert unreported(events, Counter()) == events


def test_the_rows_are_what_the_events_fold_to(runs: RunService) -> None:
    nodes: Nodes = {**NODES, "broken": {"module": "fail", "message": "No luck."}}
    run_id, state = run(runs, build({**SUM, "broken": {"a": "two"}}, nodes))
    assert fold(runs.store.events_after(run_id)) == state


def edit_toys(runs: RunService, old: str, new: str) -> None:
    """Change the user's module file, as its author would."""
    file = runs.workspace.modules_dir / "toy.py"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


FLAKY = '''
from pathlib import Path

from modules.context import Context
from modules.declare import module
from modules.artifacts import Table


@module(title="Flaky", category="Tests", summary="Works the third time.")
def flaky(context: Context) -> Table:
    """Fail twice."""
    import pandas as pd

    tries = context.checkpoint_dir / "tries"
    tries.parent.mkdir(exist_ok=True)
    count = len(tries.read_text()) + 1 if tries.exists() else 1
    tries.write_text("x" * count)
    if count < 3:
        raise RuntimeError("not yet")
    return Table.write(context.new_folder(), pd.DataFrame({"tries": [count]}))
'''


HALF_WRITTEN = '''
import time
from modules.artifacts import AnyDirectory
from modules.context import Context
from modules.declare import module
@module(title="Half", category="Tests", summary="Takes long over its output.")
def half(context: Context) -> AnyDirectory:
    """Write a part of the output."""
    (context.new_folder() / "part").touch()
    time.sleep(60)
    return AnyDirectory.write(context.new_folder())
'''
