"""Whole journeys by keys alone: no pointer, and no focus that was not walked to."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.designer import Designer
from tests.browser.keyboard import go_by_keys, tab_to
from tests.designer_app.documents import document, link, node

pytestmark = pytest.mark.browser

SPLIT = "param-fraction_of_images_in_the_first_output"


@pytest.mark.full  # as test_keyboard_journey, which is shorter
def test_a_lesson_is_opened_run_cancelled_changed_and_cured(designer: Designer) -> None:
    page = designer.page
    page.goto(designer.served.address)
    expect(designer.at("gallery-01-digits")).to_be_visible()
    tab_to(designer, designer.at("gallery-01-digits"), most=150)
    designer.press("Enter")
    page.wait_for_url("**/design?pipeline=*")
    designer.pipeline_id = re.findall("pipeline=([^&]+)", page.url)[0]
    expect(designer.node("train")).to_be_visible()
    tab_to(designer, designer.at("submit"))
    submit_and_cancel(designer)
    go_by_keys(designer, "split")
    designer.press("Delete")
    expect(designer.node("split")).to_have_count(0)
    assert len(designer.is_saved().nodes) == 6
    designer.press("Control+z")
    expect(designer.node("split")).to_be_visible()
    cure(designer)
    with page.expect_download() as download:
        command(designer, "export as json")
    assert download.value.suggested_filename == f"{designer.pipeline_id}.json"


def submit_and_cancel(designer: Designer) -> None:
    """Ctrl+Enter, and once more in the dialog; the command palette ends the run."""
    status = designer.at("run-status")
    designer.press("Control+Enter")
    expect(designer.at("submit-confirm")).to_be_enabled()
    designer.press("Control+Enter")
    expect(designer.at("cancel")).to_be_visible()
    command(designer, "cancel run")
    expect(status).to_have_attribute("data-status", "cancelled")


def cure(designer: Designer) -> None:
    """A value out of range, put right from the problems below the canvas."""
    before = designer.is_saved()
    go_by_keys(designer, "split")
    designer.press("Enter")
    tab_to(designer, designer.at(SPLIT))
    designer.page.keyboard.type("7")
    designer.press("Escape")
    expect(designer.at("problem-count")).to_have_attribute("data-severity", "error")
    designer.press("Control+j")
    tab_to(designer, designer.at("problem-cure-0"))
    designer.press("Enter")
    expect(designer.at("problems")).to_contain_text("No problems")
    designer.press("Control+z", "Control+z")
    expect(designer.at("problem-count")).to_have_attribute("data-severity", "none")
    assert designer.is_saved() == before


@pytest.mark.full  # keys: test_keyboard_journey; resumed: test_runs; deleted: test_home
def test_a_failed_run_is_gone_on_with_and_a_pipeline_deleted_and_restored(
    designer: Designer,
) -> None:
    page = designer.page
    nodes = [node("two", "constant", value=31), node("bad", "fail", message="Nothing fits.")]
    nodes[1]["position"] = {"x": 320, "y": 0}
    links = [link("two", "bad", "a")]
    designer.open_in_app(document("walked", name="Walked", nodes=nodes, links=links))
    tab_to(designer, designer.at("submit"))
    designer.press("Enter")
    expect(designer.at("submit-confirm")).to_be_enabled()
    tab_to(designer, designer.at("submit-confirm"))
    designer.press("Enter")
    designer.has_status("bad", "failed")
    command(designer, "resume run")
    designer.until(lambda: told(designer).count("RunFinished") == 2)
    tab_to(designer, page.get_by_role("link", name="Home"), key="Shift+Tab")
    designer.press("Enter")
    delete = designer.at(f"delete-{designer.pipeline_id}")
    expect(delete).to_be_visible()
    tab_to(designer, delete, most=150)
    designer.press("Enter")
    expect(delete).to_have_count(0)
    tab_to(designer, page.locator("summary", has_text="Recently deleted"), most=150)
    designer.press("Enter")
    tab_to(designer, page.locator(f".st-key-restore-{designer.pipeline_id} button"))
    designer.press("Enter")
    expect(delete).to_be_visible()


def told(designer: Designer) -> list[str]:
    """What became of the newest run."""
    runs = designer.served.runs
    return [event.kind for event in runs.store.events_after(runs.find("last").id)]


def command(designer: Designer, words: str) -> None:
    """Any command by its name."""
    designer.press("Control+k")
    expect(designer.at("command-palette")).to_be_visible()
    designer.page.keyboard.type(words)
    designer.press("Enter")
    expect(designer.at("command-palette")).to_be_hidden()
