"""The graph of a document: order, cycles, disabled nodes, what is broken left out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.document.checks.graph import Graph
from pipelines.document.checks.validate import validate
from pipelines.document.document import Endpoint, parse_document
from pipelines.problems import PipelineError
from tests.pipelines.document import cases
from tests.toy import CATALOG


def graph(*nodes: str | dict[str, Any], links: tuple[str, ...] = ()) -> Graph:
    return Graph(parse_document(cases.pipeline(*nodes, links=links)), CATALOG)


def disabled(node: str) -> dict[str, Any]:
    node_id, _, module = node.partition(":")
    return {"id": node_id, "module": module, "disabled": True}


def end(text: str) -> Endpoint:
    node, port = text.split(".")
    return Endpoint(node=node, port=port)


def test_order_is_that_of_the_document_where_links_leave_it_open() -> None:
    plan = graph(
        "d:add",
        "c:constant",
        "b:constant",
        "a:constant",
        links=("b.output -> d.a", "a.output -> d.b"),
    )
    assert plan.order == ("c", "b", "a", "d")


def test_a_cycle_is_found_and_named() -> None:
    plan = graph(
        "one:constant",
        "p:add",
        "q:add",
        "r:sleep",
        links=("one.output -> p.a", "p.output -> q.a", "q.output -> r.a", "r.output -> p.b"),
    )
    assert plan.cycle() == ["p", "q", "r"]
    with pytest.raises(PipelineError, match="Add 1 -> Add 2 -> Sleep -> Add 1"):
        _ = plan.order


def test_a_node_linked_to_itself_is_a_cycle() -> None:
    assert graph("p:sleep", links=("p.output -> p.a",)).cycle() == ["p"]


def test_upstream_and_what_a_node_needs() -> None:
    plan = graph(
        "one:constant",
        "two:constant",
        "p:sleep",
        "q:add",
        "r:sleep",
        links=("one.output -> p.a", "p.output -> q.a", "two.output -> q.b", "two.output -> r.a"),
    )
    assert plan.upstream("q") == {"one", "two", "p"}
    assert plan.subgraph_to("p") == ("one", "p")
    assert plan.subgraph_to("p", "r") == ("one", "two", "p", "r")


def test_a_disabled_node_hands_its_one_fitting_input_on() -> None:
    plan = graph(
        "one:constant",
        disabled("p:sleep"),
        disabled("q:sleep"),
        "sum:add",
        links=("one.output -> p.a", "p.output -> q.a", "q.output -> sum.a", "p.output -> sum.b"),
    )
    assert plan.inputs("sum") == {"a": end("one.output"), "b": end("one.output")}
    assert plan.active_nodes == ("one", "sum")
    assert plan.upstream("sum") == {"one"}


def test_a_disabled_node_with_two_fitting_inputs_hands_nothing_on() -> None:
    plan = graph(
        "one:constant",
        disabled("p:add"),
        "q:sleep",
        links=("one.output -> p.a", "p.output -> q.a"),
    )
    assert plan.inputs("q") == {}
    [problem] = validate(plan.document, CATALOG)
    assert (problem.code, problem.node, problem.port) == ("0003", "q", "a")
    assert "Add is disabled" in problem.message


def test_a_disabled_node_hands_no_supertype_on() -> None:
    plan = graph(
        "one:constant",
        disabled("r:whole"),
        "n:factorial",
        links=("one.output -> r.a", "r.output -> n.n"),
    )
    assert plan.inputs("n") == {}


def test_disabled_nodes_in_a_circle_end() -> None:
    plan = graph(
        disabled("p:sleep"),
        disabled("q:sleep"),
        "sum:add",
        links=("p.output -> q.a", "q.output -> p.a", "p.output -> sum.a"),
    )
    assert plan.inputs("sum") == {}


def test_broken_links_are_left_out() -> None:
    plan = graph(
        "one:constant",
        "sum:add",
        "x:teleport",
        links=(
            "one.output -> sum.a",
            "x.output -> sum.a",
            "one.value -> sum.b",
            "gone.output -> sum.b",
            "one.output -> sum.c",
            "one.output -> x.anything",
        ),
    )
    assert plan.inputs("sum") == {"a": end("one.output")}
    assert plan.inputs("x") == {"anything": end("one.output")}


def test_a_thousand_nodes_have_an_order_and_no_problem() -> None:
    nodes = ["n0:constant", *(f"n{i}:add" for i in range(1, 1000))]
    links = tuple(
        f"n{max(0, i - back)}.output -> n{i}.{port}"
        for i in range(1, 1000)
        for back, port in ((1, "a"), (2, "b"))
    )
    document = parse_document(cases.pipeline(*nodes, links=links))
    assert validate(document, CATALOG) == []
    assert len(Graph(document, CATALOG).order) == 1000


kinds = st.sampled_from(["constant", "add", "sleep", "whole", "factorial", "teleport"])
random_nodes = st.lists(st.tuples(kinds, st.booleans()), min_size=1, max_size=8)
random_links = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 8), st.sampled_from(["a", "b", "n"])), max_size=16
)


@given(random_nodes, random_links)
def test_any_graph_is_either_ordered_or_has_a_cycle(
    nodes: list[tuple[str, bool]], wires: list[tuple[int, int, str]]
) -> None:
    plan = graph(
        *({"id": f"n{i}", "module": kind, "disabled": off} for i, (kind, off) in enumerate(nodes)),
        links=tuple(f"n{a}.output -> n{b}.{port}" for a, b, port in wires),
    )
    cycle = plan.cycle()
    codes = {problem.code for problem in validate(plan.document, CATALOG)}
    assert ("3003" in codes) == (cycle is not None)
    if cycle is not None:
        steps = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        wired = {
            (link.from_.node, link.to.node)
            for links in plan.links_into.values()
            for link in links.values()
        }
        assert set(steps) <= wired
        return
    places = {node_id: place for place, node_id in enumerate(plan.order)}
    for node_id in plan.active_nodes:
        for source in plan.inputs(node_id).values():
            assert places[source.node] < places[node_id]
            assert source.node in plan.active_nodes
