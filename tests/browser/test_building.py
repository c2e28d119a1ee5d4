"""Building the first lesson from nothing: by mouse, and by keys alone; wires that do not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from pipelines.document.document import PipelineDocument, parse_document
from tests.browser.datasets import zipped
from tests.browser.designer import Designer
from tests.browser.keyboard import FOCUSED, add_by_keys, connect_by_keys, set_by_keys, tab_to
from tests.browser.lessons import EMPTY, lesson_with
from tests.browser.served import LIBRARY

pytestmark = pytest.mark.browser

LESSON = parse_document((LIBRARY / "01-digits.json").read_bytes())
PLACES = {  # of the pointer, which holds a new node by its head
    "import_images": (140, 60),
    "convert_to_image_directory": (140, 220),
    "split_image_directory": (410, 60),
    "densenet": (410, 220),
    "train_pytorch_model": (680, 60),
    "score_image_model": (410, 400),
    "evaluate_model": (680, 400),
}
CHANGED: dict[str, dict[str, Any]] = {  # what the lesson sets otherwise than a new node has it
    "split_image_directory": {"fraction_of_images_in_the_first_output": "0.8"},
    "densenet": {"model_name": "densenet121", "pretrained": False},
    "train_pytorch_model": {"epochs": "4", "batch_size": "64", "learning_rate": "0.05"},
    "import_images": {"source": "sample:digits"},
}


@pytest.mark.journey
def test_by_mouse(designer: Designer) -> None:
    designer.open(EMPTY)
    designer.at("pipeline-name").fill(LESSON.name)
    designer.page.get_by_role("button", name="Settings").click()
    designer.page.get_by_label("Description").fill(LESSON.description)
    for module, (x, y) in PLACES.items():
        designer.drag_in(module, x, y)
        expect(designer.nodes()).to_have_count(list(PLACES).index(module) + 1)
    ids = ids_of(designer.is_saved())
    for link in LESSON.links:
        source, target = ids[module_of(link.from_.node)], ids[module_of(link.to.node)]
        designer.wire(f"{source}-out-{link.from_.port}", f"{target}-in-{link.to.port}")
    expect(designer.wires()).to_have_count(len(LESSON.links))
    for module, values in CHANGED.items():
        designer.select(ids[module])
        set_values(designer, values)
    assert shape(designer.is_saved()) == shape(LESSON)


@pytest.mark.full  # a smaller one by keys: test_keyboard_journey
def test_by_keys_alone(designer: Designer) -> None:
    designer.open(EMPTY)
    tab_to(designer, designer.at("pipeline-name"))
    designer.page.keyboard.type(LESSON.name)
    tab_to(designer, designer.page.get_by_role("button", name="Settings"))
    designer.press("Enter")
    tab_to(designer, designer.page.get_by_label("Description"))
    designer.page.keyboard.insert_text(LESSON.description)
    designer.press("Escape")
    for node in LESSON.nodes:
        add_by_keys(designer, node.module)
    designer.press("Control+Shift+L")
    ids = ids_of(designer.is_saved())
    for link in sorted(LESSON.links, key=lambda each: each.to.port):
        source, target = ids[module_of(link.from_.node)], ids[module_of(link.to.node)]
        connect_by_keys(designer, f"{source}.{link.from_.port}", f"{target}.{link.to.port}")
    for module, values in CHANGED.items():
        set_by_keys(designer, ids[module], values)
    assert shape(designer.is_saved()) == shape(LESSON)


def test_the_card_of_a_module_is_no_stop_on_the_way(designer: Designer, tmp_path: Path) -> None:
    archive = tmp_path / "moths.zip"
    archive.write_bytes(zipped("ant", "bee"))
    designer.served.session.datasets.add(archive, "moths")
    designer.open(EMPTY)
    expect(designer.at("palette-dataset-moths")).to_be_visible()  # a stop behind the modules
    items = designer.page.locator(".pd-palette-item")
    items.nth(-2).focus()
    designer.press("Tab")  # to the last one
    card, module = designer.page.locator(".pd-card"), items.last
    expect(card).to_be_visible()
    beside = designer.box(module)["x"] + designer.box(module)["width"]
    assert designer.box(card)["x"] >= beside  # the modules below can be read
    designer.press("Tab")
    expect(designer.page.locator(".pd-card")).to_have_count(0)  # it goes with the focus
    designer.press("Tab")
    assert designer.page.evaluate(FOCUSED) not in ("canvas", "card-documentation")
    expect(designer.at("module-search")).to_have_count(0)


@pytest.mark.journey
@pytest.mark.parametrize("way", ["pointer", "keys"])
def test_a_wire_that_does_not_fit_says_why(designer: Designer, way: str) -> None:
    document = lesson_with(["densenet", "score"])
    designer.open(document)
    before = designer.is_saved()
    refusal = designer.at("refusal")
    if way == "pointer":
        designer.wire("densenet-out-untrained_model", "score-in-trained_model")
        expect(refusal).to_contain_text("Train PyTorch Model")
        assert designer.is_saved() == before
        designer.at("insert-bridge").click()
    else:
        designer.select("densenet", "score")
        designer.press("l")
        expect(refusal).to_contain_text("Train PyTorch Model")
        designer.press("Escape")
        expect(refusal).to_be_hidden()
        designer.press("l")
        expect(designer.at("insert-bridge")).to_be_focused()
        designer.press("Enter")
    expect(designer.nodes()).to_have_count(3)
    made = designer.is_saved()
    train = ids_of(made)["train_pytorch_model"]
    links = {(link.from_.node, link.to.node) for link in made.links}
    assert links == {("densenet", train), (train, "score")}
    designer.undo()
    expect(designer.nodes()).to_have_count(2)
    assert designer.is_saved().nodes == before.nodes
    expect(designer.at("undo")).to_be_disabled()


def test_fitting_ports_light_up_while_a_wire_is_drawn(designer: Designer) -> None:
    designer.open(lesson_with(["split", "densenet", "train", "score"]))
    start = designer.middle(designer.at("port-densenet-out-untrained_model"))
    canvas = designer.box(designer.at("canvas"))
    designer.drag(start, (start[0] + 40, canvas["y"] + 60), drop=False)
    fits = "data-fits"
    expect(designer.at("port-train-in-untrained_model")).to_have_attribute(fits, "true")
    expect(designer.at("port-train-in-training_dataset")).to_have_attribute(fits, "false")
    expect(designer.at("port-score-in-trained_model")).to_have_attribute(fits, "false")
    designer.page.mouse.up()
    expect(designer.at("module-search")).to_be_visible()
    found = designer.at("module-search").locator("[role=option]")
    expect(found).to_have_count(5)  # Tune as well, and three that take any model
    expect(found.first).to_contain_text("Train PyTorch Model")
    expect(found.filter(has_text="Score Image Model")).to_have_count(0)
    designer.press("Enter")
    expect(designer.wires()).to_have_count(1)
    assert len(designer.is_saved().nodes) == 5


def test_what_the_pointer_is_over_stays_there_while_the_page_loads(designer: Designer) -> None:
    held: list[Route] = []
    designer.page.route(
        "**/Html.*.js", lambda route: held.append(route)
    )  # what Streamlit draws words about style with
    designer.open_in_app(lesson_with(["split", "densenet", "train", "score"]))
    port = designer.at("port-densenet-out-untrained_model")
    before = designer.box(designer.at("canvas")), designer.box(port)
    designer.until(lambda: bool(held))
    for route in held:
        route.continue_()
    expect(designer.page.locator("html")).to_have_css("color-scheme", "light")  # the last such word
    assert (designer.box(designer.at("canvas")), designer.box(port)) == before


def test_a_module_dropped_on_a_wire_is_inserted(designer: Designer) -> None:
    document = lesson_with(["import", "convert", "split"], linked=True)
    for place, node in enumerate(document["nodes"]):
        node["position"] = {"x": 280 * place, "y": 40}  # the middle of the wire is on the wire
    designer.open(document)
    wire = designer.page.locator(".react-flow__edge[data-id='split.input_image_directory']")
    item = designer.at("palette-split_image_directory")
    item.hover()  # which waits until it stays where it is
    designer.drag(designer.middle(item), designer.middle(wire))
    expect(designer.node("split_image_directory")).to_be_visible()
    made = designer.is_saved()
    assert len(made.nodes) == 4
    ends = {link.from_.node for link in made.links if link.to.node == "split"}
    assert ends == {"split_image_directory"}
    designer.undo()
    expect(designer.nodes()).to_have_count(3)
    expect(designer.wires()).to_have_count(2)


def test_the_end_of_a_wire_is_plugged_in_elsewhere(designer: Designer) -> None:
    designer.open(lesson_with(["split", "train"]))
    designer.wire("split-out-output_image_directory1", "train-in-training_dataset")
    expect(designer.wires()).to_have_count(1)
    end = designer.page.locator(".react-flow__edgeupdater-target")
    designer.drag(
        designer.middle(end), designer.middle(designer.at("port-train-in-validation_dataset"))
    )
    expect(designer.wires()).to_have_count(1)
    [link] = designer.is_saved().links
    assert link.to.port == "validation_dataset"
    designer.select("train")
    designer.wires().focus()
    designer.press("Delete")  # the wire that has the focus, not the node that is selected
    expect(designer.wires()).to_have_count(0)
    expect(designer.nodes()).to_have_count(2)


def module_of(node_id: str) -> str:
    return next(node.module for node in LESSON.nodes if node.id == node_id)


def ids_of(document: PipelineDocument) -> dict[str, str]:
    """The node of each module."""
    return {node.module: node.id for node in document.nodes}


def set_values(designer: Designer, values: dict[str, Any]) -> None:
    """Set parameters of the selected node by mouse and by typing."""
    for parameter, value in values.items():
        field = designer.at(f"param-{parameter}")
        if isinstance(value, bool):
            field.set_checked(value)
        elif field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            designer.fill(parameter, value)


def shape(document: PipelineDocument) -> dict[str, Any]:
    """The document but for what depends on who made it: ids and positions."""
    data = json.loads(json.dumps(document.to_json()))
    modules = {node["id"]: node["module"] for node in data["nodes"]}
    nodes = [{**node, "id": "", "position": None} for node in data["nodes"]]
    ends = [
        tuple((modules[link[end]["node"]], link[end]["port"]) for end in ("from", "to"))
        for link in data["links"]
    ]
    rest = {key: value for key, value in data.items() if key not in ("id", "nodes", "links")}
    return {**rest, "nodes": sorted(nodes, key=lambda each: each["module"]), "links": sorted(ends)}
