"""Pictures of graphs, and text of unknown origin on pages."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from designer_app.elements.link_paths import Box, link_path
from designer_app.elements.thumbnails import HEIGHT, WIDTH, draw_thumbnail
from designer_app.ui.markdown import plain
from modules.catalog import builtin_catalog
from pipelines.document.document import parse_document
from pipelines.lessons.lesson import lessons
from tests.designer_app.documents import document, node

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("lesson", lessons(), ids=lambda each: each.slug)
def test_a_lesson_has_a_box_a_node_and_a_curve_a_link(lesson: object) -> None:
    drawn = lesson.document  # type: ignore[attr-defined]
    root = ElementTree.fromstring(draw_thumbnail(drawn, builtin_catalog()))
    assert len(root.findall(f"{SVG}g")) == len(drawn.nodes)
    assert len(root.findall(f"{SVG}path")) == len(drawn.links)
    for box in root.iter(f"{SVG}rect"):
        assert 0 <= float(box.get("x", "-1")) <= WIDTH
        assert 0 <= float(box.get("y", "-1")) <= HEIGHT


def test_a_link_leads_around_the_nodes_between_its_ends() -> None:
    boxes = [Box(100 * place, 0, 60, 40) for place in (1, 2)]
    start, end = (60.0, 20.0), (300.0, 20.0)
    assert link_path(start, end, 6).count("C") == 1
    path = link_path(start, end, 6, boxes)
    [height] = re.findall(r" (-?[\d.]+)H", path)
    assert float(height) == -6
    under = link_path(start, end, 6, [*boxes, Box(100, -40, 60, 38)])
    assert re.findall(r" (-?[\d.]+)H", under) == ["46.0"]
    beside = [Box(100, 60, 60, 40)]
    assert link_path(start, end, 6, beside) == link_path(start, end, 6)


def test_markup_in_titles_stays_text() -> None:
    hostile = '</title><script>alert(1)</script><img onerror="x">'
    content = document(nodes=[{**node("a", "constant"), "title": hostile}], links=[])
    picture = draw_thumbnail(parse_document(content), builtin_catalog())
    assert "<script" not in picture
    assert "<img" not in picture
    title = ElementTree.fromstring(picture).find(f"{SVG}g/{SVG}title")
    assert title is not None
    assert title.text == hostile


def test_nothing_and_everything_can_be_drawn() -> None:
    empty = draw_thumbnail(parse_document(document(nodes=[], links=[])), builtin_catalog())
    assert "empty" in empty
    nodes = [
        {**node(f"n{i}", "whole"), "position": {"x": i * 1e4, "y": -i * 1e4}} for i in range(900)
    ]
    picture = draw_thumbnail(parse_document(document(nodes=nodes, links=[])), builtin_catalog())
    assert len(picture) < 400_000
    ElementTree.fromstring(picture)


def test_plain_text_is_no_markdown() -> None:
    assert plain("![x](http://evil)") == r"\!\[x\]\(http\:\/\/evil\)"
    assert plain("$x$ :smile: <b>") == r"\$x\$ \:smile\: \<b\>"
