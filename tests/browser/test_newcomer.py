"""Somebody who has never seen it: open, choose the first lesson, submit, watch it learn."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from modules.artifacts import EvaluationResults
from pipelines.runs.run_service import RunService
from tests.browser.conftest import running
from tests.browser.designer import Designer
from tests.browser.geometry import CROSSED
from tests.browser.served import LIBRARY, Served

pytestmark = pytest.mark.browser

LESSON = ("import", "convert", "split", "densenet", "train", "score", "evaluate")
STOPS = ("Modules", "The canvas", "Settings", "Problems", "Run")
LIVE = re.compile(r"epoch \d+ / \d+.*images/s.*loss \d", re.DOTALL)
SECONDS = 90
"""From the first page to a completed run, on two cores that have nothing else to do."""

# collects what a node says for as long as the page lives: a reload would lose it
LISTEN = """node => {
  window.said = [];
  const note = () => window.said.push(node.innerText);
  new MutationObserver(note).observe(node, {subtree: true, childList: true, characterData: true});
}"""


@pytest.mark.full  # with few images: test_lessons; a training that is watched: test_run_control
@pytest.mark.timeout(900)
def test_the_first_lesson_runs_as_it_is(first_visit: BrowserContext, tmp_path: Path) -> None:
    with running(str(tmp_path), toys=False) as served:  # where nothing can be reused
        page = first_visit.new_page()
        _run_the_first_lesson(Designer(page, served), served)
        page.close()  # or it complains of the server that ends


def _run_the_first_lesson(designer: Designer, served: Served) -> None:
    page = designer.page
    begun = time.monotonic()
    page.goto(designer.served.address)
    designer.at("gallery-01-digits").click()
    listen(designer, "train")
    designer.submit()
    for node_id in LESSON:
        designer.has_status(node_id, "completed", timeout=600_000)
    took = time.monotonic() - begun
    expect(designer.at("run-status")).to_have_attribute("data-status", "completed")
    expect(designer.at("lesson-step-1")).to_have_attribute("data-done", "true")
    designer.select("evaluate")  # its result opens by itself: it has no settings
    expect(designer.at("lesson-step-2")).to_have_attribute("data-done", "true")
    assert_told_live(page)
    assert accuracy_of_newest(served.runs) >= 0.95
    print(f"first page to completed run: {took:.0f} s (to reach: {SECONDS})")


@pytest.mark.full  # each without the gallery: test_readable
def test_every_lesson_of_the_gallery_opens_in_full_view(designer: Designer, served: Served) -> None:
    designer.page.goto(served.address)
    for path in sorted(LIBRARY.glob("*.json")):
        designer.page.get_by_role("link", name="Home").first.click()
        designer.at(f"gallery-{path.stem}").click()
        designer.page.wait_for_url("**/design?pipeline=*")
        canvas = designer.box(designer.at("canvas"))
        for node in json.loads(path.read_text())["nodes"]:
            expect(designer.node(node["id"])).to_be_visible()
            box = designer.resting(designer.node(node["id"]))
            assert box["x"] >= canvas["x"]
            assert box["x"] + box["width"] <= canvas["x"] + canvas["width"]
        designer.page.mouse.move(0, 0)  # a wire under the pointer shows its way
        designer.until(lambda: designer.at("canvas").evaluate(CROSSED) == [])


def test_an_empty_pipeline_says_what_to_do(designer: Designer, served: Served) -> None:
    designer.page.goto(served.address)
    designer.page.locator(".st-key-new-pipeline button").click()
    expect(designer.at("canvas")).to_contain_text("Build a pipeline")
    designer.page.get_by_role("button", name="Take the tour").click()
    tour, further = designer.at("tour"), designer.at("tour-next")
    for place, title in enumerate(STOPS, start=1):
        expect(tour.locator("h3")).to_have_text(title)
        expect(tour).to_contain_text(f"{place} of {len(STOPS)}")
        expect(further).to_be_focused()
        further.click()
    expect(tour).to_be_hidden()
    designer.at("more").click()
    designer.page.get_by_role("menuitem", name="Take the tour").click()
    expect(tour.locator("h3")).to_have_text(STOPS[0])
    further.click()
    designer.at("tour-skip").click()
    expect(tour).to_be_hidden()


def accuracy_of_newest(runs: RunService) -> float:
    """What the newest run's evaluation says."""
    evaluated = runs.store.state(runs.find("last").id).steps["evaluate"]
    folder = runs.artifacts.outputs(evaluated)["evaluation_results"]
    return float(EvaluationResults(Path(folder)).metrics["Overall_Accuracy"])


def listen(designer: Designer, node_id: str) -> None:
    """Collect what a node says from now on."""
    expect(designer.node(node_id)).to_be_visible()
    designer.node(node_id).evaluate(LISTEN)


def assert_told_live(page: Page) -> None:
    """The node said its epoch, its speed and its loss while it ran, and the page stayed."""
    said: list[str] | None = page.evaluate("window.said")
    assert said is not None, "the page was loaded again"
    assert any(LIVE.search(each) for each in said), said[-5:]
