"""Pins in documents: what they leave out, and how they are edited, named and written as code."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from modules.catalog import builtin_catalog
from pipelines.document.checks.graph import Graph, uncomputed_nodes
from pipelines.document.checks.validate import validate
from pipelines.document.code.read import read_code
from pipelines.document.code.write import to_code
from pipelines.document.document import parse_document
from pipelines.document.document_diff import describe, is_same
from pipelines.document.expansion import expanded
from pipelines.document.inference import derive_inference
from pipelines.document.overrides import apply_overrides
from pipelines.document.parts import Pin
from pipelines.document.pin_changes import PinnedRun, changes_since
from pipelines.document.pins import with_pin, without_pins
from pipelines.lessons.lesson import lessons
from pipelines.problems import PipelineError
from pipelines.runs.run_names import name_of_change
from tests.pipelines.document import cases
from tests.pipelines.document.nested_pipeline import nested
from tests.toy import CATALOG

PIN = Pin(artifact="0123456789abcdef0123-1a2b1-c3d4", run="20261130-120000-1a2b")
SUM = cases.pipeline("two:constant", "sum:add", links=("two.output -> sum.a",))


@pytest.mark.parametrize("case", cases.named(cases.load("pins.json")))
def test_nodes_that_only_pinned_nodes_would_read(case: dict[str, Any]) -> None:
    graph = Graph(parse_document(case["document"]), CATALOG)
    assert sorted(graph.unneeded) == sorted(case["unneeded"])
    assert set(graph.computed_nodes) == set(graph.active_nodes) - graph.unneeded


def test_problems_of_what_is_not_computed_are_not_reported() -> None:
    document = parse_document(SUM)
    assert {problem.node for problem in validate(document, CATALOG)} == {"sum"}
    broken = cases.pipeline(
        {"id": "two", "module": "constant", "parameters": {"value": "x"}},
        {"id": "sum", "module": "add", "pin": PIN.model_dump()},
        links=("two.output -> sum.a",),
    )
    assert validate(parse_document(broken), CATALOG) == []


def test_a_node_is_pinned_and_unpinned_by_its_path() -> None:
    document = nested()
    pinned = with_pin(with_pin(document, "end", PIN), "front/twice/sum", PIN)
    assert {node.id for node in expanded(pinned).nodes if node.is_pinned} == {
        "end",
        "front/twice/sum",
    }
    assert with_pin(with_pin(pinned, "end", None), "front/twice/sum", None) == document
    assert uncomputed_nodes(expanded(pinned), CATALOG) == {
        "end",
        "front/twice/sum",
        "front/start",
        "one",
    }
    for path in ("gone", "front/gone", "front/start/sum", "end/sum"):
        with pytest.raises(PipelineError, match="not found"):
            with_pin(document, path, PIN)


def test_a_pin_is_written_as_code_and_read_back() -> None:
    document = with_pin(parse_document(SUM), "sum", PIN)
    code = to_code(document, CATALOG)
    assert f'pin={{"artifact": "{PIN.artifact}", "run": "{PIN.run}"}}' in " ".join(code.split())
    assert read_code(code, CATALOG).document == document


def test_changes_and_names_of_runs_say_what_is_pinned() -> None:
    before = parse_document(SUM)
    after = with_pin(before, "sum", PIN)
    assert not is_same(before, after)
    assert describe(before, after, CATALOG) == f"pinned Add to the result of run {PIN.run}"
    assert describe(after, before, CATALOG) == "unpinned Add"
    assert name_of_change(before, after, CATALOG) == "Add pinned"
    assert name_of_change(after, before, CATALOG) == "Add unpinned"


def test_an_override_unpins() -> None:
    pinned = with_pin(parse_document(SUM), "sum", PIN)
    assert apply_overrides(pinned, ["sum.pin=null"], CATALOG) == without_pins(pinned)
    with pytest.raises(PipelineError):
        apply_overrides(pinned, ['sum.pin="last"'], CATALOG)


def test_an_inference_pipeline_has_no_pins() -> None:
    lesson = next(lesson for lesson in lessons() if lesson.document.id == "01-digits")
    pinned = lesson.document
    for node in pinned.nodes:
        pinned = with_pin(pinned, node.id, PIN)
    derived = derive_inference(pinned, builtin_catalog(), "digits@1")
    assert [node.id for node in derived.document.nodes if node.pin] == []
    assert derived == derive_inference(lesson.document, builtin_catalog(), "digits@1")


def test_a_sweep_does_not_vary_what_trials_do_not_compute() -> None:
    spaces = {"two.value": {"kind": "choices", "choices": [1, 2]}}
    content = {**SUM, "settings": {"sweep": {"parameters": spaces}}}
    pinned = with_pin(parse_document(content), "sum", PIN)
    problems = {problem.reason: problem.node for problem in validate(pinned, CATALOG)}
    assert problems == {"swept_pinned": "two"}
    objective = {"node": "sum", "metric": "accuracy"}
    content = {**SUM, "settings": {"sweep": {"parameters": spaces, "objective": objective}}}
    pinned = with_pin(parse_document(content), "sum", PIN)
    assert "objective_pinned" in {problem.reason for problem in validate(pinned, CATALOG)}


def compared(ran: dict[str, Any], now: dict[str, Any], node: str, **outputs: str) -> list[str]:
    run = PinnedRun(Graph(parse_document(ran), CATALOG), outputs)
    return changes_since(run, node, Graph(parse_document(now), CATALOG), node)


def chain(value: float = 1.0, **two: Any) -> dict[str, Any]:
    node = {"id": "two", "module": "constant", "parameters": {"value": value}, **two}
    wires = ("two.output -> nap.a", "nap.output -> out.a")
    return cases.pipeline(node, "nap:sleep", "out:whole", links=wires)


def test_only_what_changes_the_result_counts() -> None:
    looks = chain(title="Two", comment="!", position={"x": 9, "y": 9}, version=1)
    assert compared(chain(), looks, "out") == []
    assert compared(chain(), chain(3), "two") == ["Value 1 → 3"]
    assert compared(chain(), chain(3), "out") == ["Sleep changed upstream"]
    other = cases.pipeline("two:constant", "nap:sleep", "out:whole", links=chain_wires(1))
    assert compared(chain(), other, "out") == ["a is connected differently"]
    assert compared(chain(), other, "nap") == []


def chain_wires(count: int) -> tuple[str, ...]:
    return ("two.output -> nap.a", "nap.output -> out.a")[:count]


def test_what_is_pinned_upstream_is_compared_by_its_result() -> None:
    """The value does not matter: the same stored result was read."""
    pinned = chain(3, pin=PIN.model_dump())
    assert compared(chain(), pinned, "out", two=PIN.artifact) == []
    assert compared(chain(), pinned, "out", two="another") == ["Sleep changed upstream"]
    assert compared(pinned, chain(3), "out") == ["Sleep changed upstream"]


def test_a_long_chain_is_compared() -> None:
    names = [f"n{number}" for number in range(3000)]
    wires = tuple(f"{one}.output -> {other}.a" for one, other in pairwise(names))
    long = cases.pipeline(*(f"{name}:sleep" for name in names), links=wires)
    assert compared(long, long, "n2999") == []
