"""Editing a pipeline that is there: values, undo, clipboard, problems, notes, groups, search."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from pipelines.documents.document import Node
from tests.browser.designer import Designer
from tests.browser.keyboard import go_by_keys
from tests.browser.lessons import lesson, lesson_with

pytestmark = pytest.mark.browser

KEPT = ["import", "convert", "split"]
HOSTILE = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>'


def test_a_value_out_of_range_says_so_where_it_is_typed(designer: Designer) -> None:
    designer.open(lesson("01-digits"))
    designer.select("train")
    field = designer.at("param-epochs")
    field.fill("0")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(designer.at("settings").locator(".pd-error-text")).to_contain_text("greater than 0")
    expect(designer.at("problem-count")).to_have_attribute("data-severity", "error")
    field.fill("7")
    field.blur()
    expect(designer.at("settings").locator(".pd-error-text")).to_have_count(0)
    expect(designer.at("problem-count")).to_have_attribute("data-severity", "none")
    assert node_of(designer, "train").parameters["epochs"] == 7
    designer.undo()  # what was typed into one field is one step
    expect(field).to_have_value("4")
    expect(designer.at("undo")).to_be_disabled()
    designer.at("redo").click()
    expect(field).to_have_value("7")
    designer.fill("learning_rate", "50000")
    warning = designer.at("settings").locator(".pd-error-text")
    expect(warning).to_contain_text("far beyond what trains")
    badge = designer.node("train").locator(".pd-badge")
    for each in (warning, badge):
        expect(each).to_have_attribute("data-severity", "warning")
    assert colour_of(warning) == colour_of(badge)
    designer.at("reset-epochs").click()
    designer.is_saved()
    assert node_of(designer, "train").parameters.get("epochs", 10) != 7


def colour_of(locator: Locator) -> str:
    return str(locator.evaluate("element => getComputedStyle(element).color"))


def test_processes_are_set_and_the_effective_batch_is_written_out(designer: Designer) -> None:
    designer.open(lesson("01-digits"))
    designer.select("train")
    designer.at("setting-process-count").fill("2")
    designer.at("setting-process-count").blur()
    expect(designer.at("training-arithmetic")).to_contain_text("128")
    assert node_of(designer, "train").run_settings.process_count_per_node == 2


def test_delete_and_ctrl_z(designer: Designer) -> None:
    designer.open(lesson("01-digits"))
    designer.select("split")
    designer.press("Delete")
    expect(designer.node("split")).to_have_count(0)
    expect(designer.wires()).to_have_count(4)
    designer.press("Control+z")
    expect(designer.node("split")).to_be_visible()
    expect(designer.wires()).to_have_count(8)
    designer.press("Control+Shift+z")
    expect(designer.node("split")).to_have_count(0)
    designer.press("Control+z")
    designer.select("convert")
    designer.press("Control+Delete")  # and the wire is healed, where the ports fit
    expect(designer.node("convert")).to_have_count(0)


@pytest.mark.journey
def test_copy_and_paste_also_into_another_pipeline(designer: Designer) -> None:
    designer.open(lesson_with(KEPT, linked=True))
    designer.select("import", "convert")
    designer.press("Control+c")
    designer.press("Control+v")
    expect(designer.wires()).to_have_count(3)
    assert len(designer.is_saved().nodes) == 5
    designer.open(lesson_with(["densenet"]))
    designer.select("densenet")
    designer.press("Control+v")
    expect(designer.wires()).to_have_count(1)
    assert len(designer.is_saved().nodes) == 3
    designer.press("Control+d")
    assert_num_nodes(designer, 5)


def test_problems_are_listed_and_cured_by_a_button(designer: Designer) -> None:
    document = lesson_with(["import", "convert", "split"], linked=True)
    document["nodes"][2]["parameters"]["fraction_of_images_in_the_first_output"] = 7
    designer.open(document)
    designer.at("problem-count").click()
    row = designer.at("problem-0")
    expect(row).to_contain_text("Split Image Directory")
    row.locator(".pd-problem-text").click()
    field = designer.at("param-fraction_of_images_in_the_first_output")
    expect(field).to_be_focused()
    designer.at("problem-cure-0").click()
    expect(designer.at("problems")).to_contain_text("No problems")
    designer.is_saved()


def test_images_that_are_trained_on_without_their_chance_are_told_and_cured(
    designer: Designer,
) -> None:
    document = lesson("04-your-own-folder")
    making = next(node for node in document["nodes"] if node["id"] == "transformation")
    making["parameters"]["random_horizontal_flip"] = True
    designer.open(document)
    expect(designer.at("problem-count")).to_have_attribute("data-severity", "warning")
    designer.at("problem-count").click()
    expect(designer.at("problem-0")).to_contain_text("random horizontal flip")
    expect(designer.at("problem-cure-0")).to_have_text("Set Mode For training")
    designer.select("apply")
    expect(designer.at("found-mode")).to_have_attribute("data-severity", "warning")
    designer.at("problem-cure-0").click()
    expect(designer.at("problems")).to_contain_text("No problems")
    cured = designer.is_saved().node("apply")
    assert cured is not None
    assert cured.parameters == {"mode": "For training"}


def test_a_node_is_renamed_disabled_and_commented(designer: Designer) -> None:
    designer.open(lesson_with(KEPT, linked=True))
    designer.select("split")
    designer.press("F2")
    designer.page.keyboard.type("Eighty to twenty")
    designer.press("Enter")
    expect(designer.node("split")).to_contain_text("Eighty to twenty")
    designer.press("Control+e")
    expect(designer.node("split")).to_have_attribute("data-disabled", "true")
    expect(designer.at("tab-logs")).to_have_count(0)
    designer.at("fold-comment").click()
    designer.at("node-comment").fill("Why not")
    designer.at("node-comment").blur()
    designer.is_saved()
    split = node_of(designer, "split")
    assert (split.title, split.disabled, split.comment) == ("Eighty to twenty", True, "Why not")


def test_notes_and_groups(designer: Designer) -> None:
    designer.open(lesson_with(KEPT, linked=True))
    designer.at("canvas").focus()
    designer.press("n")
    assert_num(designer, "notes", 1)
    designer.select("import", "convert")
    designer.press("Control+g")
    assert_num(designer, "groups", 1)
    [group] = designer.is_saved().groups
    assert set(group.nodes) == {"import", "convert"}
    designer.select("import")
    designer.press("Control+.")
    expect(designer.node("import")).to_have_count(0)
    designer.press("Control+z", "Control+z", "Control+z")
    assert_num(designer, "groups", 0)
    assert_num(designer, "notes", 0)


def test_searching_nodes_modules_and_commands(designer: Designer) -> None:
    designer.open(lesson("01-digits"))
    search, found = (
        designer.at("palette-search"),
        designer.page.locator(".pd-palette-item").first,
    )
    for words, module in (
        ("scoring pictures", "score_image_model"),
        ("neural network", "densenet"),
    ):
        search.fill(words)
        expect(found).to_have_attribute("data-testid", f"palette-{module}")
    search.fill("confusion")
    expect(designer.at("palette-evaluate_model")).to_be_visible()
    expect(designer.at("palette-densenet")).to_have_count(0)
    designer.press("Escape")
    designer.at("canvas").focus()
    go_by_keys(designer, "score")
    expect(designer.at("settings")).to_contain_text("Score Image Model")
    designer.press("Control+k")
    expect(designer.at("command-palette-input")).to_be_focused()
    designer.page.keyboard.type("tidy")
    designer.press("Enter")
    expect(designer.at("undo")).to_be_enabled()
    # the node that had the focus may have left the view, and keys are heard all the same
    designer.press("?")
    expect(designer.page.get_by_role("dialog")).to_contain_text("Ctrl+Z")
    designer.press("Escape")
    expect(designer.page.get_by_role("dialog")).to_have_count(0)


def test_markup_in_names_notes_and_comments_is_text(designer: Designer) -> None:
    document = lesson_with(KEPT, linked=True)
    document["name"] = document["description"] = HOSTILE
    document["nodes"][0]["title"] = document["nodes"][0]["comment"] = HOSTILE
    document["notes"] = [
        {"id": "n", "text": f"{HOSTILE}\n\n[link](javascript:window.broken=1)", "position": {}}
    ]
    document["groups"] = [{"id": "g", "title": HOSTILE, "nodes": ["convert"]}]
    designer.open(document)
    expect(designer.node("import")).to_contain_text("<img src=x")
    expect(designer.at("note-n")).to_contain_text("<script>")
    expect(designer.at("group-g")).to_contain_text("<img src=x")
    expect(designer.at("pipeline-name")).to_have_value(HOSTILE)
    designer.select("import")
    designer.page.wait_for_timeout(300)
    page = designer.page
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("a[href^='javascript']").count() == 0
    page.goto(designer.served.address)
    expect(page.locator(".title", has_text="<img src=x").first).to_be_visible()
    assert page.evaluate("window.broken") is None


def node_of(designer: Designer, node_id: str) -> Node:
    return next(node for node in designer.is_saved().nodes if node.id == node_id)


def assert_num(designer: Designer, part: str, count: int) -> None:
    """How many notes, groups or nodes the saved pipeline has."""
    assert len(getattr(designer.is_saved(), part)) == count


def assert_num_nodes(designer: Designer, count: int) -> None:
    assert_num(designer, "nodes", count)
