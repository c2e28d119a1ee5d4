"""Differences of two pipelines node by node: matched nodes, both values, wires, sub-pipelines."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.graph_difference import PipelineDifference, pipeline_difference
from tests.designer_app.documents import link, node
from tests.toy import CATALOG

TWO = node("two", "constant", value=2)
SUM = node("sum", "add")
WIRE = link("two", "sum", "a")


def document(pipeline_id: str = "p", **changes: Any) -> PipelineDocument:
    content = {"nodes": [TWO, SUM], "links": [WIRE], "name": "P", **changes}
    return parse_document({"format": "pipeline-designer/2", "id": pipeline_id, **content})


def compared(old: PipelineDocument, new: PipelineDocument) -> PipelineDifference:
    return pipeline_difference(old, new, CATALOG)


def test_equal_pipelines_have_no_differences() -> None:
    difference = compared(document(), document("copy", name="Another name"))
    assert difference.count == 0
    assert difference.name == "P"
    assert not difference.inside


@pytest.mark.parametrize(
    ("changes", "texts"),
    [
        ({"parameters": {"value": 5}}, ["Value: 2 → 5"]),
        ({"title": "Deux"}, ["Title: none → Deux"]),
        ({"disabled": True}, ["disabled"]),
        ({"comment": "Why two?"}, ["comment changed"]),
        ({"pin": {"artifact": "a1", "run": "r1"}}, ["pinned to the result of run r1"]),
        ({"version": 2}, ["module version: 1 → 2"]),
        (
            {"parameters": {"value": 5}, "run_settings": {"retries": 2, "target": "cluster"}},
            ["Value: 2 → 5", "Target: none → cluster", "Retries: 0 → 2"],
        ),
        ({"run_settings": {"regenerate_output": True}}, ["Regenerate output: off → on"]),
    ],
)
def test_changes_have_both_values(changes: dict[str, Any], texts: list[str]) -> None:
    difference = compared(document(), document(nodes=[{**TWO, **changes}, SUM]))
    assert difference.graph.changed == {"two": texts}
    assert difference.count == 1
    assert not difference.graph.moved


def test_a_default_is_the_value_of_a_parameter_that_is_not_set() -> None:
    default = document(nodes=[node("two", "constant"), SUM])
    (value,) = compared(default, document()).graph.values["two"]
    module = CATALOG.get("constant")
    assert module is not None
    assert value.before == module.parameters_type().model_dump()["value"]
    assert (value.name, value.title, value.after) == ("value", "Value", 2)
    explicit = document(nodes=[node("two", "constant", value=value.before), SUM])
    assert compared(default, explicit).count == 0, "written out, it is the same"


@pytest.mark.parametrize(
    ("looks", "text"),
    [
        ({"position": {"x": 9, "y": 0}}, "moved"),
        ({"collapsed": True}, "collapsed"),
        ({"color": "red"}, "color changed"),
    ],
)
def test_what_only_looks_different_has_moved(looks: dict[str, Any], text: str) -> None:
    graph = compared(document(), document(nodes=[{**TWO, **looks}, SUM])).graph
    assert graph.moved == {"two": [text]}
    assert not graph.changed
    both = {**TWO, **looks, "parameters": {"value": 3}}
    graph = compared(document(), document(nodes=[both, SUM])).graph
    assert (graph.changed, graph.moved) == ({"two": ["Value: 2 → 3"]}, {})


def test_nodes_are_matched_although_their_ids_differ() -> None:
    other = document("other", nodes=[node("a", "constant", value=7), {**SUM, "id": "b"}])
    other = other.model_copy(update={"links": document(links=[]).links})
    difference = compared(other, document())
    assert difference.graph.changed == {"two": ["Value: 7 → 2"]}
    assert [node.id for node in difference.baseline.nodes] == ["two", "sum"]
    assert [str(link.to) for link in difference.graph.added_links] == ["sum.a"]
    assert difference.graph.links == ["connected Constant to Add"]


def test_a_replaced_module_is_a_removed_and_an_added_node() -> None:
    replaced = document(nodes=[TWO, node("sum", "multiply")])
    graph = compared(document(), replaced).graph
    assert graph.added == ["sum"]
    assert graph.removed == ["sum-other"]
    assert [str(link.to) for link in graph.removed_links] == ["sum-other.a"]
    assert graph.links == [], "the node is the difference, not its wires"


def test_unknown_modules_are_compared_by_what_is_written() -> None:
    old = document(nodes=[node("x", "of_another_package", depth=3)], links=[])
    new = document(nodes=[node("x", "of_another_package", depth=4)], links=[])
    assert compared(old, new).graph.changed == {"x": ["Depth: 3 → 4"]}
    assert compared(old, document()).graph.removed == ["x"]


def test_long_values_that_begin_alike_are_not_repeated() -> None:
    texts = ["a" * 100, "a" * 99 + "b"]
    old, new = (
        document(nodes=[node("x", "unknown_module", code=text)], links=[]) for text in texts
    )
    assert compared(old, new).graph.changed == {"x": ["Code changed"]}


def test_settings_and_parameters_of_the_pipeline_are_compared() -> None:
    parameter = {"id": "n", "type": "integer", "default": 1, "binds": ["two.value"]}
    old = document(parameters=[parameter, {**parameter, "id": "gone"}])
    new = document(
        name="Q",
        description="d",
        settings={"random_seed": 7},
        parameters=[{**parameter, "default": 3}, {**parameter, "id": "fresh", "title": "Fresh"}],
        notes=[{"id": "note"}],
        groups=[{"id": "g", "nodes": ["two"]}],
    )
    assert compared(old, new).graph.others == [
        "Name: P → Q",
        "Random seed: none → 7",
        "description changed",
        "parameter n: 1 → 3",
        "parameter Fresh added",
        "parameter gone removed",
        "notes changed",
        "groups changed",
    ]


def test_binds_and_groups_follow_the_ids_of_matched_nodes() -> None:
    parameter = {"id": "n", "type": "integer", "default": 1, "binds": ["two.value"]}
    group = {"id": "g", "nodes": ["two"]}
    same = document(parameters=[parameter], groups=[group])
    other = document(
        "other",
        nodes=[{**TWO, "id": "zwei"}, SUM],
        links=[link("zwei", "sum", "a")],
        parameters=[{**parameter, "binds": ["zwei.value"]}],
        groups=[{**group, "nodes": ["zwei"]}],
    )
    assert compared(other, same).count == 0


def test_differences_inside_sub_pipelines_reach_the_nodes_around_them() -> None:
    def nested(value: int) -> PipelineDocument:
        inner = {"id": "inner", "title": "Inner", "nodes": [node("x", "constant", value=value)]}
        outer = {"id": "outer", "nodes": [node("i", "definition:inner")]}
        return document(nodes=[TWO, SUM, node("o", "definition:outer")], definitions=[outer, inner])

    difference = compared(nested(1), nested(4))
    assert difference.graph.changed == {"o": ["contents changed"]}
    assert difference.inside["outer"].changed == {"i": ["contents changed"]}
    assert difference.inside["inner"].changed == {"x": ["Value: 1 → 4"]}
    assert difference.count == 3
    assert compared(nested(1), nested(1)).count == 0


def test_ports_of_a_sub_pipeline_are_compared() -> None:
    part = {"id": "part", "nodes": [TWO], "outputs": []}
    ported = {**part, "outputs": [{"id": "output", "node": "two", "port": "output"}]}
    nodes = [node("front", "definition:part")]
    old = document(nodes=nodes, links=[], definitions=[part])
    new = document(nodes=nodes, links=[], definitions=[ported])
    assert compared(old, new).inside["part"].others == ["ports changed"]


def test_large_pipelines_are_compared_quickly() -> None:
    def chain(prefix: str, value: int) -> PipelineDocument:
        nodes = [
            {**node(f"{prefix}{i}", "constant", value=value), "title": f"N{i}"} for i in range(2000)
        ]
        return document(nodes=nodes, links=[])

    start = time.process_time()
    difference = compared(chain("a", 1), chain("b", 2))
    assert time.process_time() - start < 10
    assert len(difference.graph.changed) == 2000
    assert not difference.graph.added


def test_a_sweep_of_renamed_nodes_is_the_same() -> None:
    def swept(node_id: str) -> PipelineDocument:
        sweep = {
            "parameters": {f"{node_id}.value": {"choices": [1, 2]}},
            "objective": {"node": node_id, "metric": "Loss"},
        }
        nodes = [{**TWO, "id": node_id}, SUM]
        wires = [link(node_id, "sum", "a")]
        return document(node_id, nodes=nodes, links=wires, settings={"sweep": sweep})

    assert compared(swept("two"), swept("deux")).count == 0
    assert compared(document(), swept("two")).graph.others == ["sweep changed"]


def test_an_unknown_parameter_is_the_only_difference_of_its_node() -> None:
    plain = document(nodes=[node("sleep", "sleep")], links=[])
    odd = document(nodes=[node("sleep", "sleep", zz=1)], links=[])
    assert compared(plain, odd).graph.changed == {"sleep": ["Zz: none → 1"]}
