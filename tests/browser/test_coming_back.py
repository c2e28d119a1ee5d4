"""Pipelines that one leaves for other pages and comes back to, while their runs go on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pipelines.events import Event
from tests.browser.designer import Designer, at_rest
from tests.browser.served import Served
from tests.browser.written_runs import JUDGED, begun, over, step

pytestmark = pytest.mark.browser

CONNECTIONS = 6
"""How many browsers allow at a time to one address."""


def go_home_and_open(designer: Designer, pipeline: str) -> None:
    designer.page.get_by_role("link", name="Home").first.click()
    expect(designer.page.locator("[data-testid^='recent-']").first).to_be_visible()
    if designer.at(f"recent-{pipeline}").count() == 0:
        designer.page.get_by_text("Show all").click()
    designer.at(f"recent-{pipeline}").click()
    expect(designer.at("run-status")).to_have_attribute("data-status", "running")


@pytest.mark.full  # editors that were left have no stream: running.test.ts
def test_edits_are_saved_however_many_pipelines_have_runs_under_way(
    alone: Served, designer: Designer
) -> None:
    pipelines = [alone.create(JUDGED | {"id": f"under-way-{n}"}) for n in range(CONNECTIONS + 1)]
    runs = [begun(alone, pipeline, "under way") for pipeline in pipelines]
    designer.visit_in_app(pipelines[0])
    for pipeline in pipelines[1:]:
        go_home_and_open(designer, pipeline)
    designer.pipeline_id = pipelines[-1]
    designer.at("pipeline-name").fill("Renamed")
    designer.until(lambda: alone.document(pipelines[-1]).name == "Renamed")
    alone.runs.store.append_to(runs[1], [step("two", "x")])
    go_home_and_open(designer, pipelines[1])
    designer.has_status("two", "completed")  # what happened meanwhile
    for run_id in runs:
        alone.runs.store.append_to(run_id, [over("cancelled")])


def test_a_run_that_was_resumed_on_its_page_goes_on_on_the_canvas(
    alone: Served, designer: Designer
) -> None:
    pipeline = alone.create(JUDGED | {"id": "resumed"})
    run_id = begun(alone, pipeline, "to resume")
    store = alone.runs.store
    store.append_to(run_id, [step("two", "x"), Event("StepCancelled", "sum"), over("cancelled")])
    designer.visit_in_app(pipeline, run_id)
    status = designer.at("run-status")
    expect(status).to_have_attribute("data-status", "cancelled")
    page = designer.page
    page.get_by_role("link", name="Runs").first.click()
    designer.at(f"run-row-{run_id}").get_by_role("link").first.click()
    open_in_design = page.get_by_role("button", name="Open in Design")
    expect(open_in_design).to_be_visible()
    at_rest(page)  # Streamlit loses a click on a page that it is just drawing
    store.append_to(
        run_id, [Event("RunQueued", data={"nodes": ["two", "sum"]}), Event("RunStarted")]
    )
    open_in_design.click()
    expect(status).to_have_attribute("data-status", "running")
    store.append_to(run_id, [over("cancelled")])
    expect(status).to_have_attribute("data-status", "cancelled")
