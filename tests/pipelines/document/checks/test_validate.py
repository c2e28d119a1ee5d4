"""Everything wrong is found at once, at its place, with a code and a cure."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from pydantic import ValidationError

from modules.catalog import builtin_catalog
from modules.catalog_spec import catalog_spec
from pipelines.document.checks.parameters import parameters_of
from pipelines.document.checks.validate import validate
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.target_offer import TargetOffer
from pipelines.problems import Problem
from tests import toy
from tests.json_values import as_json
from tests.pipelines.document import cases
from tests.pipelines.document.checks.fussy_catalog import (
    CATALOG,
    FussyParameters,
    fussy,
    fussy_node,
)

OFFERS = {
    "local": TargetOffer("local", processes_per_node=2),
    "cluster": TargetOffer("cluster", max_nodes=4, processes_per_node=8, simulated=True),
}


def checked(*nodes: str | dict[str, Any], links: tuple[str, ...] = ()) -> list[Problem]:
    return validate(parse_document(cases.pipeline(*nodes, links=links)), CATALOG, OFFERS)


SHARED = cases.load("problems.json")


@pytest.mark.parametrize("case", cases.named(SHARED["cases"]))
def test_shared_cases(case: dict[str, Any]) -> None:
    problems = validate(parse_document(case["document"]), CATALOG, OFFERS)
    names = case["problems"][0].keys()
    assert [{name: as_json(item)[name] for name in names} for item in problems] == case["problems"]


def test_the_shared_cases_are_about_this_catalog_and_these_targets() -> None:
    assert SHARED["catalog"] == as_json(catalog_spec(CATALOG)), "Write it again."
    assert SHARED["targets"] == [asdict(offer) for offer in OFFERS.values()]


@pytest.mark.parametrize(
    ("parameters", "code", "says"),
    [
        ({"positive": 0}, "0004", "Positive cannot be 0. Enter a value that is greater than 0."),
        ({"least": 0.25}, "0005", "Least cannot be 0.25. Enter a value that is at least 0.5."),
        ({"below": 10}, "0006", "Below cannot be 10. Enter a value that is less than 10."),
        ({"most": 11}, "0007", "Most cannot be 11. Enter a value that is at most 10."),
        (
            {"share": 1.0},
            "0008",
            "Share cannot be 1. Enter a value that is greater than 0 and less than 1.",
        ),
        ({"mode": "warp"}, "0008", "Choose one of 'fast' or 'slow'."),
        ({"even": 3}, "0008", "Even: it is odd."),
        ({"label": "too long"}, "0008", "Label has 8 characters, but at most 5 are allowed."),
        ({"needed": ""}, "0003", "Needed is empty."),
        ({"positive": None}, "0003", "Positive is empty."),
        ({"positive": "3"}, "3009", 'Positive cannot be "3". Enter a whole number.'),
        ({"positive": 2.5}, "3009", "Enter a whole number."),
        ({"positive": True}, "3009", "Enter a whole number."),
        ({"least": "x"}, "3009", "Enter a number."),
        ({"flag": 1}, "3009", "Enter true or false."),
        ({"label": 5}, "3009", "Enter text."),
        ({"sizes": 5}, "3009", "Enter a list."),
        ({"sizes": [1, "x"]}, "3009", "Enter a whole number."),
        ({"positiv": 3}, "3010", "Did you mean 'positive'?"),
        ({"even": 13}, "3032", "ZeroDivisionError: thirteen"),
        ({"needed": "boom"}, "3032", "RuntimeError: a check that fails"),
    ],
)
def test_parameter_problems(parameters: dict[str, Any], code: str, says: str) -> None:
    [problem] = checked(fussy_node(**parameters))
    assert (problem.code, problem.node, problem.severity) == (code, "f", "error")
    assert says in problem.sentence
    if code != "3032":
        assert problem.parameter == next(iter(parameters))


def test_a_bound_of_the_smallest_step_above_zero_is_called_zero() -> None:
    nodes = [{"id": "t", "module": "train_pytorch_model", "parameters": {"learning_rate": -1}}]
    document = parse_document(cases.pipeline(*nodes))
    problems = validate(document, builtin_catalog(), OFFERS)
    [problem] = [item for item in problems if item.parameter == "learning_rate"]
    expected = "Learning rate cannot be -1. Enter a value that is greater than 0."
    assert f"{problem.message} {problem.cure}" == expected


def test_a_missing_parameter() -> None:
    [problem] = checked("f:fussy")
    assert (problem.code, problem.parameter) == ("0003", "needed")
    assert problem.remedy is None


def test_parameters_out_of_range_can_be_reset_by_a_button() -> None:
    [problem] = checked(fussy_node(positive=0))
    assert problem.remedy == {"reset": "positive"}


def test_a_modules_own_check_warns() -> None:
    [problem] = checked(fussy_node(flag=True, mode="slow", label="x"))
    assert (problem.code, problem.severity, problem.parameter) == ("3028", "warning", "flag")


def test_errors_of_a_modules_own_check() -> None:
    for parameters, code in (({"flag": True}, "0003"), ({"label": "bad"}, "0008")):
        [problem] = checked(fussy_node(**parameters))
        assert (problem.code, problem.severity, problem.parameter) == (code, "error", "label")


def test_all_problems_are_collected() -> None:
    problems = checked(
        {"id": "one", "module": "constant", "parameters": {"value": "x", "other": 1}},
        "sum:add",
        "y:ad",
        "n:factorial",
        {"id": "old", "module": "team", "version": 2},
        {"id": "off", "module": "constant", "parameters": {"value": "x"}, "disabled": True},
        links=(
            "one.output -> sum.a",
            "off.output -> sum.a",
            "one.output -> n.n",
            "gone.output -> sum.b",
            "one.outptu -> sum.b",
        ),
    )
    result = [(item.code, item.node, item.port or item.parameter) for item in problems]
    assert result == [
        ("3007", "sum", "a"),
        ("3004", "n", "n"),
        ("3005", None, None),
        ("3006", "one", "outptu"),
        ("3009", "one", "value"),
        ("3010", "one", "other"),
        ("0003", "sum", "b"),
        ("3001", "y", None),
        ("3002", "old", None),
    ]
    assert all(problem.cure.endswith((".", "?")) for problem in problems)
    assert problems[1].remedy == {"insert": ["whole"]}
    assert problems[-1].remedy == {"upgrade": "old"}


def test_a_node_of_a_newer_version_is_not_upgraded() -> None:
    [problem] = checked({"id": "new", "module": "team", "version": 9})
    assert (problem.code, problem.remedy) == ("3002", None)
    assert "Update the package" in problem.cure


def test_nothing_to_run() -> None:
    assert [problem.code for problem in checked()] == ["3027"]
    off = {"id": "one", "module": "constant", "disabled": True}
    assert [problem.code for problem in checked(off)] == ["3027"]


def team_node(**run_settings: Any) -> dict[str, Any]:
    return {"id": "t", "module": "team", "version": 3, "run_settings": run_settings}


@pytest.mark.parametrize(
    ("node", "code", "parameter", "remedy"),
    [
        (team_node(node_count=2), "3011", "node_count", {"node_count": 1}),
        (
            team_node(process_count_per_node=3),
            "3012",
            "process_count_per_node",
            {"process_count_per_node": 2},
        ),
        (team_node(target="clutser"), "3019", "target", None),
        (
            {"id": "t", "module": "constant", "run_settings": {"node_count": 2}},
            "3020",
            "node_count",
            {"node_count": 1, "process_count_per_node": 1},
        ),
    ],
)
def test_run_settings_beyond_the_target(
    node: dict[str, Any], code: str, parameter: str, remedy: dict[str, int] | None
) -> None:
    [problem] = checked(node)
    assert (problem.code, problem.node, problem.parameter) == (code, "t", parameter)
    assert problem.remedy == (None if remedy is None else {"run_settings": remedy})


def test_run_settings_within_the_target() -> None:
    assert checked(team_node(target="cluster", node_count=4, process_count_per_node=8)) == []
    document = parse_document(cases.pipeline(team_node(node_count=9)))
    assert validate(document, CATALOG) == []


def test_the_pipelines_own_target_is_reported_once() -> None:
    content = {**cases.pipeline("a:constant", "b:constant"), "settings": {"target": "moon"}}
    [problem] = validate(parse_document(content), CATALOG, OFFERS)
    assert (problem.code, problem.node, problem.parameter) == ("3019", None, "target")


def _seeded(seed: int | None, **parameters: Any) -> PipelineDocument:
    content = cases.pipeline(fussy_node(**parameters), "one:constant")
    return parse_document({**content, "settings": {"random_seed": seed}})


def test_the_pipelines_seed_replaces_the_default_only() -> None:
    cases_of_seeds: tuple[tuple[int | None, dict[str, Any], int], ...] = (
        (7, {}, 7),
        (7, {"random_seed": 3}, 3),
        (None, {}, 1),
        (7, {"random_seed": None}, 7),
        (None, {"random_seed": None}, 1),
    )
    for seed, own, expected in cases_of_seeds:
        document = _seeded(seed, **own)
        parameters = parameters_of(document.nodes[0], fussy, document)
        assert isinstance(parameters, FussyParameters)
        assert parameters.random_seed == expected
    assert parameters_of(document.nodes[1], toy.constant, document) == toy.ConstantParameters()


def test_parameters_come_from_json() -> None:
    document = _seeded(None, sizes=[3], least=2)
    parameters = parameters_of(document.nodes[0], fussy, document)
    assert parameters.model_dump(include={"sizes", "least"}) == {"sizes": (3,), "least": 2.0}
    with pytest.raises(ValidationError):
        parameters_of(_seeded(None, positive=0).nodes[0], fussy, document)


@pytest.mark.parametrize(
    ("module", "setting", "value", "code"),
    [
        ("constant", "environment", "nightly@2", "3060"),
        ("constant", "launcher", "none", "3060"),
        ("constant", "parameter_server_count", 1, "3060"),
        ("launch", "parameter_server_count", 1, "3061"),
    ],
)
def test_a_run_setting_that_does_nothing_is_no_secret(
    module: str, setting: str, value: object, code: str
) -> None:
    node = {"id": "one", "module": module, "run_settings": {setting: value}}
    document = parse_document(cases.pipeline(node))
    [problem] = validate(document, toy.CATALOG)
    assert (problem.code, problem.node, problem.parameter) == (code, "one", setting)
    assert problem.remedy == {"clear": setting}


@pytest.mark.parametrize(
    "settings",
    [
        {"cores_per_process": 2},
        {"variables": {"A": "1", "OMP_NUM_THREADS": "1"}},
        {"launcher": "tensorflow", "parameter_server_count": 2},
        {"target": "cluster", "node_count": 4, "process_count_per_node": 8, "launcher": "mpi"},
    ],
)
def test_run_settings_of_launched_processes(settings: dict[str, Any]) -> None:
    assert checked({"id": "one", "module": "launch", "run_settings": settings}) == []


def test_a_sweep_that_does_not_fit_is_no_error_of_an_ordinary_run() -> None:
    sweep = {"parameters": {"two.value": {"kind": "choices", "choices": [1, 2]}}}
    content = {**cases.pipeline("one:constant"), "settings": {"sweep": sweep}}
    [problem] = validate(parse_document(content), toy.CATALOG)
    assert (problem.code, problem.severity) == ("3044", "warning")
