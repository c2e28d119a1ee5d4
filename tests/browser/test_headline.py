"""What a run came to, where it is looked for: bar, tab, notice; the list of runs."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from modules.errors import FailedToEvaluateScriptError
from pipelines.events import Event
from pipelines.problems import Problem
from pipelines.sentences.steps import CODE_RAISED
from tests.browser.designer import SOON, Designer
from tests.browser.served import Served
from tests.browser.written_runs import JUDGED, begun, logged, over, step

pytestmark = pytest.mark.browser


def test_runs_are_sorted_by_what_they_came_to_tagged_and_deleted(
    alone: Served, designer: Designer
) -> None:
    page, store = designer.page, alone.runs.store
    pipeline = alone.create(JUDGED)
    ids = [begun(alone, pipeline, name) for name in ("worst", "best", "middle")]
    for run_id, value in zip(ids, (0.2, 0.9, 0.5), strict=True):
        store.append_to(run_id, [logged(value), step("two", "x"), step("sum", "y"), over()])
    page.goto(f"{alone.address}/runs")
    best = designer.at(f"run-metric-{ids[1]}")
    expect(best).to_contain_text("90.0 %", timeout=SOON)
    expect(best).to_have_attribute("data-value", "0.9")
    designer.at("filter-pipeline").select_option(pipeline)
    expect(page.locator("[data-testid^=run-row-]")).to_have_count(3)
    designer.at("sort-result").click()
    rows = page.locator("[data-testid^=run-row-]")
    expect(rows).to_contain_text(["best", "middle", "worst"])
    designer.at("columns").locator("summary").click()
    page.get_by_label("Accuracy", exact=True).check()
    expect(designer.at("sort-metric:Overall_Accuracy")).to_be_visible()
    page.keyboard.press("Escape")
    for run_id in ids[::2]:
        designer.at(f"run-row-{run_id}").get_by_role("checkbox").check()
    designer.at("bulk-tag").fill("poor")
    page.get_by_role("button", name="Add tag").click()
    expect(rows.filter(has_text="poor")).to_have_count(2)
    designer.at("bulk-delete").click()
    designer.at("bulk-delete-go").click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("best")
    page.reload()
    expect(designer.at("sort-metric:Overall_Accuracy")).to_be_visible(timeout=SOON)


def test_pages_say_what_runs_came_to_and_which_is_best(alone: Served, designer: Designer) -> None:
    page, store = designer.page, alone.runs.store
    pipeline = alone.create(JUDGED)
    ids = [begun(alone, pipeline, name) for name in ("first", "second")]
    for run_id, value in zip(ids, (0.25, 0.5), strict=True):
        size = Event("MetricLogged", "two", {"name": "my_size", "step": 0, "value": 7})
        store.append_to(run_id, [size, logged(value), step("sum", "y"), over()])
    page.goto(f"{alone.address}/compare?run={ids[0]}&run={ids[1]}")
    expect(page.get_by_text("B: second is best: Accuracy 50.0 % against 25.0 %")).to_be_visible(
        timeout=SOON
    )
    expect(page).to_have_title("Compare · first · second · Pipeline Designer")
    page.goto(f"{alone.address}/run?run={ids[1]}")
    result = page.locator(".st-key-run-result")
    expect(result).to_contain_text("Accuracy", timeout=SOON)
    expect(result).to_contain_text("50.0 %")
    expect(page).to_have_title("50.0 % · second · Pipeline Designer")
    page.get_by_role("button", name="Main metric").click()
    page.get_by_role("combobox", name="Main metric of this pipeline").click()
    page.get_by_role("option", name="My size of Constant").click()
    expect(result.get_by_test_id("stMetric").first).to_contain_text("7")
    page.get_by_role("button", name="Run from node").click()
    page.get_by_role("combobox", name="Node", exact=True).click()
    expect(page.get_by_role("option", name="Constant").first).to_be_visible()
    page.goto(alone.address)
    expect(designer.at(f"recent-{pipeline}")).to_contain_text("7My size", timeout=SOON)


def ranks_failed(served: Served, pipeline: str) -> str:
    """A run of three ranks, of which the second failed first, with their logs."""
    said = {
        0: "RuntimeError: Connection closed by peer [10.77.0.11]:31337",
        1: "Traceback (most recent call last):\nValueError: the labels are wrong",
        2: "Rank 2 was terminated by SIGTERM.",
    }
    rows = [[f"rank {rank}", said[rank]] for rank in (0, 2)]
    title = "2 other ranks ended as a result"
    echoes = {"kind": "ranks", "title": title, "rows": rows, "num_rows": 2}
    reason = FailedToEvaluateScriptError(CODE_RAISED, module="add", traceback=said[1])
    problem = Problem.from_error(reason, "sum").to_json()
    problem["details"] = {"rank": 1, "echoes": echoes}
    run_id = begun(served, pipeline, "ranks")
    failed = Event("StepFailed", "sum", {"problem": problem})
    end = Event("RunFinished", data={"status": "failed", "problem": problem})
    served.runs.store.append_to(run_id, [step("two", "x"), failed, end])
    folder = served.workspace.node_dir(run_id, "sum")
    folder.mkdir(parents=True)
    for rank, text in said.items():
        (folder / f"70_driver_log_{rank}.txt").write_text(f"{text}\nError\n", encoding="utf-8")
    return run_id


def test_the_failures_of_other_ranks_are_one_line_that_unfolds(
    alone: Served, designer: Designer
) -> None:
    """On the canvas, in the logs, which begin with the rank that failed first, and on the page."""
    page = designer.page
    pipeline = alone.create(JUDGED)
    run_id = ranks_failed(alone, pipeline)
    designer.visit(pipeline, run_id)
    card = designer.at("fault-sum")
    expect(card).to_contain_text("the labels are wrong")
    line = card.get_by_test_id("echoes")
    expect(line).to_have_text(re.compile("^2 other ranks ended as a result"))
    expect(line.get_by_text("Connection closed")).to_be_hidden()
    line.locator("summary").click()
    expect(line.get_by_text("Connection closed")).to_be_visible()
    designer.resting(card)  # the first click has selected the node and opened a pane
    card.get_by_role("button", name="Log").click()
    expect(designer.at("log-text")).to_contain_text("the labels are wrong")
    expect(designer.at("log-file")).to_have_value("sum/70_driver_log_1.txt")
    settings = designer.at("settings")
    expect(settings.get_by_test_id("echoes")).to_be_visible()
    designer.at("log-search").fill("error")
    found = designer.at("log-matches").locator("b")
    expect(found).to_have_text(["rank 1", "rank 1", "rank 0", "rank 0", "rank 2"])
    page.goto(f"{alone.address}/run?run={run_id}")
    unfolding = page.get_by_test_id("stExpander").filter(has_text="2 other ranks ended")
    expect(unfolding.locator("details")).not_to_have_attribute("open", "", timeout=SOON)
