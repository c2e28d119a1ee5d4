"""A sub-pipeline in the editor: made of a selection, opened, run, unpacked, undone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from tests import toy
from tests.browser.designer import Designer
from tests.browser.served import LIBRARY
from tests.designer_app.documents import document, node

pytestmark = pytest.mark.browser

LESSON = parse_document((LIBRARY / "01-digits.json").read_bytes())


def test_it_is_opened_edited_and_run_and_left_again(designer: Designer) -> None:
    designer.open(LESSON.to_json())
    designer.select("import", "convert", "split")
    designer.node("split").click(button="right")
    designer.at("menu-make-sub-pipeline").click()
    made = designer.node("sub_pipeline")
    expect(made).to_be_visible()
    place = designer.resting(made)
    made.dblclick()
    trail = designer.at("breadcrumb")
    expect(trail).to_contain_text("Sub-pipeline")
    expect(designer.nodes()).to_have_count(3)
    outputs = designer.node("sub_pipeline/@outputs")
    expect(outputs).to_contain_text("new output")
    designer.select("sub_pipeline/split")
    designer.fill("fraction_of_images_in_the_first_output", "0.6")
    [definition] = designer.is_saved().definitions
    fraction = next(each for each in definition.parameters if each.id.startswith("fraction"))
    assert (fraction.default, fraction.binds) == (0.6, (f"split.{fraction.id}",))
    designer.node("sub_pipeline/split").click(button="right")
    designer.at("menu-run-to-here").click()
    designer.has_status("sub_pipeline/split", "completed")
    designer.at("canvas").focus()
    designer.press("Escape", "Escape")
    expect(trail).to_have_count(0)
    expect(made).to_be_visible()
    designer.until(lambda: designer.box(made) == pytest.approx(place, abs=1))
    expect(designer.status("sub_pipeline")).to_have_attribute("data-status", "completed")
    designer.select("sub_pipeline")
    designer.at("tab-logs").click()
    expect(designer.at("log-file").locator("option")).to_have_count(3)
    expect(designer.at("log-text")).not_to_be_empty()
    designer.at("canvas").focus()
    designer.press("Enter")
    expect(trail).to_be_visible()
    designer.press("Escape", "Escape")
    designer.undo()
    expect(trail).to_be_visible()
    designer.at("breadcrumb-").click()
    expect(designer.wires()).to_have_count(len(LESSON.links) - 2)


def test_a_parameter_goes_up_through_two_sub_pipelines(designer: Designer) -> None:
    inmost = {"id": "inmost", "title": "Inmost", "nodes": [node("one", "constant", value=1)]}
    middle = {"id": "middle", "title": "Middle", "nodes": [node("deep", "definition:inmost")]}
    content = document("nested", nodes=[node("front", "definition:middle")], links=[])
    designer.open({**content, "definitions": [inmost, middle]})
    canvas = designer.at("canvas")
    designer.node("front").dblclick()
    designer.node("front/deep").dblclick()
    for place in ("front/deep/one", "front/deep", "front"):
        designer.select(place)
        designer.at("bind-value").click()
        expect(designer.at("given-value")).to_be_visible()
        canvas.focus()
        designer.press("Escape", "Escape")
    value = designer.at("pipeline-parameter-value-value")
    expect(value).to_have_value("1")
    value.fill("5")
    value.blur()
    saved = designer.is_saved()
    assert [each.binds for each in saved.parameters] == [("front.value",)]
    assert {each.id: each.parameters[0].binds for each in saved.definitions} == {
        "inmost": ("one.value",),
        "middle": ("deep.value",),
    }
    assert expanded(saved).nodes[0].parameters == {"value": 5}
    designer.node("front").dblclick()  # a run is given the same wherever one looks
    designer.at("submit").click()
    inside = designer.at("submit-parameters").get_by_label("Value")
    expect(inside).to_have_value("5")
    inside.fill("7071")  # no test before has had that computed
    designer.at("submit-confirm").click()
    designer.at("breadcrumb-").click()
    designer.has_status("front", "completed")
    run_id = designer.served.runs.find("last").id
    [step] = designer.served.runs.store.state(run_id).steps.values()
    [given] = designer.served.runs.artifacts.outputs(step).values()
    assert toy.Number(Path(given)).value == 7071
