"""Sub-pipelines run as what they hold: the same steps, keys and results, under their paths."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.document.checks.graph import part_to
from pipelines.document.checks.validate import validate
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.expansion import expanded
from pipelines.execution.plan import make_plan
from pipelines.forecasting.run_forecast import forecast_run
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.lessons.pipeline_files import read_document
from pipelines.problems import PipelineError
from pipelines.replay.archive import unpack
from pipelines.replay.library import export
from pipelines.runs.compared_runs import ComparedRuns
from pipelines.runs.report import run_report
from pipelines.runs.run_service import RunService
from tests import toy
from tests.pipelines.conftest import run, statuses, value
from tests.pipelines.document import cases
from tests.pipelines.document.nested_pipeline import DOUBLE, FOUR, nested


def unpacked() -> PipelineDocument:
    start = {"id": "start", "module": "constant", "parameters": {"value": 3}}
    links = ("start.output -> sum.a", "start.output -> sum.b", "sum.output -> end.a")
    nodes = (start, "sum:add", "one:constant", "end:add")
    return parse_document(cases.pipeline(*nodes, links=(*links, "one.output -> end.b")))


def keys(document: PipelineDocument) -> dict[str, str]:
    steps = make_plan(document, toy.CATALOG, lambda *_: "the same")
    return {node: step.key for node, step in steps.items()}


def test_steps_have_the_keys_that_they_have_outside() -> None:
    inside, outside = keys(nested()), keys(unpacked())
    names = {"front/start": "start", "front/twice/sum": "sum", "one": "one", "end": "end"}
    assert {names[node]: key for node, key in inside.items()} == outside


def test_a_document_without_them_is_itself() -> None:
    document = unpacked()
    assert expanded(document) is document


def test_a_pipelines_parameters_reach_what_they_are_bound_to() -> None:
    binds = ["front.begin", "one.value"]
    parameters = [{"id": "n", "type": "integer", "default": 7, "binds": binds}]
    flat = expanded(nested(parameters=parameters))
    values = {node.id: node.parameters.get("value") for node in flat.nodes}
    assert (values["front/start"], values["one"]) == (7, 7)


def test_a_parameter_reaches_through_two_levels(tmp_path: Path) -> None:
    outer = {
        "id": "outer",
        "nodes": [{"id": "in", "module": "definition:four"}],
        "parameters": [{"id": "first", "type": "integer", "default": 4, "binds": ["in.begin"]}],
        "outputs": [{"id": "sum", "node": "in", "port": "sum"}],
    }
    nodes = [{"id": "front", "module": "definition:outer"}]
    parameter = {"id": "n", "type": "integer", "default": 5, "binds": ["front.first"]}
    content = {**cases.pipeline(), "nodes": nodes, "parameters": [parameter]}
    path = tmp_path / "nested.json"
    path.write_text(json.dumps({**content, "definitions": [DOUBLE, FOUR, outer]}))
    document = read_document(path, (), toy.CATALOG, ["n=6"])
    assert validate(document, toy.CATALOG) == []
    plan = make_plan(document, toy.CATALOG, lambda *_: "")
    assert plan["front/in/start"].parameters == toy.ConstantParameters(value=6)
    wrong = parse_document({**document.to_json(), "parameters": [{**parameter, "default": "six"}]})
    [problem] = validate(wrong, toy.CATALOG)
    assert (problem.node, problem.parameter) == ("front/in/start", "value")


def reaching(*binds: str, default: int = 6) -> dict[str, Any]:
    """What gives a document one parameter that reaches into its sub-pipelines."""
    return {"parameters": [{"id": "n", "type": "integer", "default": default, "binds": binds}]}


def test_a_parameter_reaches_a_node_inside_of_one_place_alone(tmp_path: Path) -> None:
    nodes = [*nested().to_json()["nodes"], {"id": "back", "module": "definition:free"}]
    free = {**FOUR, "id": "free", "parameters": []}
    twice = {"id": "twice", "nodes": [{"id": "in", "module": "definition:free"}]}
    nodes += [
        {"id": "again", "module": "definition:free"},
        {"id": "deep", "module": "definition:twice"},
    ]
    content = nested(
        nodes=nodes,
        definitions=[DOUBLE, FOUR, free, twice],
        **reaching("back/start.value", "deep/in/start.value", "one.value"),
    ).to_json()
    path = tmp_path / "reaching.json"
    path.write_text(json.dumps(content))
    document = read_document(path, (), toy.CATALOG, ["n=9"])
    assert validate(document, toy.CATALOG) == []
    plan = make_plan(document, toy.CATALOG, lambda *_: "")
    results = {node: step.parameters for node, step in plan.items()}
    constants = ("back/start", "deep/in/start", "one", "again/start", "front/start")
    values = [toy.ConstantParameters(value=item) for item in (9, 9, 9, 1, 3)]
    assert [results[constant] for constant in constants] == values


def test_the_outer_parameter_counts_where_two_give_one_value() -> None:
    flat = expanded(nested(**reaching("front/start.value")))
    assert {node.id: node.parameters for node in flat.nodes}["front/start"] == {"value": 6}


def test_a_part_of_a_pipeline_keeps_what_reaches_into_it() -> None:
    part = part_to(nested(**reaching("front/start.value", "one.value")), "front")
    assert [parameter.binds for parameter in part.parameters] == [("front/start.value",)]


@pytest.mark.parametrize(
    ("bind", "reason", "node"),
    [
        ("gone/start.value", "bound_to_no_node", None),
        ("front/gone.value", "bound_to_no_node", "front"),
        ("front/twice/gone.value", "bound_to_no_node", "front/twice"),
        ("front/twice.value", "bound_to_no_parameter", "front/twice"),
        ("front/start.amount", "bound_to_no_parameter", "front/start"),
        ("one/start.value", "bound_inside_a_module", "one"),
        ("front/start.value", "given_inside", "front"),
    ],
)
def test_what_reaches_nothing_inside_is_told(bind: str, reason: str, node: str | None) -> None:
    problems = validate(nested(**reaching(bind)), toy.CATALOG)
    [problem] = [item for item in problems if item.reason == reason]
    assert (problem.code, problem.node) == ("3042", node)
    assert problem.cure.endswith((".", "?"))


def test_nodes_inside_follow_the_node_that_stands_for_them() -> None:
    nodes = nested().to_json()["nodes"]
    nodes[0] |= {"disabled": True}
    nodes[0]["run_settings"] |= {"target": "cluster", "regenerate_output": True}
    flat = expanded(nested(nodes=nodes))
    inside = [node for node in flat.nodes if node.id.startswith("front/")]
    assert len(inside) == 2
    assert all(node.disabled and node.run_settings.regenerate_output for node in inside)
    assert {node.run_settings.target for node in inside} == {"cluster"}


def test_runs_forecasts_comparisons_and_replays_know_paths(runs: RunService) -> None:
    _, ended = run(runs, unpacked())
    assert set(statuses(ended).values()) == {"completed"}
    assert {node.node for node in forecast_run(runs, nested()).nodes} == set(keys(nested()))
    inside, state = run(runs, nested())
    assert statuses(state) == dict.fromkeys(keys(nested()), "reused")
    forced, again = run(runs, nested(), forced=("front",))
    assert statuses(again) == {
        "front/start": "completed",
        "front/twice/sum": "completed",
        "one": "reused",
        "end": "completed",
    }
    assert value(runs, again, "end") == 7
    assert list(run_report(runs, forced).nodes) == list(keys(nested()))
    linked = RunOutputs(runs, forced).input("end", "a")
    assert linked is not None
    assert linked.node == "front/twice/sum"
    compared = ComparedRuns(runs, [inside, forced])
    assert {row.any.id for row in compared.matched} == set(keys(nested()))
    logs = {log.node for log in unpack(export(runs, forced)).replay.logs}
    assert {log.partition("/")[0] for log in logs} <= {"front", "end"}


def test_a_run_to_a_node_inside_and_to_all_of_a_sub_pipeline(runs: RunService) -> None:
    assert set(statuses(run(runs, nested(), to_node="front/start")[1])) >= {"front/start"}
    _, state = run(runs, nested(), to_node="front")
    ran = {node for node, step in state.steps.items() if step.status in ("completed", "reused")}
    assert ran == {"front/start", "front/twice/sum"}
    with pytest.raises(PipelineError, match=r"Node 'front/gone', chosen .* was not found"):
        run(runs, nested(), to_node="front/gone")


def broken(name: str) -> dict[str, Any]:
    """What makes the nested document one with a fault."""
    content = json.loads(json.dumps(nested().to_json()))
    double, four = content["definitions"]
    front = content["nodes"][0]
    if name == "unknown":
        front["module"] = "definition:gone"
    elif name == "circle":
        double["nodes"].append({"id": "again", "module": "definition:four"})
    elif name == "no input":
        four["links"][0]["to"]["port"] = "middle"
    elif name == "no output":
        content["links"][0]["from"]["port"] = "difference"
    elif name == "port of nothing":
        four["outputs"][0]["node"] = "thrice"
    elif name == "no such parameter":
        front["parameters"] = {"end": 1}
    elif name == "bound to no node":
        four["parameters"][0]["binds"] = ["gone.value"]
    elif name == "bound to no parameter":
        four["parameters"][0]["binds"] = ["start.amount"]
    elif name == "bound to nothing":
        content["parameters"] = [{"id": "n"}]
    elif name == "bound twice":
        binds = ["one.value"]
        content["parameters"] = [{"id": "n", "binds": binds}, {"id": "m", "binds": binds}]
        content["parameters"][0]["default"] = content["parameters"][1]["default"] = 1
    elif name == "wrong value inside":
        front["parameters"] = {"begin": "many"}
    elif name == "a count":
        front["run_settings"]["node_count"] = 2
    elif name == "missing input":
        four["links"].pop()
    return content  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("name", "code", "node"),
    [
        ("unknown", "3040", "front"),
        ("circle", "3041", "front"),
        ("no input", "3006", "front/twice"),
        ("no output", "3006", "front"),
        ("port of nothing", "3006", "front"),
        ("no such parameter", "3010", "front"),
        ("bound to no node", "3042", "front"),
        ("bound to no parameter", "3042", "front/start"),
        ("bound to nothing", "3042", None),
        ("bound twice", "3042", None),
        ("wrong value inside", "3009", "front/start"),
        ("a count", "3038", "front"),
        ("missing input", "0003", "front/twice"),
    ],
)
def test_faults_are_told_at_their_path(name: str, code: str, node: str | None) -> None:
    problems = validate(parse_document(broken(name)), toy.CATALOG)
    assert (code, node) in {(problem.code, problem.node) for problem in problems}
    assert all(problem.cure.endswith((".", "?")) for problem in problems)


def test_sub_pipelines_that_would_fill_the_memory_are_refused() -> None:
    """Thirteen levels of three make a million nodes of forty lines."""
    levels = [{"id": "d0", "nodes": [{"id": f"n{i}", "module": "constant"} for i in range(3)]}]
    for level in range(1, 13):
        inner = [{"id": f"n{i}", "module": f"definition:d{level - 1}"} for i in range(3)]
        levels.append({"id": f"d{level}", "nodes": inner})
    document = {**cases.pipeline("x:definition:d12"), "definitions": levels}
    problems = validate(parse_document(document), toy.CATALOG)
    assert "3023" in {problem.code for problem in problems}


def test_a_missing_input_is_reported_at_the_outermost_port() -> None:
    outer = {
        "id": "outer",
        "nodes": [{"id": "twice", "module": "definition:double"}, {"id": "sum", "module": "add"}],
        "inputs": [{"id": "one", "node": "twice", "port": "left"}],
    }
    nodes = [{"id": "front", "module": "definition:outer"}]
    content = {**cases.pipeline(), "nodes": nodes, "definitions": [DOUBLE, outer]}
    problems = validate(parse_document(content), toy.CATALOG)
    places = [(problem.code, problem.node, problem.port) for problem in problems]
    assert places == [
        ("0003", "front", "one"),
        ("0003", "front/twice", "right"),
        ("0003", "front/sum", "a"),
        ("0003", "front/sum", "b"),
    ]
