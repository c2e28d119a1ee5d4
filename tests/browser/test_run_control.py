"""Runs as seen on the canvas: cancelled, failed and resumed, and going on without a server."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import Route, expect

from pipelines.execution.runner_lock import current_runner
from pipelines.replay.library import ReplayShelf, export
from tests.browser.designer import TORCH, Designer
from tests.browser.lessons import lesson
from tests.browser.toy_runs import napping
from tests.browser.watch import GONE, Watch
from tests.designer_app.documents import document, link, node

pytestmark = pytest.mark.browser


def test_a_step_is_ended_early_and_the_run_is_cancelled(designer: Designer) -> None:
    designer.open(napping(11, 0.1, 120, 121))
    title = designer.node("nap1").locator(".pd-node-title")
    before = designer.box(title)
    designer.submit()
    designer.has_status("nap1", "running")
    assert designer.box(title) == before  # nothing jumps where a status comes
    designer.at("stop-and-keep").click()
    designer.at("stop-confirm").click()
    expect(designer.at("notice")).to_contain_text("finishes early")
    designer.has_status("nap1", "completed")
    designer.has_status("nap2", "running")
    designer.at("cancel").click()
    designer.has_status("nap2", "cancelled")
    designer.has_status("nap0", "completed")
    expect(designer.at("run-status")).to_have_attribute("data-status", "cancelled")
    expect(designer.at("cancel")).to_be_hidden()
    expect(designer.at("submit")).to_be_enabled()


def test_a_frozen_runner_is_told_where_its_run_is_watched(designer: Designer) -> None:
    designer.open(napping(12, 30))
    designer.submit()
    designer.has_status("nap0", "running")
    info = current_runner(designer.served.workspace)
    assert info is not None
    cure = f"kill -CONT {info.pid}"
    info.identity.signal(signal.SIGSTOP)
    try:
        expect(designer.at("frozen")).to_contain_text(cure)
        run_id = designer.served.runs.store.unfinished()[0]
        page = designer.page.context.new_page()
        page.goto(f"{designer.served.address}/run?run={run_id}")
        expect(page.get_by_text(cure)).to_be_visible()
        page.close()
        designer.at("cancel").click()
        expect(designer.at("run-status")).to_contain_text("cancelling")  # long before it is
        expect(designer.at("cancel")).to_be_disabled()
    finally:
        info.identity.signal(signal.SIGCONT)
    designer.has_status("nap0", "cancelled")
    expect(designer.at("frozen")).to_be_hidden()


@pytest.mark.journey
def test_a_failure_is_a_card_and_the_run_goes_on_from_there(designer: Designer) -> None:
    designer.open(
        document(
            "failing",
            nodes=[
                node("two", "constant", value=29),
                {**node("bad", "fail", message="Nothing fits."), "position": {"x": 320, "y": 0}},
            ],
            links=[link("two", "bad", "a")],
        )
    )
    designer.submit()
    designer.has_status("bad", "failed")
    card = designer.at("fault-bad")
    expect(card).to_contain_text("Nothing fits.")
    expect(card).to_contain_text("Remove the Fail module.")
    card.get_by_role("button", name="Resume run").click()
    expect(designer.at("run-status")).to_have_attribute("data-status", "failed")
    designer.has_status("bad", "failed")
    designer.has_status("two", "completed")
    first = designer.at("run-status").get_attribute("title") or ""
    designer.select("bad")
    designer.fill("message", "Something else.")
    card.get_by_role("button", name="Run with changes").click()
    expect(card).to_contain_text("Something else.")  # a new run, which keeps what holds
    expect(designer.at("run-status")).not_to_have_attribute("title", first)
    designer.has_status("two", "reused")
    card.get_by_role("button", name="Log").click()
    expect(designer.at("log-text")).to_be_visible()
    card.get_by_role("button", name="Close").click()
    expect(card).to_be_hidden()


def test_a_training_is_ended_early_and_its_best_model_kept(designer: Designer) -> None:
    document = lesson("01-digits")
    by_id = {each["id"]: each for each in document["nodes"]}
    by_id["import"]["parameters"]["source"] = "sample:shapes?classes=4&images=160&size=32"
    light = {"model_name": "shufflenet_v2_x0_5", "pretrained": False}
    by_id["densenet"] |= {"module": "image_model", "parameters": light}
    train = by_id["train"]
    train["parameters"] |= {"epochs": 500, "batch_size": 16, "patience": 500}
    train["run_settings"] = {"process_count_per_node": 2}
    designer.open(document)
    designer.submit()
    expect(designer.status("train")).to_contain_text("epoch 2", timeout=200_000)
    lanes = designer.node("train").locator(".pd-lane")
    expect(lanes).to_have_count(2)
    expect(lanes.nth(1)).to_contain_text(re.compile(r"\d %|slowest"))
    designer.at("stop-and-keep").click()
    designer.at("stop-confirm").click()
    expect(designer.at("notice")).to_contain_text("best model so far")
    designer.has_status("train", "completed")
    designer.has_status("evaluate", "completed")
    expect(designer.at("run-status")).to_have_attribute("data-status", "completed")


@pytest.mark.full  # tests/pipelines/execution
def test_what_is_valid_is_reused(designer: Designer) -> None:
    designer.open_in_app(napping(12, 0.1, 0.2))
    foot = designer.node("nap1").locator(".pd-node-foot")
    foreseen = re.compile("^(Unknown until it runs|about )")  # from the times of other naps
    designer.at("forecast-button").click()
    expect(foot).to_have_text(foreseen, timeout=TORCH)
    designer.submit()
    designer.has_status("nap1", "completed")
    expect(foot).not_to_have_text(foreseen)  # what it came to is worth more
    designer.select("nap1")
    designer.fill("seconds", "0.3")
    designer.submit()
    designer.has_status("nap1", "completed")
    designer.has_status("nap0", "reused")
    designer.select("nap0")
    designer.page.get_by_role("tab", name="Details").click()
    maker = designer.at("reused-from")
    run_id = maker.inner_text()
    title = designer.at("run-status").get_attribute("title") or ""
    maker.click()
    expect(designer.page).to_have_url(re.compile(f"/run.*{run_id}"))
    is_told_in_the_replay(designer, title.split()[1].removesuffix(":"), run_id)


def is_told_in_the_replay(designer: Designer, run_id: str, reused_from: str) -> None:
    """Without a link: where a replay is watched, that run may never have been."""
    served = designer.served
    replay = ReplayShelf(served.workspace).add(export(served.runs, run_id))
    designer.page.goto(f"{served.address}/design?replay={replay}")
    expect(designer.at("player")).to_be_visible()
    designer.press("End")
    designer.node("nap0").click()
    designer.at("replay-tab-details").click()
    expect(designer.at("replay-panel")).to_contain_text(reused_from)
    expect(designer.at("reused-from")).to_have_count(0)


@pytest.mark.full  # as test_two_watchers_see_the_same_end
def test_a_run_goes_on_while_the_server_is_gone(designer: Designer, watch: Watch) -> None:
    watch.forgive(*GONE)
    designer.open(napping(13, 0.1, 12, 0.1))
    designer.submit()
    designer.has_status("nap1", "running")
    designer.served.kill()
    designer.page.wait_for_timeout(2000)
    designer.served.start()
    designer.has_status("nap2", "completed")
    designer.has_status("nap1", "completed")
    expect(designer.at("run-status")).to_have_attribute("data-status", "completed")


@pytest.mark.full  # as one that joins late: test_runs
def test_a_page_that_is_loaded_again_follows_the_run(designer: Designer) -> None:
    designer.open(napping(14, 0.1, 8))
    designer.submit()
    designer.has_status("nap1", "running")
    designer.page.reload()
    designer.has_status("nap1", "completed")
    designer.has_status("two", "completed")


def test_nothing_moves_away_from_under_the_pointer(designer: Designer) -> None:
    """The button to run stays where it is when the forecast arrives, and a slip closes nothing."""
    held: list[Route] = []
    designer.page.route("**/api/forecast", lambda route: held.append(route))
    designer.open(napping(15, 0.1, 0.2, 0.3))
    designer.at("submit").click()
    run, dialog = designer.at("submit-confirm"), designer.page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_contain_text("Computing")
    designer.page.evaluate("document.fonts.ready.then(() => true)")  # texts have their widths
    before = designer.box(run)
    designer.until(lambda: len(held) > 0)
    for route in held:
        route.continue_()
    expect(designer.at("forecast")).to_be_visible(timeout=TORCH)
    assert designer.box(run) == before
    designer.page.mouse.move(*designer.middle(designer.at("submit-name")))
    designer.page.mouse.down()  # selects text, and lets go beside the dialog
    designer.page.mouse.move(5, 5)
    designer.page.mouse.up()
    expect(dialog).to_be_visible()
    designer.page.mouse.click(5, 5)
    expect(dialog).to_have_count(0)


def test_the_title_of_a_node_stays_where_it_is_when_its_status_comes(designer: Designer) -> None:
    napped = napping(88, 0.1)
    napped["nodes"][1]["title"] = "Train PyTorch Model"  # as long as fits beside the icon
    designer.open(napped)

    def lies() -> tuple[float, float, float]:
        around = designer.resting(designer.node("nap0"))
        box = designer.resting(designer.node("nap0").locator(".pd-node-title"))
        return box["y"] - around["y"], box["height"], around["height"]

    before = lies()
    designer.submit()
    designer.has_status("nap0", "completed")
    assert lies() == pytest.approx(before, abs=0.5)
