"""Pinned results: what runs take from the store, what they leave out, and what they say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import PipelineDocument, dump_document, parse_document
from pipelines.events import RunState
from pipelines.forecasting.run_forecast import forecast_run
from pipelines.problems import PipelineError
from pipelines.registry.pipelines import SavedPipelines
from pipelines.registry.published import PublishedPipelines
from pipelines.runs.comparison import compare
from pipelines.runs.history import RunHistory
from pipelines.runs.pinning import pins_without_effect
from pipelines.runs.report import run_report
from pipelines.runs.results import headline_in
from pipelines.runs.run_service import RunService
from pipelines.store.database.history import RunFilter
from pipelines.store.database.pipelines import PipelineStore
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import build, finish, run, statuses, value

Nodes = dict[str, dict[str, Any]]
NOISE = """
import random
from pathlib import Path

from modules import Artifact, Context, module, read_json, write_json


class Noise(Artifact):
    colour = "green"


@module(title="Noise", category="Arithmetic", summary="Give a random number.", icon="hash")
def noise(context: Context) -> Noise:
    folder = context.new_folder()
    write_json(folder / "number.json", random.random())
    return Noise(folder)


@module(title="Passed", category="Arithmetic", summary="Pass it on.", icon="hash")
def passed(a: Noise, context: Context) -> Noise:
    context.metric("Overall_Accuracy", 0.9)
    folder = context.new_folder()
    write_json(folder / "number.json", read_json(a.path / "number.json"))
    return Noise(folder)
"""
CHAIN = {"sum": {"a": "two", "b": "three"}, "product": {"a": "sum", "b": "three"}}


def nodes(two: float = 2.0, **changes: dict[str, Any]) -> Nodes:
    return {
        "two": {"module": "constant", "value": two},
        "three": {"module": "constant", "value": 3.0},
        "sum": {"module": "add", **changes.get("sum", {})},
        "product": {"module": "multiply", **changes.get("product", {})},
    }


def pin_of(state: RunState, node: str, run_id: str) -> dict[str, str]:
    artifact = state.steps[node].artifact_id
    assert artifact is not None
    return {"artifact": artifact, "run": run_id}


def problems_of(runs: RunService, document: PipelineDocument) -> list[tuple[str, str | None, Any]]:
    reported = runs.checks.problems(document)
    return [(problem.name, problem.node, problem.remedy) for problem in reported]


@pytest.fixture
def first(runs: RunService) -> tuple[str, RunState]:
    return run(runs, build(CHAIN, nodes()))


def test_a_pinned_node_is_not_computed_again(runs: RunService, first: tuple[str, RunState]) -> None:
    run_id, before = first
    pin = pin_of(before, "sum", run_id)
    changed = build(CHAIN, nodes(two=40.0, sum={"pin": pin}))
    second_id, state = run(runs, changed)
    assert statuses(state) == {
        "two": "skipped",  # only the pinned node would read it
        "three": "reused",
        "sum": "reused",
        "product": "reused",
    }
    assert state.status == "completed"
    assert value(runs, state, "product") == 15.0
    step = state.steps["sum"]
    assert (step.artifact_id, step.reused_from) == (pin["artifact"], run_id)
    events = runs.store.events_after(second_id)
    (reused,) = [event for event in events if event.kind == "StepReused" and event.node == "sum"]
    assert reused.data["pinned"] is True
    (warning,) = step.warnings
    assert run_id in warning
    assert "Constant 1 changed upstream" in warning


def test_a_pin_that_still_fits_changes_no_key(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    pinned = build(CHAIN, nodes(sum={"pin": pin_of(before, "sum", run_id)}))
    _, state = run(runs, pinned)
    assert statuses(state)["product"] == "reused"
    assert state.steps["product"].key == before.steps["product"].key
    assert state.steps["sum"].warnings == []


def test_own_parameters_that_changed_are_named(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    changed = {**nodes(), "two": {**nodes(two=7.5)["two"], "pin": pin_of(before, "two", run_id)}}
    _, state = run(runs, build(CHAIN, changed))
    assert "Value 2 → 7.5" in state.steps["two"].warnings[0]
    assert value(runs, state, "product") == 15.0


def test_of_two_results_with_one_key_the_pinned_one_is_read(runs: RunService) -> None:
    """A result that was computed from the other one is not reused."""
    (runs.workspace.modules_dir / "noise.py").write_text(NOISE, encoding="utf-8")
    noise: Nodes = {"noise": {"module": "noise"}, "out": {"module": "passed"}}
    wires = {"out": {"a": "noise"}}
    document = build(wires, noise)
    run_id, before = run(runs, document)
    again_id, again = run(runs, document, forced=("noise",))
    old, new = value(runs, before, "out"), value(runs, again, "out")
    assert old != new
    for made_by, made, wanted in ((run_id, before, old), (again_id, again, new)):
        pinned = {**noise, "noise": {"module": "noise", "pin": pin_of(made, "noise", made_by)}}
        _, state = run(runs, build(wires, pinned))
        assert value(runs, state, "out") == wanted


def test_the_headline_names_a_pin_that_is_outdated(runs: RunService) -> None:
    (runs.workspace.modules_dir / "noise.py").write_text(NOISE, encoding="utf-8")
    wires = {"out": {"a": "noise"}}
    run_id, before = run(
        runs, build(wires, {"noise": {"module": "noise"}, "out": {"module": "passed"}})
    )
    pin = pin_of(before, "noise", run_id)
    pinned: Nodes = {"noise": {"module": "noise", "pin": pin}, "out": {"module": "passed"}}
    same_id, _ = run(runs, build(wires, pinned))
    RunHistory(runs).delete(run_id)  # from now on it cannot be compared
    doubted_id, _ = run(runs, build(wires, pinned))
    assert [label_of(runs, other) for other in (same_id, doubted_id)] == [
        "Accuracy",
        "Accuracy with an outdated pin: Noise",
    ]


def label_of(runs: RunService, run_id: str) -> str | None:
    headline = headline_in(RunHistory(runs).row(run_id))
    return headline.label if headline else None


def test_forcing_a_pinned_node_recomputes_only_what_follows(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    pin = pin_of(before, "sum", run_id)
    pinned = build(CHAIN, nodes(sum={"pin": pin}))
    _, state = run(runs, pinned, forced=("sum",))
    assert statuses(state) == {
        "two": "skipped",
        "three": "reused",
        "sum": "reused",
        "product": "completed",
    }


def test_a_run_to_a_node_before_the_pin_computes_it(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    pinned = build(CHAIN, nodes(two=40.0, sum={"pin": pin_of(before, "sum", run_id)}))
    _, state = run(runs, pinned, to_node="two")
    assert statuses(state)["two"] == "completed"
    assert value(runs, state, "two") == 40.0


def test_a_disabled_node_does_not_use_its_pin(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    sleepy: Nodes = {
        "two": {"module": "constant", "value": 9.0},
        "sleep": {
            "module": "sleep",
            "disabled": True,
            "pin": pin_of(before, "sum", run_id),
        },
        "out": {"module": "whole"},
    }
    _, state = run(runs, build({"sleep": {"a": "two"}, "out": {"a": "sleep"}}, sleepy))
    assert value(runs, state, "out") == 9.0


def test_broken_nodes_before_a_pin_do_not_stop_the_run(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    """Neither an unconnected input nor an invalid value matters: nothing of it is computed."""
    run_id, before = first
    pin = pin_of(before, "sum", run_id)
    wires = {"sum": {"a": "two"}, "product": {"a": "sum", "b": "three"}}
    document = build(wires, nodes(two=1e12, sum={"pin": pin}))
    assert problems_of(runs, document) == [("PinOutdated", "sum", {"unpin": "sum"})]
    _, state = run(runs, document)
    assert value(runs, state, "product") == 15.0


def test_a_pinned_result_that_is_gone_is_a_problem_with_a_fix(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    gone = {"artifact": "0123456789-abcd-ef", "run": "20200101-000000-abcd"}
    document = build(CHAIN, nodes(sum={"pin": gone}))
    assert problems_of(runs, document) == [("PinLost", "sum", {"unpin": "sum"})]
    with pytest.raises(PipelineError, match="20200101-000000-abcd is not in this workspace"):
        run(runs, document)
    pin = pin_of(before, "sum", run_id)
    document = build(CHAIN, nodes(sum={"pin": pin}))
    shutil.rmtree(runs.artifacts.root / pin["artifact"])
    assert problems_of(runs, document) == [("PinLost", "sum", {"unpin": "sum"})]


def test_a_pinned_result_whose_files_changed_stops_the_run(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    pin = pin_of(before, "sum", run_id)
    folder = runs.artifacts.root / pin["artifact"] / "output"
    (folder / "number.json").write_text("99", encoding="utf-8")
    document = build(CHAIN, nodes(sum={"pin": pin}))
    num_runs = RunHistory(runs).search(RunFilter()).total
    with pytest.raises(PipelineError) as raised:
        run(runs, document)
    assert [(problem.name, problem.node) for problem in raised.value.problems] == [
        ("PinLost", "sum")
    ]
    assert RunHistory(runs).search(RunFilter()).total == num_runs  # no run that could only fail


def test_a_result_that_lacks_an_output_does_not_fit(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    pin = pin_of(before, "sum", run_id)
    folder = runs.artifacts.root / pin["artifact"]
    (folder / "output").rename(folder / "former")
    document = build(CHAIN, nodes(sum={"pin": pin}))
    assert problems_of(runs, document) == [("PinUnfit", "sum", {"unpin": "sum"})]
    unread = build({"sum": CHAIN["sum"]}, {**nodes(sum={"pin": pin})})
    assert ("PinUnfit", "sum", {"unpin": "sum"}) not in problems_of(runs, unread)


def test_a_result_of_another_type_does_not_fit(runs: RunService) -> None:
    """A general number is no whole one; the reverse fits."""
    made: Nodes = {"half": {"module": "constant", "value": 2.0}, "whole": {"module": "whole"}}
    run_id, state = run(runs, build({"whole": {"a": "half"}}, made))
    number, whole = (pin_of(state, name, run_id) for name in ("half", "whole"))
    wires = {"whole": {"a": "half"}, "factorial": {"n": "whole"}}
    rest = {**made, "factorial": {"module": "factorial"}}
    wrong = build(wires, {**rest, "whole": {"module": "whole", "pin": number}})
    assert problems_of(runs, wrong) == [("PinUnfit", "whole", {"unpin": "whole"})]
    right = build(wires, {**rest, "half": {**made["half"], "pin": whole}})
    assert problems_of(runs, right) == [("PinOutdated", "half", {"unpin": "half"})]


def test_garbage_collection_and_deletion_keep_what_is_pinned(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    pin = pin_of(before, "sum", run_id)
    document = build(CHAIN, nodes(sum={"pin": pin}))
    stored = PipelineStore(runs.database).create(document.to_json())
    deletion = RunHistory(runs).delete(run_id)
    assert [(kept.node, kept.used_by) for kept in deletion.kept] == [("sum", ["toy"])]
    assert sorted(freed.node for freed in deletion.freed) == ["product", "three", "two"]
    assert pin["artifact"] not in runs.artifacts.sweep(dry_run=True).artifact_ids
    _, state = run(runs, document)
    assert value(runs, state, "product") == 15.0
    assert "is not in this workspace" in state.steps["sum"].warnings[0]
    assert stored.revision == 1


def test_a_pin_to_a_run_that_reused_the_result_fits_without_the_run_that_computed_it(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    again, state = run(runs, build(CHAIN, nodes()))
    assert statuses(state)["sum"] == "reused"
    document = build(CHAIN, nodes(sum={"pin": pin_of(state, "sum", again)}))
    RunHistory(runs).delete(first[0])
    _, state = run(runs, document)
    assert state.steps["sum"].warnings == []
    other = build(CHAIN, nodes(two=9.0, sum={"pin": pin_of(state, "sum", again)}))
    assert problems_of(runs, other) == [("PinOutdated", "sum", {"unpin": "sum"})]


def test_named_versions_and_published_pipelines_keep_what_they_pin(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    saved = SavedPipelines(runs.database, lambda: runs.catalog)
    revision = saved.create(build(CHAIN, nodes(sum={"pin": pin_of(before, "sum", run_id)})))
    saved.name_revision(revision.pipeline_id, revision.revision, "Pinned")
    plain = build(CHAIN, nodes()).model_copy(update={"id": revision.pipeline_id})
    for number in range(3):  # later versions pin nothing
        saved.commit(plain.model_copy(update={"name": f"{number}"}), revision.revision + number)
    published = PublishedPipelines(runs.database)
    pinned = build(CHAIN, nodes(product={"pin": pin_of(before, "product", run_id)}))
    published.publish("nightly", pinned, runs.checks.problems)
    deletion = RunHistory(runs).delete(run_id)
    assert sorted(kept.node for kept in deletion.kept) == ["product", "sum"]
    assert {user for kept in deletion.kept for user in kept.used_by} == {"2", "nightly"}
    published.delete("nightly")
    kept_id, freed_id = (before.steps[node].artifact_id for node in ("sum", "product"))
    freed = runs.artifacts.sweep(dry_run=True).artifact_ids
    assert freed_id in freed
    assert kept_id not in freed


def test_a_resumed_run_uses_the_same_result(runs: RunService) -> None:
    """The pin is part of its document; it is not reported twice."""
    wires = {"nap": {"a": "two"}, "out": {"a": "nap"}}
    made: Nodes = {
        "two": {"module": "constant", "value": 5.5},
        "nap": {"module": "sleep", "seconds": 0.0},
        "out": {"module": "fail"},
    }
    run_id, before = run(runs, build(wires, made))
    pinned = {**made, "nap": {**made["nap"], "pin": pin_of(before, "nap", run_id)}}
    again_id, failed = run(runs, build(wires, pinned))
    assert (failed.status, statuses(failed)["nap"]) == ("failed", "reused")
    runs.resume(again_id)
    state = finish(runs, again_id)
    assert statuses(state) == {"two": "skipped", "nap": "reused", "out": "failed"}
    events = runs.store.events_after(again_id)
    assert [event.kind for event in events if event.node == "nap"] == ["StepReused"]


def test_a_forecast_counts_pinned_results_as_reused(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    document = build(CHAIN, nodes(two=40.0, sum={"pin": pin_of(before, "sum", run_id)}))
    estimate = forecast_run(runs, document)
    assert {node.node: node.reused for node in estimate.nodes} == {
        "three": True,
        "sum": True,
        "product": True,
    }


def test_reports_and_comparisons_say_what_was_pinned(
    runs: RunService, first: tuple[str, RunState]
) -> None:
    run_id, before = first
    document = build(CHAIN, nodes(two=40.0, sum={"pin": pin_of(before, "sum", run_id)}))
    pinned_id, _ = run(runs, document)
    report = run_report(runs, pinned_id)
    assert {node: entry.pinned for node, entry in report.nodes.items()} == {
        "two": False,
        "three": False,
        "sum": True,
        "product": False,
    }
    assert report.nodes["two"].summary == "Left out: only a pinned node reads it."
    compared = compare(runs, [run_id, pinned_id])
    assert {node.node: node.statuses[1] for node in compared.nodes}["sum"] == "pinned"
    values = {(one.node, one.title): one.values for one in compared.parameters}
    assert values["sum", "Pinned to the result of run"] == [None, run_id]
    assert RunHistory(runs).row(pinned_id).name == "value 2 → 40, Add pinned"


def test_the_command_pins_and_unpins(
    runs: RunService, first: tuple[str, RunState], tmp_path: Path
) -> None:
    run_id, before = first
    path = tmp_path / "chain.json"
    path.write_text(dump_document(build(CHAIN, nodes(two=40.0))), encoding="utf-8")
    done = designer(runs, "run", path, "--pin", f"sum={run_id}")
    assert done.exit_code == 0, done.output
    text = " ".join(done.output.split())
    assert f"Pinned: from run {run_id}." in text
    assert "which had other settings" in text
    wrong = {
        "sum": "Write NODE=RUN",
        "gone=last": "not found",
        f"sum={run_id[:-4]}zzzz": "No run",
    }
    for pin, words in wrong.items():
        refused = designer(runs, "run", path, "--pin", pin)
        assert refused.exit_code != 0
        assert words in " ".join(refused.output.split())
    both = designer(runs, "run", path, "--pin", f"sum={run_id}", "--unpin", "sum")
    assert both.exit_code != 0
    assert "cannot be pinned and unpinned at once" in " ".join(both.output.split())
    stored = pin_of(before, "sum", run_id)
    path.write_text(dump_document(build(CHAIN, nodes(sum={"pin": stored}))), encoding="utf-8")
    done = designer(runs, "run", path, "--unpin", "sum", "--json")
    assert json.loads(done.stdout)["nodes"]["sum"]["pinned"] is False


def test_the_command_warns_about_the_pin_of_a_disabled_node(
    runs: RunService, tmp_path: Path
) -> None:
    warning = "sum: The node is disabled, so its pin has no effect."
    sums: Nodes = {"two": {"module": "constant", "value": 2.0}, "sum": {"module": "whole"}}
    run_id, _ = run(runs, build({"sum": {"a": "two"}}, sums))
    path = tmp_path / "sums.json"
    for is_disabled in (True, False):
        sums["sum"]["disabled"] = is_disabled
        path.write_text(dump_document(build({"sum": {"a": "two"}}, sums)), encoding="utf-8")
        done = designer(runs, "run", path, "--pin", f"sum={run_id}", "--json")
        assert done.exit_code == 0, done.output
        assert (warning in " ".join(done.stderr.split())) is is_disabled
        pinned = [name for name, node in json.loads(done.stdout)["nodes"].items() if node["pinned"]]
        assert pinned == ([] if is_disabled else ["sum"])


def test_the_pin_of_a_node_in_a_disabled_sub_pipeline_has_no_effect(runs: RunService) -> None:
    changed = _with_sub_pipeline(1, {"artifact": "a", "run": "r"}).to_json()
    changed["nodes"][1]["disabled"] = True
    document = parse_document(changed)
    warned = [*pins_without_effect(document, ("inner1/sum=last", "two=last"))]
    assert [(problem.name, problem.node, problem.severity) for problem in warned] == [
        ("PinWithoutEffect", "inner1/sum", "warning")
    ]
    assert problems_of(runs, document) == []


def test_nodes_of_a_sub_pipeline_are_pinned_where_it_has_one_place(runs: RunService) -> None:
    run_id, state = run(runs, _with_sub_pipeline(1, None))
    pin = pin_of(state, "inner1/sum", run_id)
    _, pinned = run(runs, _with_sub_pipeline(1, pin, value=50.0))
    assert pinned.steps["inner1/sum"].artifact_id == pin["artifact"]
    assert statuses(pinned)["two"] == "skipped"
    twice = _with_sub_pipeline(2, pin)
    reported = problems_of(runs, twice)
    assert reported == [("PinNotAllowed", "inner1/sum", {"unpin": "inner1/sum"})]


def _with_sub_pipeline(count: int, pin: Any, value: float = 2.0) -> PipelineDocument:
    """Return a constant that sub-pipelines double."""
    inner = {"id": "sum", "module": "add", **({"pin": pin} if pin else {})}
    once = {"from": {"node": "two", "port": "output"}}
    places = [f"inner{number + 1}" for number in range(count)]
    return parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "toy",
            "definitions": [
                {
                    "id": "double",
                    "nodes": [inner],
                    "inputs": [
                        {"id": "a", "node": "sum", "port": "a"},
                        {"id": "b", "node": "sum", "port": "b"},
                    ],
                    "outputs": [{"id": "out", "node": "sum", "port": "output"}],
                }
            ],
            "nodes": [
                {"id": "two", "module": "constant", "parameters": {"value": value}},
                *({"id": place, "module": "definition:double"} for place in places),
            ],
            "links": [
                {**once, "to": {"node": place, "port": port}} for place in places for port in "ab"
            ],
        }
    )


def test_a_sub_pipeline_is_not_pinned_as_a_whole(runs: RunService) -> None:
    document = _with_sub_pipeline(1, None)
    pin = {"artifact": "a", "run": "r"}
    changed = document.to_json()
    changed["nodes"][1]["pin"] = pin
    reported = problems_of(runs, parse_document(changed))
    assert reported == [("PinNotAllowed", "inner1", {"unpin": "inner1"})]


@pytest.mark.parametrize("artifact", ["../x", ".hidden", "a/b", "", "a" * 81])
def test_a_pin_is_no_path(artifact: str) -> None:
    with pytest.raises(PipelineError):
        build({}, {"two": {"module": "constant", "pin": {"artifact": artifact, "run": "r"}}})
