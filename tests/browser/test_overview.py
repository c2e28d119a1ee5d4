"""A pipeline of very many nodes, painted on one layer, is handled as a small one is."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pipelines.document.document import PipelineDocument
from tests.browser.designer import Designer, Point

pytestmark = pytest.mark.browser

COLUMNS, ROWS, STEP = 12, 12, 280
PORT = 0.43
"""Where the first port of a split is, as a part of its height."""
PAINTED = """(canvas) => {
  const {width, height} = canvas;
  const {data} = canvas.getContext('2d').getImageData(0, 0, width, height);
  const [red, green, blue] = [0x25, 0x63, 0xd9];
  let any = 0, accent = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] === 0) continue;
    any += 1;
    const off = Math.abs(data[at] - red) + Math.abs(data[at + 1] - green)
      + Math.abs(data[at + 2] - blue);
    if (off < 24) accent += 1;
  }
  return {any, accent};
}"""


BOX = """(node) => {
  const viewport = node.closest('.react-flow__viewport');
  const {a, e, f} = new DOMMatrix(getComputedStyle(viewport).transform);
  const frame = viewport.closest('.react-flow').getBoundingClientRect();
  const place = new DOMMatrix(node.style.transform);
  const size = {width: parseFloat(node.style.width) * a, height: parseFloat(node.style.height) * a};
  return {x: frame.x + e + place.e * a, y: frame.y + f + place.f * a, ...size};
}"""
"""Where a node is painted: away from the pointer its element has no box."""


def large_pipeline() -> dict[str, object]:
    """Splits in rows, the first of each row wired to the second."""
    places = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
    nodes = [
        {
            "id": f"split_{row}_{column}",
            "module": "split_image_directory",
            "version": 1,
            "parameters": {},
            "position": {"x": column * STEP, "y": row * STEP},
        }
        for row, column in places
    ]
    links = [
        {
            "from": {"node": f"split_{row}_0", "port": "output_image_directory1"},
            "to": {"node": f"split_{row}_1", "port": "input_image_directory"},
        }
        for row in range(ROWS)
    ]
    head = {"format": "pipeline-designer/2", "id": "large", "name": "Large"}
    return {**head, "nodes": nodes, "links": links}


def test_a_large_pipeline_is_painted_and_handled(designer: Designer) -> None:
    designer.open(large_pipeline())
    layer = designer.at("overview")
    expect(layer).to_be_visible()
    expect(designer.nodes()).to_have_count(COLUMNS * ROWS)
    designer.until(lambda: layer.evaluate(PAINTED)["any"] > 10_000)
    plain = layer.evaluate(PAINTED)["accent"]

    first, beside = _place(designer, "split_5_6"), _place(designer, "split_6_6")
    designer.page.mouse.click(*first)
    expect(designer.page.locator(".react-flow__node.selected")).to_have_count(1)
    designer.until(lambda: layer.evaluate(PAINTED)["accent"] > plain)

    designer.drag(first, ((first[0] + beside[0]) / 2 + 20, (first[1] + beside[1]) / 2))
    designer.until(lambda: _saved(designer, "split_5_6") != (6 * STEP, 5 * STEP))
    designer.press("Control+z")
    designer.until(lambda: _saved(designer, "split_5_6") == (6 * STEP, 5 * STEP))

    _pull_a_wire(designer)
    _draw_a_box(designer)


def _pull_a_wire(designer: Designer) -> None:
    """A painted wire is selected by a click, and its end then goes to another node."""
    source, target = (_box(designer, f"split_5_{at}") for at in (0, 1))
    gap = (source["x"] + source["width"] + target["x"]) / 2
    designer.page.mouse.click(gap, source["y"] + PORT * source["height"])
    expect(designer.wires()).to_have_count(1)
    end = designer.page.locator(".react-flow__edgeupdater-target")
    box = designer.box(end)
    designer.drag((box["x"] + 4, box["y"] + box["height"] / 2), _place(designer, "split_6_3"))
    designer.until(lambda: "split_6_3" in _fed_by(designer, "split_5_0"))
    designer.press("Control+z")
    designer.until(lambda: _fed_by(designer, "split_5_0") == ["split_5_1"])


def _draw_a_box(designer: Designer) -> None:
    """It takes the nodes in it, and the wires at them."""
    first, last = _box(designer, "split_8_0"), _place(designer, "split_8_1")
    designer.page.keyboard.down("Shift")
    expect(designer.page.locator(".react-flow__pane.selection")).to_be_attached()
    designer.drag((first["x"] - 10, first["y"] - 8), (last[0], last[1]))
    designer.page.keyboard.up("Shift")
    expect(designer.page.locator(".react-flow__node.selected")).to_have_count(2)
    expect(designer.page.locator(".react-flow__edge.selected")).to_have_count(1)


def _fed_by(designer: Designer, node: str) -> list[str]:
    return [link.to.node for link in _document(designer).links if link.from_.node == node]


def _box(designer: Designer, node: str) -> dict[str, float]:
    found: dict[str, float] = designer.page.locator(f'[data-id="{node}"]').evaluate(BOX)
    return found


def _place(designer: Designer, node: str) -> Point:
    box = _box(designer, node)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _document(designer: Designer) -> PipelineDocument:
    return designer.served.document(designer.pipeline_id)


def _saved(designer: Designer, node: str) -> Point:
    found = next(each for each in _document(designer).nodes if each.id == node)
    return found.position.x, found.position.y
