"""The map, notes that are resized, wires led by hand, the lasso, pipelines without positions."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import expect

from tests.browser.designer import Designer
from tests.browser.geometry import are_apart
from tests.browser.lessons import lesson_with

pytestmark = pytest.mark.browser

KEPT = ["import", "convert", "split"]


def test_the_nodes_of_a_group_are_seen_on_it_in_the_map(designer: Designer) -> None:
    designer.open(lesson_with(KEPT, linked=True))
    designer.select("import", "convert")
    designer.press("Control+g", "m")
    shapes = designer.page.locator(".react-flow__minimap-node")
    expect(shapes).to_have_count(1 + len(KEPT))
    group, *nodes = shapes.evaluate_all("shapes => shapes.map(each => getComputedStyle(each).fill)")
    assert group not in nodes
    assert len(set(nodes)) == 1


def test_a_note_is_resized_by_its_corner_in_one_step(designer: Designer) -> None:
    document = lesson_with(KEPT)
    place = {"position": {"x": 0, "y": 720}, "width": 200, "height": 96}
    document["notes"] = [{"id": "n", "text": "Why?", **place}]
    designer.open(document)
    note = designer.page.locator(".react-flow__node-note")
    before = designer.resting(note)
    corner = designer.at("resize-note-bottom-right")
    expect(corner).to_have_count(0)
    note.click()
    x, y = designer.middle(corner)
    designer.page.mouse.move(x, y)
    designer.page.mouse.down()
    designer.page.mouse.move(x + 60, y + 30, steps=4)
    designer.page.mouse.up()
    [saved] = designer.is_saved().notes
    assert saved.width > 200
    assert saved.height > 96
    assert (saved.position.x, saved.position.y) == (0, 720)
    after = designer.resting(note)
    assert after["width"] > before["width"]
    designer.press("Control+z")
    [saved] = designer.is_saved().notes
    assert (saved.width, saved.height) == (200, 96)


def test_a_pipeline_without_places_is_tidied_to_be_looked_at(designer: Designer) -> None:
    bare = lesson_with(KEPT, linked=True)
    for node in bare["nodes"]:
        node.pop("position", None)
    designer.open(bare)
    expect(designer.nodes()).to_have_count(3)
    designer.until(lambda: lie_apart(designer))
    saved = designer.is_saved()
    assert {(each.position.x, each.position.y) for each in saved.nodes} == {(0, 0)}
    designer.select("convert")
    designer.press("Alt+ArrowRight")
    places = {(each.position.x, each.position.y) for each in designer.is_saved().nodes}
    assert len(places) == 3  # kept with the first edit
    designer.undo()
    designer.until(lambda: designer.at("undo").is_disabled())


def lie_apart(designer: Designer) -> bool:
    boxes = [designer.box(designer.node(each)) for each in KEPT]
    return all(are_apart(one, other) for one, other in itertools.combinations(boxes, 2))


def test_a_wire_is_led_by_hand_and_straightened(designer: Designer) -> None:
    designer.open(lesson_with(["import", "convert"], linked=True))
    start, end = (
        designer.middle(designer.at(f"port-{port}"))
        for port in ("import-out-dataset", "convert-in-input_dataset")
    )
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    designer.page.mouse.dblclick(*middle)
    point = designer.at("waypoint-0")
    expect(point).to_be_visible()
    designer.drag(designer.middle(point), (middle[0], middle[1] + 90))
    [link] = designer.is_saved().links
    [led] = link.waypoints
    assert abs(designer.middle(point)[1] - middle[1] - 90) < 5
    designer.undo()
    designer.press("Control+Shift+z")
    [again] = designer.is_saved().links
    assert again.waypoints == (led,)
    point.dblclick()
    expect(point).to_have_count(0)
    [link] = designer.is_saved().links
    assert link.waypoints == ()


def test_nodes_are_chosen_by_a_lasso_and_dragged_into_line(designer: Designer) -> None:
    designer.open(lesson_with(KEPT))
    designer.resting(designer.node("import"))
    designer.at("canvas").focus()
    designer.press("s")
    expect(designer.at("lasso")).to_be_visible()
    boxes = [designer.resting(designer.node(node)) for node in ("import", "convert")]
    left, top = (min(box[side] for box in boxes) - 8 for side in ("x", "y"))
    right = max(box["x"] + box["width"] for box in boxes) + 8
    bottom = max(box["y"] + box["height"] for box in boxes) + 8
    mouse = designer.page.mouse
    mouse.move(left, top)
    mouse.down()
    for corner in ((right, top), (right, bottom), (left, bottom)):
        mouse.move(*corner, steps=4)
    mouse.up()
    expect(designer.at("lasso")).to_have_count(0)
    expect(designer.page.locator(".react-flow__node.selected")).to_have_count(2)
    designer.node("import").locator(".pd-node-title").click()  # this one alone
    expect(designer.page.locator(".react-flow__node.selected")).to_have_count(1)
    expect(designer.at("param-source")).to_be_visible()
    designer.press("Escape")
    title = designer.node("convert").locator(".pd-node-title")
    start, other = designer.middle(title), boxes[0]
    shift = other["x"] - boxes[1]["x"]
    designer.drag(start, (start[0] + shift + 3, start[1] + 160), drop=False)
    expect(designer.at("guide").first).to_be_attached()
    mouse.up()
    expect(designer.at("guide")).to_have_count(0)
    places = {node.id: node.position for node in designer.is_saved().nodes}
    assert places["convert"].x == places["import"].x


def test_a_collapsed_node_is_its_title_bar_and_is_connected_by_dragging(designer: Designer) -> None:
    designer.open(lesson_with(KEPT))
    before = designer.resting(designer.node("convert"))
    designer.select("convert")
    designer.press("h")
    expect(designer.node("convert")).to_have_attribute("data-collapsed", "true")
    after = designer.resting(designer.node("convert"))
    assert (after["x"], after["y"], after["width"]) == (before["x"], before["y"], before["width"])
    assert after["height"] <= before["height"] / 2
    designer.wire("import-out-dataset", "convert-in-input_dataset")
    designer.wire("convert-out-output_image_directory", "split-in-input_image_directory")
    expect(designer.wires()).to_have_count(2)
    saved = designer.is_saved()
    assert [node.id for node in saved.nodes if node.collapsed] == ["convert"]
    assert [str(link.to) for link in saved.links] == [
        "convert.input_dataset",
        "split.input_image_directory",
    ]
    port = designer.middle(designer.at("port-convert-in-input_dataset"))
    assert abs(port[1] - (after["y"] + after["height"] / 2)) < 2
    designer.page.get_by_role("button", name="Expand Convert").click()
    assert designer.resting(designer.node("convert"))["height"] == before["height"]
