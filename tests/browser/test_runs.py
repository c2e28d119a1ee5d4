"""The history of runs and the page of a run, in a real browser on real runs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from pipelines.document.document import parse_document
from pipelines.registry.models import ModelRegistry
from pipelines.replay.archive import unpack
from pipelines.runs.history import RunHistory
from pipelines.runs.run_request import RunRequest
from tests.browser.designer import SOON, Designer, at_rest
from tests.browser.served import Served
from tests.browser.toy_runs import napping
from tests.browser.watch import GONE, Watch
from tests.designer_app.documents import document, link, node
from tests.pipelines.execution.small_trainings import trained
from tests.polling import wait_for

pytestmark = pytest.mark.browser

# keeps what a page hears of its streams: who has the curves goes on where it was cut off
LISTEN = """
  window.heard = '';
  const fetched = window.fetch;
  const hear = (text) => { window.heard += text; };
  window.fetch = async (...asked) => {
    const answer = await fetched(...asked);
    if (String(asked[0]).endsWith('/events') && answer.ok)
      answer.clone().body.pipeThrough(new TextDecoderStream())
        .pipeTo(new WritableStream({write: hear})).catch(() => undefined);
    return answer;
  };
"""
FAILING = document(
    "failing",
    name="Failing",
    nodes=[
        node("two", "constant", value=2),
        {**node("bad", "fail", message="Nothing fits."), "position": {"x": 320, "y": 0}},
    ],
    links=[link("two", "bad", "a")],
)


def submit(served: Served, content: dict[str, Any], **options: Any) -> str:
    pipeline_id = served.create(content)
    return served.runs.submit(
        RunRequest(parse_document(content), pipeline_id=pipeline_id, **options)
    )


def finished(served: Served, run_id: str) -> str:
    for _ in served.runs.follow(run_id):
        continue
    return run_id


@pytest.fixture(scope="module")
def naps(served: Served) -> str:
    """A run that has completed."""
    return finished(served, submit(served, napping(21, 0.1, 0.1), name="Two naps"))


@pytest.fixture(scope="module")
def failed(served: Served) -> str:
    return finished(served, submit(served, FAILING, name="A failure", experiment="trouble"))


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def kinds(served: Served, run_id: str) -> list[str]:
    return [event.kind for event in served.runs.store.events_after(run_id)]


def open_run(page: Page, served: Served, run_id: str) -> None:
    page.goto(f"{served.address}/run?run={run_id}")
    expect(page.get_by_test_id("canvas")).to_be_visible(timeout=SOON)


def statuses(page: Page, *nodes: str) -> list[str | None]:
    found = [page.get_by_test_id(f"node-status-{each}") for each in nodes]
    return [each.get_attribute("data-status") for each in found]


def apart(page: Page, one: str, other: str) -> tuple[float, float]:
    """How far two nodes are from each other: the same however the graph is moved about."""
    nodes = [page.get_by_test_id(f"node-{each}") for each in (one, other)]
    nodes[0].element_handle().wait_for_element_state("stable")  # the view glides as it is opened
    boxes = [each.bounding_box() for each in nodes]
    assert boxes[0] is not None
    assert boxes[1] is not None
    return boxes[1]["x"] - boxes[0]["x"], boxes[1]["y"] - boxes[0]["y"]


@pytest.mark.journey
def test_runs_are_searched_chosen_and_opened(
    page: Page, served: Served, naps: str, failed: str
) -> None:
    page.goto(f"{served.address}/runs")
    row = page.get_by_test_id(f"run-row-{naps}")
    expect(row).to_contain_text("Two naps", timeout=SOON)
    page.get_by_test_id("filter-status").select_option("failed")
    expect(row).to_be_hidden()
    expect(page.get_by_test_id(f"run-row-{failed}")).to_be_visible()
    page.get_by_test_id("filter-status").select_option("")
    page.get_by_test_id("runs-search").fill("naps")
    expect(page.get_by_test_id(f"run-row-{failed}")).to_be_hidden()
    page.get_by_test_id("runs-search").fill("no such run")
    page.get_by_role("button", name="Show all runs").click()
    for each in (naps, failed):
        page.get_by_test_id(f"run-row-{each}").get_by_role("checkbox").check()
    page.get_by_test_id("compare").click()
    page.wait_for_url(f"**/compare?run={naps}&run={failed}")
    page.get_by_role("link", name=re.compile("Two naps")).click()
    page.wait_for_url(f"**/run?run={naps}")
    expect(page.get_by_test_id("canvas")).to_be_visible(timeout=SOON)


def test_the_list_is_live_and_keeps_what_is_chosen(page: Page, served: Served, naps: str) -> None:
    page.goto(f"{served.address}/runs")
    chosen = page.get_by_test_id(f"run-row-{naps}").get_by_role("checkbox")
    chosen.check()
    fresh = submit(served, napping(22, 120), name="Newcomer")
    row = page.get_by_test_id(f"run-row-{fresh}")
    expect(row.locator(".pd-status")).to_have_attribute("data-status", "running", timeout=SOON)
    served.runs.cancel(fresh)
    expect(row.locator(".pd-status")).to_have_attribute("data-status", "cancelled", timeout=SOON)
    expect(chosen).to_be_checked()


def test_the_graph_of_a_run_is_frozen(page: Page, served: Served, naps: str) -> None:
    open_run(page, served, naps)
    node_ = page.get_by_test_id("node-nap0")
    expect(page.get_by_test_id("node-status-nap0")).to_have_attribute("data-status", "completed")
    before = apart(page, "two", "nap0")
    node_.locator(".pd-node-title").click()
    pane = page.get_by_test_id("run-pane")
    expect(pane).to_contain_text("Sleep")
    pane.get_by_test_id("tab-parameters").click()
    expect(pane).to_contain_text("0.1 seconds")
    page.keyboard.press("Delete")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("submit-confirm")).to_be_hidden()
    box = node_.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 60, box["y"] + 18)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 90, steps=4)
    page.mouse.up()
    expect(node_).to_be_visible()
    assert apart(page, "two", "nap0") == pytest.approx(before, abs=1)
    expect(page.get_by_test_id("gantt-nap1")).to_have_attribute("data-critical", "true")
    axis = page.locator(".pd-gantt-axis")
    expect(axis).to_have_css("position", "sticky")  # rows scroll away under it
    expect(axis.locator("small").first).to_have_text("0")


def test_logs_are_searched_and_opened(page: Page, served: Served, naps: str) -> None:
    log = served.workspace.node_dir(naps, "nap0") / "70_driver_log_0.txt"
    log.write_text("".join(f"step {place}\n" for place in range(20_000)), encoding="utf-8")
    open_run(page, served, naps)
    page.get_by_test_id("node-nap0").locator(".pd-node-title").click()
    page.get_by_test_id("tab-logs").first.click()
    text = page.get_by_test_id("log-text")
    expect(text).to_contain_text("step 19999")
    assert "step 1\n" not in text.inner_text()
    page.get_by_test_id("log-earlier").click()
    page.get_by_test_id("log-search").fill("step 12345")
    page.get_by_test_id("log-matches").get_by_role("button").click()
    expect(text).to_contain_text("step 12345")
    with page.expect_download() as download:
        page.get_by_test_id("log-download").click()
    assert download.value.path().read_bytes() == log.read_bytes()


def test_a_failed_run_says_why_and_goes_on(page: Page, served: Served, failed: str) -> None:
    open_run(page, served, failed)
    alert = page.get_by_test_id("stAlert").first
    expect(alert).to_contain_text("Nothing fits.")
    expect(alert).to_contain_text("Remove the Fail module.")
    page.get_by_role("button", name="Resume", exact=True).click()
    wait_for(lambda: kinds(served, failed).count("RunFinished") == 2)
    assert kinds(served, failed).count("RunQueued") == 2
    expect(alert).to_be_visible(timeout=SOON)


def test_a_run_is_named_repeated_and_deleted(page: Page, served: Served, naps: str) -> None:
    open_run(page, served, naps)
    page.get_by_role("button", name="Name, tags, note").click()
    page.get_by_label("Name", exact=True).fill("Slept well")
    page.get_by_role("textbox", name="Note").fill("Keep this one.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Slept well")).to_be_visible(timeout=SOON)
    assert RunHistory(served.runs).row(naps).note == "Keep this one."
    page.get_by_role("button", name="Run again").click()
    page.wait_for_function("run => !location.search.includes(run)", arg=naps)
    again = re.findall(r"run=([0-9a-f-]+)", page.url)[0]
    finished(served, again)
    expect(page.get_by_text(again).first).to_be_visible(timeout=SOON)
    at_rest(page)  # until then the tabs are those of the run before
    page.get_by_role("tab", name="Lineage").click()
    expect(page.get_by_text("Repeats")).to_be_visible(timeout=SOON)
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Frees")
    expect(dialog).to_contain_text("This cannot be undone.")
    dialog.get_by_role("button", name="Delete", exact=True).click()
    page.wait_for_url("**/runs*")
    expect(page.get_by_test_id(f"run-row-{naps}")).to_be_visible(timeout=SOON)
    expect(page.get_by_test_id(f"run-row-{again}")).to_be_hidden()
    with pytest.raises(LookupError):
        RunHistory(served.runs).row(again)


def test_two_watchers_see_the_same_end(
    context: BrowserContext, page: Page, served: Served, watch: Watch
) -> None:
    """One from the beginning, one that joins late; both streams are cut, and the run goes on."""
    watch.forgive(*GONE, "when disconnected from server")
    asked: dict[Page, list[int]] = {}
    run_id = submit(served, napping(23, 0.2, 120, 0.2))
    late = context.new_page()
    for each in (page, late):
        each.add_init_script(LISTEN)
        asked[each] = resumed_after(each, run_id)
        open_run(each, served, run_id)
        status = each.get_by_test_id("node-status-nap1")
        expect(status).to_have_attribute("data-status", "running", timeout=SOON)
        each.wait_for_function("() => window.heard.includes('event: curves')")
    num_before = {each: len(found) for each, found in asked.items()}
    served.kill()
    served.runs.cancel(run_id)
    state = served.runs.store.state(finished(served, run_id))
    served.start()
    wanted = {
        name: step.status if step.started is not None else "not started"
        for name, step in state.steps.items()
    }
    for each in (page, late):
        each.bring_to_front()  # a page that nobody sees lets its stream rest
        for name, status_ in wanted.items():
            shown = each.get_by_test_id(f"node-status-{name}")
            expect(shown).to_have_attribute("data-status", status_, timeout=SOON)
        assert asked[each][0] == 0, "the first answer tells all"
        # Later ones may ask for all: Streamlit draws the page anew when it is connected again.
        assert asked[each][num_before[each]] > 0, "the cut stream goes on with what was missed"
    assert statuses(page, *wanted) == statuses(late, *wanted)


def resumed_after(page: Page, run_id: str) -> list[int]:
    """Grows by an event's id whenever the page asks for a stream: the last that it knows, or 0."""
    found: list[int] = []

    def heard(request: Request) -> None:
        if request.url.endswith(f"/runs/{run_id}/events"):
            found.append(int(request.headers.get("last-event-id", 0)))

    page.on("request", heard)
    return found


@pytest.fixture(scope="module")
def unequal(served: Served) -> str:
    """A run whose training failed: its datasets have not the same classes."""
    shapes = "sample:shapes?size=32&seed=1&images="
    document_ = trained(f"{shapes}12&classes=3", f"{shapes}8&classes=2").to_json()
    for place, each in enumerate(document_["nodes"]):  # without places it would be tidied
        each["position"] = {"x": 0, "y": 120 * place}
    return finished(served, submit(served, document_, name="Unequal"))


@pytest.mark.full  # as the card on the canvas, below
def test_a_training_that_failed_is_cured_and_kept(page: Page, served: Served, unequal: str) -> None:
    """From the evidence to the cured run, its curves as files, its replay and its model."""
    open_run(page, served, unequal)
    evidence = page.get_by_test_id("stExpander").first
    evidence.locator("summary").click()  # folded, which leaves room for the graph
    expect(evidence).to_contain_text("training only", timeout=SOON)
    page.get_by_role("button", name="Insert Align Classes and run again").click()
    expect(page.get_by_test_id("node-align_classes")).to_be_visible(timeout=SOON)
    cured = re.findall(r"run=([0-9a-f-]+)", page.url)[0]
    state = served.runs.store.state(finished(served, cured))
    assert state.status == "completed", state.problem
    assert state.steps["convert-training"].status == "reused"
    # the page draws its buttons anew once more when it hears of the end
    expect(page.get_by_role("button", name="Download replay", exact=True)).to_be_visible(
        timeout=SOON
    )
    at_rest(page)
    page.get_by_role("tab", name="Metrics").click()
    expect(page.locator("svg.marks").first).to_be_visible(timeout=SOON)
    assert downloaded(page, "Save the chart as PNG").startswith(b"\x89PNG")
    assert downloaded(page, "Save the chart as SVG").startswith(b"<svg")
    assert downloaded(page, "Data").startswith(b"series,metric,step,value\n")
    table = downloaded(page, "All points as CSV").decode().splitlines()
    assert len(table) == 1 + len(served.runs.store.metrics(cured))
    replay = unpack(downloaded(page, "Download replay"))
    assert (replay.replay.run.id, replay.replay.run.status) == (cured, "completed")
    page.get_by_role("tab", name="Outputs").last.click()
    page.get_by_role("button", name="Register model").click()
    page.get_by_label("Name", exact=True).fill("cured")
    page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
    expect(page.get_by_text("See Models or the palette.")).to_be_visible(timeout=SOON)
    assert (
        ModelRegistry(served.runs.database, served.runs.artifacts).find("cured@1").version.run_id
        == cured
    )


def test_the_card_on_the_canvas_cures_by_one_step(
    designer: Designer, served: Served, unequal: str
) -> None:
    """Evidence, a safe button, one step to undo, and a run that reuses all that is upstream."""
    pipeline_id = RunHistory(served.runs).row(unequal).pipeline_id or ""
    before = served.document(pipeline_id)
    designer.visit(pipeline_id, unequal)
    card, inserted = designer.at("fault-train"), designer.node("align_classes")
    expect(card.get_by_test_id("evidence")).to_contain_text("training only")
    card.get_by_role("button", name="Insert Align Classes").click()
    expect(inserted).to_be_visible()
    again = card.get_by_role("button", name="Run with changes")
    expect(again).to_be_in_viewport(ratio=0.99)  # its node made room; all of it, but for rounding
    assert len(designer.is_saved().links) == len(before.links) + 2
    designer.undo()
    expect(inserted).to_have_count(0)
    assert designer.is_saved().to_json() == before.to_json()
    designer.at("redo").click()
    expect(inserted).to_be_visible()
    designer.resting(again)
    expect(again).to_be_in_viewport(ratio=0.99)
    again.click()
    expect(card).to_be_hidden()
    designer.has_status("convert-training", "reused")
    expect(designer.status("train")).to_have_attribute(
        "data-status", re.compile("completed|reused"), timeout=SOON
    )


def downloaded(page: Page, button: str) -> bytes:
    with page.expect_download(timeout=SOON) as kept:
        page.get_by_role("button", name=button, exact=True).first.click()
    return kept.value.path().read_bytes()


def test_back_leads_from_a_run_to_the_list_and_from_there_home(
    page: Page, served: Served, naps: str
) -> None:
    page.goto(served.address)
    home = page.url
    page.get_by_role("link", name="Runs").first.click()
    row = page.get_by_test_id(f"run-row-{naps}")
    expect(row).to_be_visible(timeout=SOON)
    listed = page.url
    row.get_by_role("link").first.click()
    page.wait_for_url(f"**/run?run={naps}")
    expect(page.get_by_test_id("canvas")).to_be_visible(timeout=SOON)
    page.go_back()
    expect(row).to_be_visible(timeout=SOON)
    assert page.url == listed
    page.go_back()
    page.wait_for_url(home)
    page.go_forward()
    expect(row).to_be_visible(timeout=SOON)


@pytest.mark.journey
def test_runs_are_compared(page: Page, served: Served, naps: str) -> None:
    longer = napping(21, 0.1, 0.3)
    other = finished(served, submit(served, longer, name="A longer nap"))
    page.goto(f"{served.address}/compare?run={naps}&run={other}")
    expect(page.get_by_role("link", name=re.compile("A longer nap"))).to_be_visible(timeout=SOON)
    record = served.runs.store.record(other)
    assert record is not None
    expect(page.get_by_text(f"{record.experiment} · {other}")).to_be_visible()
    page.get_by_role("tab", name="Graph").click()
    drawing = page.get_by_test_id("graph-drawing")
    expect(drawing).to_contain_text("Seconds: 0.1 → 0.3", timeout=SOON)
    page.get_by_role("button", name="Use as baseline").click()
    page.wait_for_url(f"**/compare?run={other}&run={naps}")
    expect(drawing).to_contain_text("Seconds: 0.3 → 0.1", timeout=SOON)
    page.goto(f"{served.address}/compare?run={naps}")
    expect(page.get_by_text("No runs selected")).to_be_visible(timeout=SOON)
    page.goto(f"{served.address}/compare?run={naps}&run=20260101-000000-abcd")
    expect(
        page.get_by_text("They were deleted, or the address is wrong.", exact=False)
    ).to_be_visible()
    page.get_by_role("button", name="Open Runs").click()
    expect(page.get_by_test_id(f"run-row-{naps}")).to_be_visible(timeout=SOON)
