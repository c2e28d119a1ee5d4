"""Everything can be read: nodes as they open, and after Tidy up."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from pipelines.document.document import parse_document
from pipelines.runs.run_request import RunRequest
from tests.browser.designer import Designer
from tests.browser.geometry import CROSSED
from tests.browser.lessons import lesson
from tests.browser.served import LIBRARY

pytestmark = pytest.mark.browser

OF_EACH_SHAPE = {
    "01-digits",
    "03-two-models-compared",
    "07-your-own-photographs",
    "09-your-own-script",
}
"""A short chain, the longest one with a fork, one with own images, one with a script."""
LESSONS = [
    pytest.param(
        path.stem, marks=() if path.stem in OF_EACH_SHAPE else pytest.mark.full, id=path.stem
    )
    for path in sorted(LIBRARY.glob("*.json"))
]
LESSON_PERCENT, TWELVE_PERCENT, SMALL_PERCENT = 75, 60, 70
"""How large the nodes of a lesson, of a pipeline of twelve, and on a small screen are at least."""

WALLS = (300, 600, 900)
"""Where nodes stand between the two ends of a wire that leads back, whatever its height."""

# wires that are seen to pass over a port where they neither begin nor end
OVER_PORTS = """canvas => {
  const middle = (box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const far = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
  const ports = [...canvas.querySelectorAll(".pd-port")].map((each) => ({
    name: each.dataset.testid, reach: each.getBoundingClientRect().width / 2,
    ...middle(each.getBoundingClientRect()),
  }));
  const seen = (each) => getComputedStyle(each).opacity !== "0";
  return [...canvas.querySelectorAll(".pd-wire")].filter(seen).flatMap((wire) => {
    const matrix = wire.getScreenCTM();
    const length = wire.getTotalLength() / 199;
    const at = (_, step) => wire.getPointAtLength(step * length).matrixTransform(matrix);
    const points = [...Array(200)].map(at);
    const ends = [points[0], points[199]];
    return ports
      .filter((port) => ends.every((end) => far(end, port) > 2 * port.reach))
      .filter((port) => points.some((point) => far(point, port) < 2 * port.reach))
      .map((port) => port.name);
  });
}"""


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_opens_readable(designer: Designer, slug: str) -> None:
    designer.page.set_viewport_size({"width": 1440, "height": 900})
    designer.open(lesson(slug))
    expect(designer.nodes().first).to_be_visible()
    designer.until(lambda: percent_seen(designer) >= LESSON_PERCENT)
    designer.resting(designer.nodes().first)
    boxes = [designer.box(node) for node in designer.nodes().all()]
    canvas = designer.box(designer.at("canvas"))
    assert all(canvas["x"] <= box["x"] for box in boxes)
    assert all(box["x"] + box["width"] <= canvas["x"] + canvas["width"] for box in boxes)
    designer.page.mouse.move(0, 0)  # a wire under the pointer shows its way
    designer.until(lambda: designer.at("canvas").evaluate(CROSSED) == [])


@pytest.mark.parametrize("links", ["chain", "fan"])
def test_twelve_nodes_are_tidied_readable(designer: Designer, links: str) -> None:
    designer.page.set_viewport_size({"width": 1440, "height": 900})
    designer.open(in_one_row(twelve_nodes(links)))
    designer.at("tidy").click()
    expect(designer.at("undo")).to_be_enabled()
    designer.until(lambda: percent_seen(designer) >= TWELVE_PERCENT)
    expect(designer.nodes()).to_have_count(12)
    designer.until(lambda: not overlapping(designer))  # nodes glide to their places


def test_what_is_dropped_opens_readable(designer: Designer, tmp_path: Path) -> None:
    designer.page.set_viewport_size({"width": 1440, "height": 900})
    designer.open(lesson("01-digits"))
    document = in_one_row(twelve_nodes("chain"))
    file = tmp_path / "twelve.json"
    file.write_text(json.dumps(document))
    designer.drop_files(designer.at("canvas"), file)
    expect(designer.nodes()).to_have_count(12)
    designer.until(lambda: percent_seen(designer) >= TWELVE_PERCENT)


def test_a_wire_across_nodes_is_two_named_tabs_until_it_is_asked_for(designer: Designer) -> None:
    document = lesson("01-digits")
    nodes = {node["id"]: node for node in document["nodes"]}
    walls = {f"wall{x}": {**nodes["train"], "position": {"x": x, "y": 115}} for x in WALLS}
    ends = {"convert": {"x": 1300, "y": 150}, "split": {"x": 0, "y": 150}}
    placed = {name: {**nodes[name], "position": place} for name, place in ends.items()} | walls
    document["nodes"] = [{**node, "id": name} for name, node in placed.items()]
    document["links"] = [link for link in document["links"] if link["to"]["node"] == "split"]
    designer.open(document)
    wire = designer.page.locator(".react-flow__edge[data-id='split.input_image_directory']")
    way, portals = wire.locator(".pd-wire"), wire.locator(".pd-portals")
    expect(portals.locator("text")).to_have_text(["Convert · images", "Convert · images"])
    expect(designer.page.locator(".pd-portals")).to_have_count(1)
    expect(way).to_have_css("opacity", "0")
    mouse = designer.page.mouse
    mouse.move(*designer.middle(portals.locator("rect").first))
    expect(way).to_have_css("opacity", "1")
    expect(portals).to_be_visible()
    mouse.move(4, 4)
    expect(way).to_have_css("opacity", "0")
    designer.select("split")
    designer.press("w")
    expect(wire).to_contain_class("selected")
    expect(way).to_have_css("opacity", "1")


@pytest.mark.parametrize("tidied", [False, True])
def test_wires_keep_off_the_ports_of_others(designer: Designer, tidied: bool) -> None:
    """As they lie after drags: what is between a transformation and those that take it."""
    document = lesson("02-shapes-resnet")
    places = {"import": (0, 180), "transformation": (0, 60), "convert": (250, 40)}
    places |= {"apply": (560, 32), "apply2": (560, 180)}
    nodes = {node["id"]: node for node in document["nodes"]}
    nodes["apply2"] = {**nodes["apply"], "id": "apply2"}
    document["nodes"] = [
        {**nodes[name], "position": {"x": x, "y": y}} for name, (x, y) in places.items()
    ]
    wired = ("transformation", "output_image_transformation", "input_image_transformation")
    pictures = ("convert", "output_image_directory", "input_image_directory")
    document["links"] = [
        {"from": {"node": source, "port": output}, "to": {"node": target, "port": port}}
        for source, output, port in (wired, pictures)
        for target in ("apply", "apply2")
    ]
    designer.open(document)
    wires = designer.page.locator(".pd-wire")
    expect(wires).to_have_count(len(document["links"]))
    if tidied:
        designer.at("tidy").click()
        expect(designer.at("undo")).to_be_enabled()
    designer.until(lambda: designer.at("canvas").evaluate(OVER_PORTS) == [])


def overlapping(designer: Designer) -> bool:
    """True where a node lies on another one."""
    boxes = [designer.box(node) for node in designer.nodes().all()]
    for one, other in itertools.combinations(boxes, 2):
        beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
        if not (beside or above):
            return True
    return False


def test_the_page_of_a_run_shows_a_readable_graph_on_a_small_screen(designer: Designer) -> None:
    runs = designer.served.runs
    run_id = runs.submit(RunRequest(parse_document(lesson("01-digits"))))
    runs.cancel(run_id)  # its graph is there without any of its work
    designer.page.set_viewport_size({"width": 1024, "height": 768})
    designer.page.goto(f"{designer.served.address}/run?run={run_id}")
    expect(designer.node("train")).to_be_visible()
    assert percent_seen(designer) >= SMALL_PERCENT


def percent_seen(designer: Designer) -> int:
    """The zoom, as the bar in the corner says it."""
    return int(designer.at("zoom-level").inner_text().removesuffix("%").strip())


def in_one_row(document: dict[str, Any]) -> dict[str, Any]:
    """Seen whole, its nodes are a third as large."""
    for place, node in enumerate(document["nodes"]):
        node["position"] = {"x": 300 * place, "y": 0}
    return document


def twelve_nodes(links: str) -> dict[str, Any]:
    """Twelve modules on one spot: one after the other, or all fed by the first."""
    document = lesson("01-digits")
    convert = next(node for node in document["nodes"] if node["id"] == "convert")
    apply = {**convert, "module": "apply_image_transformation"}
    names = [f"apply{number}" for number in range(11)]
    document["nodes"] = [convert, *({**apply, "id": name} for name in names)]
    sources = ["convert", *names] if links == "chain" else ["convert"] * len(names)
    document["links"] = [
        {
            "from": {"node": source, "port": "output_image_directory"},
            "to": {"node": name, "port": "input_image_directory"},
        }
        for source, name in zip(sources, names, strict=False)
    ]
    for node in document["nodes"]:
        node["position"] = {"x": 0, "y": 0}
    return document
