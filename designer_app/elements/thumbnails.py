"""Thumbnail of a pipeline graph, as SVG in the page's colors."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from designer_app.elements.link_paths import Box, Point, link_path
from designer_app.translation import _
from modules.catalog import Catalog
from pipelines.document.document import Node, PipelineDocument

WIDTH, HEIGHT = 300, 120
MARGIN = 10
NODE_WIDTH, NODE_HEIGHT = 188.0, 84.0
"""Size of a node on the canvas, in pixels."""
CORNER = 4.0
"""Corner radius of a backward link, in pixels of the thumbnail."""
MAX_SCALE = 0.28
MAX_NODES = 400
STREAMLIT_COLOURS = {
    "grey": "gray",
    "green": "green",
    "violet": "violet",
    "amber": "orange",
    "red": "red",
    "blue": "blue",
}


def draw_thumbnail(document: PipelineDocument, catalog: Catalog) -> str:
    """Return the SVG: a box per node in the color of its output, a curve per link."""
    nodes = document.nodes[:MAX_NODES]
    if not nodes:
        return _svg("", _("an empty pipeline"))
    place = _Place(nodes)
    boxes = {node.id: place.of(node) for node in nodes}
    curves = "".join(
        _curve(link.from_.node, link.to.node, boxes, place.scale)
        for link in document.links
        if link.from_.node in boxes and link.to.node in boxes
    )
    drawn = "".join(_box(node, boxes[node.id], place.scale, catalog) for node in nodes)
    how_many = _("{count:,} {count:node|nodes}", count=len(document.nodes))
    return _svg(curves + drawn, how_many)


class _Place:
    """Transformation from the canvas to the thumbnail: everything fits, nothing is enlarged."""

    def __init__(self, nodes: tuple[Node, ...]) -> None:
        xs = [float(node.position.x) for node in nodes]
        ys = [float(node.position.y) for node in nodes]
        width, height = max(xs) - min(xs) + NODE_WIDTH, max(ys) - min(ys) + NODE_HEIGHT
        self.scale = min(MAX_SCALE, (WIDTH - 2 * MARGIN) / width, (HEIGHT - 2 * MARGIN) / height)
        self._left = (WIDTH - width * self.scale) / 2 - min(xs) * self.scale
        self._top = (HEIGHT - height * self.scale) / 2 - min(ys) * self.scale

    def of(self, node: Node) -> tuple[float, float]:
        """Return the upper left corner of a node's box."""
        x, y = float(node.position.x), float(node.position.y)
        return x * self.scale + self._left, y * self.scale + self._top


def _box(node: Node, corner: tuple[float, float], scale: float, catalog: Catalog) -> str:
    x, y = corner
    module = catalog.get(node.module)
    outputs = module.outputs if module else ()
    colour = STREAMLIT_COLOURS.get(outputs[0].type.colour if outputs else "grey", "gray")
    title = escape(node.title or (module.title if module else node.module))
    width, height = NODE_WIDTH * scale, NODE_HEIGHT * scale
    return (
        f'<g><title>{title}</title><rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" rx="{min(3.0, height / 3):.1f}" fill="var(--st-background-color, '
        f'Canvas)" stroke="currentColor" stroke-opacity="0.35"/><rect x="{x:.1f}" y="{y:.1f}" '
        f'width="{max(2.5, width * 0.09):.1f}" height="{height:.1f}" rx="1.5" '
        f'fill="var(--st-{colour}-color, currentColor)"/></g>'
    )


def _curve(source: str, target: str, boxes: Mapping[str, Point], scale: float) -> str:
    width, height = NODE_WIDTH * scale, NODE_HEIGHT * scale
    others = [
        Box(x, y, width, height) for node, (x, y) in boxes.items() if node not in (source, target)
    ]
    (x1, y1), (x2, y2) = boxes[source], boxes[target]
    path = link_path((x1 + width, y1 + height / 2), (x2, y2 + height / 2), CORNER, others)
    return f'<path d="{path}" fill="none" stroke="currentColor" stroke-opacity="0.45"/>'


def _svg(content: str, label: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">{content}</svg>'
    )
