"""What a telephone and a small window show: whole cards, a graph, words beside each other."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from pipelines.events import Event
from pipelines.lessons.lesson import lessons
from pipelines.store.database.run_options import RunOptions
from tests.browser.designer import Designer, at_rest
from tests.browser.geometry import are_apart, at_size, is_inside
from tests.browser.lessons import EMPTY, lesson, lesson_with
from tests.browser.served import Served
from tests.browser.toy_runs import BUSY
from tests.browser.written_runs import over, step

pytestmark = pytest.mark.browser

PHONE, TABLET, DESK = (390, 844), (820, 1180), (1440, 900)


def sized(designer: Designer, size: tuple[int, int]) -> None:
    designer.page.set_viewport_size({"width": size[0], "height": size[1]})


def test_the_way_back_is_the_head_of_the_canvas_and_nothing_lies_on_it(designer: Designer) -> None:
    sized(designer, DESK)
    designer.open(lessons()[0].opened().to_json())
    expect(designer.at("lesson")).to_be_visible()
    designer.select("import", "convert", "split")
    designer.node("split").click(button="right")
    designer.at("menu-make-sub-pipeline").click()
    made = designer.node("sub_pipeline")
    expect(made).to_be_visible()
    sized(designer, PHONE)
    designer.at("lesson-fold").click()
    made.dblclick()
    way, canvas, steps = (designer.at(each) for each in ("breadcrumb", "canvas", "lesson"))
    expect(way).to_be_visible()
    places = [designer.resting(each) for each in (way, canvas, steps)]
    bar, frame, card = places
    assert [bar[each] for each in ("x", "y", "width")] == [
        frame[each] for each in ("x", "y", "width")
    ]
    inputs = designer.box(designer.page.locator(".pd-boundary").first)
    assert inputs["y"] >= bar["y"] + bar["height"]
    assert card["y"] >= inputs["y"] + inputs["height"]
    way.get_by_role("button").first.click()
    expect(way).to_be_hidden()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_failure_is_seen_whole_where_its_run_is_opened(
    designer: Designer, failed_run: tuple[str, str], size: tuple[int, int]
) -> None:
    sized(designer, size)
    designer.visit(*failed_run)
    card, canvas = designer.at("fault-bad"), designer.at("canvas")
    expect(card).to_be_visible()
    designer.until(lambda: is_inside(designer.box(card), designer.box(canvas)))
    resume, run = card.get_by_role("button", name="Resume run"), designer.at("submit")
    assert designer.box(resume)["height"] >= 20  # in pixels of the screen, at any zoom
    assert is_inside(designer.box(run), {"x": 0, "y": 0, "width": size[0], "height": size[1]})
    sized(designer, PHONE)  # as where a window is made narrower, or a tablet is turned
    shown = designer.node("bad")
    designer.until(
        lambda: shown.is_visible() and is_inside(designer.box(shown), designer.box(canvas))
    )


def test_the_selected_node_stays_above_the_steps_of_a_lesson(designer: Designer) -> None:
    sized(designer, DESK)
    designer.open(lessons()[0].opened().to_json())
    expect(designer.at("lesson")).to_be_visible()
    designer.select("evaluate")
    sized(designer, PHONE)
    steps, canvas = designer.at("lesson"), designer.box(designer.at("canvas"))
    designer.until(lambda: designer.box(steps)["y"] > canvas["y"] + canvas["height"] / 4)
    canvas["height"] = designer.box(steps)["y"] - canvas["y"]
    designer.until(lambda: is_inside(designer.box(designer.node("evaluate")), canvas))


def test_a_notice_does_not_cover_a_lesson_open_or_folded(designer: Designer) -> None:
    sized(designer, PHONE)
    designer.open(lessons()[0].opened().to_json())
    designer.choose("copy-python")
    notice = designer.resting(designer.at("notice"))
    for _ in ("as it opens", "the other way"):
        steps = designer.resting(designer.at("lesson"))
        is_above = notice["y"] + notice["height"] <= steps["y"]
        assert is_above or notice["y"] >= steps["y"] + steps["height"]
        designer.at("lesson-fold").click()


def test_a_failure_folds_the_lesson_that_would_cover_it(alone: Served, designer: Designer) -> None:
    sized(designer, PHONE)
    document = {**BUSY, "id": lessons()[0].opened().id}
    pipeline_id, store = alone.create(document), alone.runs.store
    options = RunOptions(pipeline_id=pipeline_id)
    run_id = store.create(document, ["two", "bad"], name="1", experiment="E", options=options)
    store.append_to(
        run_id, [Event("RunStarted"), step("two", "x"), Event("StepStarted", "bad", {"attempt": 1})]
    )
    designer.visit(pipeline_id, run_id)
    designer.has_status("two", "completed")
    designer.at("lesson-fold").click()
    steps, card = designer.at("lesson"), designer.at("fault-bad")
    expect(steps).to_have_attribute("data-folded", "false")
    problem = {"code": "0001", "message": "Nothing fits.", "cure": "Remove it.", "node": "bad"}
    store.append_to(run_id, [Event("StepFailed", "bad", {"problem": problem}), over("failed")])
    expect(steps).to_have_attribute("data-folded", "true")
    canvas, notice = designer.box(designer.at("canvas")), designer.resting(designer.at("notice"))
    designer.until(lambda: is_inside(designer.box(card), canvas))
    assert are_apart(notice, designer.resting(designer.node("bad")))
    card.get_by_role("button", name="Resume run").click(trial=True)  # nothing lies on it


@pytest.mark.parametrize("is_lesson", [True, False])
def test_the_settings_lie_over_the_canvas(designer: Designer, is_lesson: bool) -> None:
    sized(designer, TABLET)
    designer.open(lesson("01-digits") if is_lesson else BUSY)
    button = designer.page.get_by_role("button", name="Settings")
    if button.get_attribute("aria-pressed") != "true":
        button.click()
    for size in (TABLET, PHONE):
        with at_size(designer, size):
            settings_lie_over_the_canvas(designer, size)


def settings_lie_over_the_canvas(designer: Designer, size: tuple[int, int]) -> None:
    pane = designer.at("settings")  # and not what stands there until it is loaded
    expect(pane).to_be_visible()
    box = designer.resting(pane)
    bar, canvas = (
        designer.box(designer.page.locator(".pd-bar")),
        designer.box(designer.at("canvas")),
    )
    assert bar["y"] + bar["height"] == canvas["y"]
    assert box["y"] + box["height"] == size[1]
    if size == PHONE:
        assert box["width"] == PHONE[0]
        assert canvas["y"] + 200 < box["y"]
    else:
        assert box["y"] == canvas["y"]


def test_a_pipeline_opens_where_it_begins_and_can_be_read(designer: Designer) -> None:
    sized(designer, PHONE)
    designer.open(lesson("01-digits"))
    canvas, first = designer.box(designer.at("canvas")), designer.node("import")
    expect(designer.at("zoom-level")).to_have_text("70 %")
    assert is_inside(designer.box(first), canvas)
    expect(designer.node("evaluate")).to_have_count(0)  # not drawn: far out of view
    designer.page.get_by_role("button", name="Fit view").click()
    last = designer.node("evaluate")
    expect(last).to_be_visible()  # what lay outside the view is drawn only now
    designer.until(lambda: is_inside(designer.box(last), canvas))
    designer.until(lambda: is_inside(designer.box(first), canvas))


@pytest.mark.journey
@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_a_tap_on_a_node_shows_its_settings_beside_it(
    designer: Designer, size: tuple[int, int]
) -> None:
    sized(designer, size)
    designer.open(lesson("01-digits"))
    pane, split = designer.at("settings"), designer.node("split")
    expect(split).to_contain_text("second part 20 %")
    expect(split).not_to_contain_text("fraction")  # the ports say it
    split.locator(".pd-node-title").click()
    expect(pane.get_by_role("heading", name="Split Image Directory")).to_be_visible()
    designer.until(lambda: are_apart(designer.box(split), designer.box(pane)))
    assert is_inside(designer.resting(split), designer.box(designer.at("canvas")))
    designer.at("settings-close").click()
    expect(pane).to_have_count(0)
    designer.resting(split)  # the view moves back
    split.locator(".pd-node-title").click()
    expect(pane).to_be_visible()
    designer.page.locator(".react-flow__pane").click(position={"x": 6, "y": 60})
    expect(pane).to_have_count(0)


def test_the_page_of_a_run_leaves_room_to_the_graph(
    designer: Designer, failed_run: tuple[str, str]
) -> None:
    sized(designer, PHONE)
    _, run_id = failed_run
    designer.page.goto(f"{designer.served.address}/run?run={run_id}")
    expect(designer.at("gantt-two")).to_be_visible()
    designer.until(lambda: designer.box(designer.at("canvas"))["height"] >= 300)
    nodes = designer.box(designer.at("canvas").locator(".react-flow"))
    assert are_apart(nodes, designer.box(designer.page.get_by_role("group", name="Zoom")))
    axis = designer.page.locator(".pd-gantt-axis small")
    designer.until(lambda: len(shown(axis)) >= 2)
    designer.resting(axis.first)
    ticks = shown(axis)
    for one, other in itertools.pairwise(ticks):
        assert one["x"] + one["width"] <= other["x"]


def test_a_run_that_is_over_waits_for_no_node(designer: Designer) -> None:
    document = lesson_with(["import"])
    document["nodes"][0]["parameters"]["source"] = f"file:{designer.served.folder}/nowhere"
    _, run_id = designer.served.run(document)
    designer.page.goto(f"{designer.served.address}/run?run={run_id}")
    expect(designer.page.get_by_text("No node of this run was started.")).to_be_visible()


def test_rows_of_the_runs_are_of_one_height(
    designer: Designer, failed_run: tuple[str, str]
) -> None:
    sized(designer, PHONE)
    _, run_id = failed_run
    designer.page.goto(f"{designer.served.address}/runs")
    row = designer.at(f"run-row-{run_id}")
    expect(row).to_be_visible()
    designer.until(lambda: designer.box(row)["height"] < 100)  # pipeline and start are below
    # Run 1 is many a run's name: below it stands which pipeline's
    said = row.locator("td[data-of]").evaluate(
        "cell => [cell.dataset.of, getComputedStyle(cell, '::after').display]"
    )
    assert said[0].startswith("A busy pipeline")
    assert said[1] == "block"


@pytest.mark.usefixtures("failed_run")
def test_the_columns_of_the_runs_are_offered_in_the_window(designer: Designer) -> None:
    sized(designer, PHONE)
    designer.page.goto(f"{designer.served.address}/runs")
    designer.at("columns").click()
    offered = designer.box(designer.at("columns").locator(".pd-runs-column-list"))
    assert offered["x"] >= 0
    assert offered["x"] + offered["width"] <= PHONE[0]


@pytest.mark.usefixtures("failed_run")
def test_the_filters_of_the_runs_take_one_row_until_they_are_wanted(designer: Designer) -> None:
    sized(designer, PHONE)
    designer.page.goto(f"{designer.served.address}/runs")
    search, button, status = (
        designer.at(test_id) for test_id in ("runs-search", "runs-filters", "filter-status")
    )
    row, field = designer.resting(button), designer.box(search)
    assert field["y"] < row["y"] + row["height"] / 2 < field["y"] + field["height"]
    expect(status).to_be_hidden()
    button.click()
    status.select_option("failed")
    expect(button).to_have_text("Filters (1)")
    sized(designer, DESK)
    expect(button).to_be_hidden()
    expect(status).to_have_value("failed")


def test_a_folded_palette_says_that_modules_failed(designer: Designer) -> None:
    sized(designer, PHONE)
    broken = designer.served.workspace.modules_dir / "halve.py"
    broken.write_text("from modules import module\n\nhalve = (\n")
    try:
        designer.open(EMPTY)
        sign = designer.at("module-failures-sign")
        expect(sign).to_be_visible()
        sign.click()
        expect(designer.at("module-failures")).to_contain_text("halve.py, line 3")
    finally:
        broken.unlink(missing_ok=True)


def shown(parts: Locator) -> list[FloatRect]:
    """Where those are that are drawn, from left to right."""
    boxes = [each.bounding_box() for each in parts.all()]
    return sorted((box for box in boxes if box), key=lambda box: box["x"])


def test_what_is_open_stands_below_its_card(designer: Designer) -> None:
    sized(designer, PHONE)
    designer.page.goto(f"{designer.served.address}/environments")
    card = designer.at("entry-tensorflow@2")
    card.click()
    heading = designer.page.get_by_role("heading", name="tensorflow@2", exact=True)
    expect(heading).to_be_visible()
    at_rest(designer.page)
    below, height = designer.resting(card), PHONE[1]
    first = designer.box(designer.at("entry-designer@1"))
    assert below["y"] == pytest.approx(first["y"], abs=1)
    assert 0 <= below["x"] < below["x"] + below["width"] <= PHONE[0]
    assert below["y"] + below["height"] < designer.box(heading)["y"] < height


@pytest.fixture
def without_images(served: Served) -> Iterator[None]:
    """The workspace while it has no images: runs of other tests hold theirs, so they come back."""
    kept, aside = served.workspace.datasets_dir, served.folder / "datasets-aside"
    kept.mkdir(exist_ok=True)
    kept.rename(aside)
    yield
    shutil.rmtree(kept, ignore_errors=True)
    aside.rename(kept)


@pytest.mark.usefixtures("without_images")
def test_data_without_images_leads_to_the_first_pipeline(designer: Designer) -> None:
    sized(designer, PHONE)
    designer.page.goto(f"{designer.served.address}/data")
    designer.page.get_by_role("button", name="Use the digits sample").click()
    expect(designer.at("canvas")).to_be_visible()
