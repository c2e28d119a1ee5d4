"""Static drawing of a pipeline graph, with marked changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Literal

from designer_app.elements.link_paths import Box, Point, link_path
from designer_app.translation import _
from modules.catalog import Catalog
from pipelines.document.document import Node, PipelineDocument

Kind = Literal["added", "changed", "removed", "moved"]
NODE_WIDTH, NODE_HEIGHT = 192, 64
MARGIN = 32
CORNER = 14
"""Corner radius of a backward link, in pixels."""
MAX_NODES = 400
GROUND = "var(--st-background-color, Canvas)"
"""Fill that hides wires behind a node."""
TITLE_LETTERS, WORDS_LETTERS = 26, 31
COLOURS: dict[Kind, str] = {
    "added": "light-dark(#0f7345, #56cf95)",
    "changed": "light-dark(#865300, #e8b450)",
    "removed": "light-dark(#b3282d, #ff8e86)",
    "moved": "light-dark(#1d55bf, #8fb3ff)",
}
"""Color of each kind: green, amber, red and blue, as in the editor, for both themes."""


DASHES: dict[Kind, str] = {
    "removed": ' stroke-dasharray="6 4"',
    "moved": ' stroke-dasharray="1.5 4" stroke-linecap="round"',
}
"""Outlines of kinds that are not distinguished by color alone."""


@dataclass(frozen=True)
class Mark:
    """Change of a node, with its description."""

    kind: Kind
    words: tuple[str, ...]


def draw_graph(
    document: PipelineDocument,
    catalog: Catalog,
    marks: Mapping[str, Mark],
    gone_from: PipelineDocument,
) -> str:
    """Return the SVG: marked nodes in color, removed nodes at their former positions."""
    gone = [node for node in gone_from.nodes if marks.get(node.id, _SAME).kind == "removed"]
    nodes = [*document.nodes, *gone][:MAX_NODES]
    if not nodes:
        return ""
    corners = {node.id: _corner(node) for node in nodes}
    drop = _drop([_corner(node) for node in document.nodes], [_corner(node) for node in gone])
    corners |= {node.id: (x, y + drop) for node in gone for x, y in [_corner(node)]}
    links = [*document.links, *(link for link in gone_from.links if link not in document.links)]
    wires = "".join(
        _wire(link.from_.node, link.to.node, corners, is_gone=link not in document.links)
        for link in links
        if link.from_.node in corners and link.to.node in corners
    )
    boxes = "".join(_box(node, corners[node.id], catalog, marks.get(node.id)) for node in nodes)
    return _svg(wires + boxes, list(corners.values()), len(nodes))


def _corner(node: Node) -> tuple[float, float]:
    return float(node.position.x), float(node.position.y)


def _drop(present: list[tuple[float, float]], gone: list[tuple[float, float]]) -> float:
    """Return how far removed nodes must move down to cover no other node."""
    covers = any(
        abs(x - left) < NODE_WIDTH and abs(y - top) < NODE_HEIGHT
        for x, y in present
        for left, top in gone
    )
    if not covers:
        return 0.0
    return max(y for _, y in present) + NODE_HEIGHT + MARGIN - min(y for _, y in gone)


_SAME = Mark("changed", ())


def _svg(content: str, corners: list[tuple[float, float]], count: int) -> str:
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    width = max(x for x, _ in corners) - left + NODE_WIDTH + 2 * MARGIN
    height = max(y for _, y in corners) - top + NODE_HEIGHT + 2 * MARGIN
    label = _("Graph of {count:,} {count:node|nodes} with changes", count=count)
    box = f"{left - MARGIN:.0f} {top - MARGIN:.0f} {width:.0f} {height:.0f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" '
        f'aria-label="{escape(label)}" data-testid="graph-drawing" '
        f'style="width:100%;max-width:{width:.0f}px;max-height:70vh;color:inherit" '
        f'font-family="inherit">{content}</svg>'
    )


def _box(node: Node, corner: tuple[float, float], catalog: Catalog, mark: Mark | None) -> str:
    x, y = corner
    module = catalog.get(node.module)
    title = node.title or (module.title if module else node.module)
    words = "; ".join(mark.words) if mark else ""
    colour = COLOURS[mark.kind] if mark else "currentColor"
    strength = 'stroke-width="2"' if mark else 'stroke-opacity="0.3"'
    dashes = DASHES.get(mark.kind, "") if mark else ""
    fill = 'fill-opacity="0.1"' if mark else 'fill-opacity="0.02"'
    middle = y + NODE_HEIGHT / 2
    lines = _text(x + 14, middle - 6 if mark else middle + 5, title, TITLE_LETTERS, 14, bold=True)
    if mark:
        lines += _text(x + 14, middle + 15, words, WORDS_LETTERS, 12, colour=colour)
    place = f'x="{x:.0f}" y="{y:.0f}" width="{NODE_WIDTH}" height="{NODE_HEIGHT}" rx="9"'
    return (
        f"<g><title>{escape(f'{title}: {words}' if words else title)}</title>"
        f'<rect {place} style="fill: {GROUND}"/>'
        f'<rect {place} fill="{colour}" {fill} stroke="{colour}" {strength}{dashes}/>{lines}</g>'
    )


def _text(
    x: float,
    y: float,
    words: str,
    letters: int,
    size: int,
    *,
    bold: bool = False,
    colour: str = "currentColor",
) -> str:
    shown = words if len(words) <= letters else f"{words[: letters - 1]}…"
    weight = ' font-weight="650"' if bold else ""
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}"{weight} fill="{colour}">'
        f"{escape(shown)}</text>"
    )


def _wire(source: str, target: str, corners: Mapping[str, Point], *, is_gone: bool) -> str:
    middle = NODE_HEIGHT / 2
    others = [
        Box(x, y, NODE_WIDTH, NODE_HEIGHT)
        for node, (x, y) in corners.items()
        if node not in (source, target)
    ]
    (x1, y1), (x2, y2) = corners[source], corners[target]
    path = link_path((x1 + NODE_WIDTH, y1 + middle), (x2, y2 + middle), CORNER, others)
    dashes = ' stroke-dasharray="4 4"' if is_gone else ""
    return (
        f'<path d="{path}" fill="none" stroke="currentColor" stroke-opacity="0.35" '
        f'stroke-width="1.5"{dashes}/>'
    )
