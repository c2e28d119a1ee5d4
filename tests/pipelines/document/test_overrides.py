"""``--set NODE.PARAMETER=VALUE``."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.document.checks.validate import apply_overrides, validate
from pipelines.document.document import parse_document
from pipelines.problems import PipelineError
from tests.pipelines.document import cases
from tests.pipelines.document.checks.fussy_catalog import CATALOG, fussy_node

DOCUMENT = parse_document(cases.pipeline("one:constant", fussy_node(), "x:teleport"))
BOUND = {"id": "amount", "title": "Amount", "type": "integer", "default": 1, "binds": ["one.value"]}


@pytest.mark.parametrize(
    ("assignment", "node", "parameter", "value"),
    [
        ("one.value=3", 0, "value", 3),
        ("one.value = -2.5e3", 0, "value", -2500.0),
        ("f.mode=slow", 1, "mode", "slow"),
        ("f.needed=a=b", 1, "needed", "a=b"),
        ("f.needed=3", 1, "needed", "3"),
        ("f.label=null", 1, "label", None),
        ("f.label=", 1, "label", ""),
        ("f.flag=true", 1, "flag", True),
        ("f.sizes=[1, 2]", 1, "sizes", [1, 2]),
        ("x.anything=1", 2, "anything", 1),
    ],
)
def test_parameters(assignment: str, node: int, parameter: str, value: Any) -> None:
    changed = apply_overrides(DOCUMENT, [assignment], CATALOG)
    assert changed.nodes[node].parameters[parameter] == value
    assert type(changed.nodes[node].parameters[parameter]) is type(value)


def test_a_value_out_of_range_is_left_to_validation() -> None:
    changed = apply_overrides(DOCUMENT, ["f.positive=0"], CATALOG)
    assert "0004" in [problem.code for problem in validate(changed, CATALOG)]


@pytest.mark.parametrize(
    ("assignment", "field", "value"),
    [
        ("one.run_settings.process_count_per_node=2", "process_count_per_node", 2),
        ("one.node_count=3", "node_count", 3),
        ("one.target=cluster", "target", "cluster"),
        ("one.target=null", "target", None),
        ("one.regenerate_output=true", "regenerate_output", True),
        ("one.time_limit_minutes=1.5", "time_limit_minutes", 1.5),
        ("x.retries=2", "retries", 2),
    ],
)
def test_run_settings(assignment: str, field: str, value: object) -> None:
    changed = apply_overrides(DOCUMENT, [assignment], CATALOG)
    node = changed.node(assignment.partition(".")[0])
    assert node is not None
    assert getattr(node.run_settings, field) == value


def test_disabled_and_several_at_once() -> None:
    changed = apply_overrides(DOCUMENT, ["one.disabled=true", "one.value=4"], CATALOG)
    assert (changed.nodes[0].disabled, changed.nodes[0].parameters) == (True, {"value": 4})


@pytest.mark.parametrize(
    ("assignment", "code", "says"),
    [
        ("value", "3026", "Use the form NODE.PARAMETER=VALUE"),
        ("one=3", "3026", "Use the form NODE.PARAMETER=VALUE"),
        (".value=3", "3026", "Use the form NODE.PARAMETER=VALUE"),
        ("oen.value=3", "3005", "Did you mean 'one'?"),
        ("x/inner.value=3", "3005", "then set that parameter of x."),
        ("nowhere/inner.value=3", "3005", "Choose one of"),
        ("one.valeu=3", "3010", "Did you mean 'value'?"),
        ("one.nod_count=3", "3010", "Did you mean 'node_count'?"),
        ("one.value=three", "3026", "for 'value'"),
        ("one.value=NaN", "3026", "for 'value'"),
        ("one.value=1e999", "3026", "for 'value'"),
        ("one.value=", "3026", "for 'value'"),
        ("one.node_count=0", "3026", "must be at least 1"),
        ("one.node_count=two", "3026", "for 'node_count'"),
        ("one.disabled=1", "3026", "must be true or false"),
        ("x.not a name=1", "3026", "is not a valid id"),
        ("f.needed=\ud800", "3026", "for 'needed'"),
    ],
)
def test_faults(assignment: str, code: str, says: str) -> None:
    with pytest.raises(PipelineError) as caught:
        apply_overrides(DOCUMENT, [assignment], CATALOG)
    [problem] = caught.value.problems
    assert problem.code == code
    assert says in problem.sentence


def test_a_value_that_a_parameter_of_the_pipeline_gives_is_not_set_in_vain() -> None:
    document = parse_document({**DOCUMENT.to_json(), "parameters": [BOUND]})
    with pytest.raises(PipelineError, match="set by the pipeline parameter Amount") as caught:
        apply_overrides(document, ["one.value=3"], CATALOG)
    [problem] = caught.value.problems
    assert (problem.node, problem.parameter) == ("one", "value")
    assert problem.cure == "Use --param amount=VALUE."


def test_all_faults_are_collected() -> None:
    with pytest.raises(PipelineError) as caught:
        apply_overrides(DOCUMENT, ["a.b=1", "one.value=2", "c"], CATALOG)
    assert [problem.code for problem in caught.value.problems] == ["3005", "3026"]
