"""The drawing of what changed between two pipelines."""

from __future__ import annotations

from xml.etree import ElementTree

from designer_app.elements.graph_drawing import COLOURS, GROUND, NODE_HEIGHT, Mark, draw_graph
from pipelines.document.document import parse_document
from tests.designer_app.documents import document, link, node
from tests.toy import CATALOG

SVG = "{http://www.w3.org/2000/svg}"


def test_marked_nodes_stand_out_and_names_are_text() -> None:
    hostile = "<script>alert(1)</script>"
    first = parse_document(document())
    other = parse_document(
        document(
            nodes=[{**node("two", "constant", value=3), "title": hostile}, node("sum", "add")],
            links=[link("two", "sum", "a")],
        )
    )
    marks = {
        "two": Mark("changed", ("Value: 2 → 3",)),
        "sum": Mark("added", ("added",)),
        "whole": Mark("removed", ("removed",)),
    }
    drawing = draw_graph(other, CATALOG, marks, gone_from=first)
    assert "<script" not in drawing
    rects = list(ElementTree.fromstring(drawing).iter(f"{SVG}rect"))
    grounds = [each for each in rects if GROUND in each.get("style", "")]
    boxes = [each for each in rects if each not in grounds]
    assert len(grounds) == len(boxes)  # no wire is seen through a node
    assert [box.get("stroke") for box in boxes] == [
        COLOURS[kind] for kind in ("changed", "added", "removed")
    ]
    assert boxes[2].get("stroke-dasharray")
    tops = [float(box.get("y", "0")) for box in boxes]
    assert tops[2] >= max(tops[:2]) + NODE_HEIGHT
    quiet = draw_graph(first, CATALOG, {}, gone_from=first)
    assert all(colour not in quiet for colour in COLOURS.values())


def test_an_empty_pipeline_has_no_drawing() -> None:
    empty = parse_document(document(nodes=[], links=[]))
    assert draw_graph(empty, CATALOG, {}, gone_from=empty) == ""
