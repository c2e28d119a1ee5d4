"""Sweeps in the browser: set up in the editor; watched, narrowed down, repeated and used."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pipelines.document.settings import SweepPruning
from pipelines.store.database.run_options import RunOptions
from pipelines.sweeps.sweeps import Sweeps
from pipelines.workspace import Workspace
from tests.browser.conftest import new_context, running
from tests.browser.designer import Designer, at_rest
from tests.browser.geometry import are_apart
from tests.browser.served import Served
from tests.browser.watch import Watch
from tests.pipelines.sweeps.conftest import SCORE, choices, curve, install
from tests.pipelines.sweeps.sweeping import ended

pytestmark = pytest.mark.browser

SPACES = {"curve.x": choices(0, 1, 2, 3, 4, 5)}


@pytest.fixture
def curves(browser: Browser) -> Iterator[Served]:  # noqa: ARG001 - without one it is skipped
    """A server on a workspace with the modules of sweeps."""
    with tempfile.TemporaryDirectory(prefix="designer-") as folder:
        install(Workspace.at(Path(folder) / "workspace").make())
        with running(folder) as served:
            yield served


@pytest.fixture
def page(browser: Browser, curves: Served, watch: Watch) -> Iterator[Page]:
    context = new_context(browser)
    curves.admit(context)
    watch.attach(context)
    yield context.new_page()
    watch.detach(context)
    context.close()


@pytest.mark.journey
def test_from_the_flask_to_the_page_of_the_sweep(page: Page, curves: Served) -> None:
    designer = Designer(page, curves)
    designer.open_in_app(curve(epochs=3).to_json())
    designer.select("curve")
    page.get_by_role("button", name="Try several values of X", exact=True).click()
    values = designer.at("try-values-x")
    expect(values).to_be_focused()
    values.fill("1..2..3")
    expect(values).to_have_attribute("aria-invalid", "true")
    values.fill("1, 2, 3, 4")
    expect(designer.node("curve").get_by_label("Varied by the sweep: X")).to_be_visible()
    designer.at("submit").click()
    designer.at("sweep-metric").select_option("other")
    designer.at("sweep-other-metric").fill("curve.score")
    designer.at("sweep-pruning").select_option("median")
    designer.at("sweep-first-epoch").fill("2")
    designer.at("sweep-pruning").select_option("halving")
    expect(designer.at("sweep-estimate")).to_contain_text("4 trials")
    designer.at("submit-confirm").click()
    expect(page.get_by_text("4 of 4 trials ended", exact=False)).to_be_visible()
    [sweep] = Sweeps(curves.runs).all()
    settings = ended(curves.runs, sweep).settings
    assert settings.parameters["curve.x"].choices == (1, 2, 3, 4)
    assert (settings.strategy, settings.max_trials) == ("grid", 4)
    assert settings.pruning == SweepPruning(kind="halving", first_epoch=2)
    at_rest(page)


def test_from_the_first_trial_to_the_values_in_the_pipeline(page: Page, curves: Served) -> None:
    document = curve({"parameters": SPACES, "objective": SCORE}, noise=0.5, seconds=0.2)
    pipeline_id = curves.create(document.to_json())
    options = RunOptions(pipeline_id=pipeline_id)
    sweep = Sweeps(curves.runs).start(document, options, None)
    page.goto(f"{curves.address}/sweep?sweep={sweep.id}")
    expect(page.get_by_role("heading", name="Curve")).to_be_visible()
    page.get_by_label("Select trial 0", exact=True).check()  # while trials run
    expect(page.get_by_text("6 of 6 trials ended", exact=False)).to_be_visible()  # by itself
    repeat = page.get_by_role("button", name="Repeat the best 3 with other seeds")
    expect(repeat).to_be_visible()  # the sweep has ended
    at_rest(page)
    ticks_are_apart(page)
    narrowed(page)
    compared(page)
    repeat.click()
    expect(page.get_by_text("9 of 9 repetitions ended", exact=False)).to_be_visible()
    expect(page.get_by_role("heading", name="With other seeds")).to_be_visible()
    done = ended(curves.runs, sweep)
    assert len(done.configurations) == 3
    at_rest(page)
    page.get_by_role("button", name="Use these values").click()
    designer = Designer(page, curves)
    designer.pipeline_id = pipeline_id
    recommended = done.recommended
    assert recommended is not None
    number = recommended.number
    expect(page.get_by_text(f"The values of trial {number} are set.", exact=False)).to_be_visible()
    saved = designer.is_saved()
    [node] = [node for node in saved.nodes if node.id == "curve"]
    assert node.parameters["x"] == recommended.values["curve.x"]
    assert "random_seed" not in node.parameters


def compared(page: Page) -> None:
    """Sort and filter trials in the table, and compare two of them."""
    rows = page.get_by_test_id("runs-table").locator("tbody tr")
    page.get_by_test_id("sort-result").click()
    expect(rows.first).to_contain_text("★")
    page.get_by_test_id("filter-status").select_option("stopped")
    expect(page.get_by_text("No trials match.")).to_be_visible()
    page.get_by_test_id("filter-status").select_option("completed")
    expect(rows).to_have_count(6)
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    assert len(download.value.path().read_text().splitlines()) == 7
    expect(page.get_by_label("Select trial 0", exact=True)).to_be_checked()  # through all redraws
    page.get_by_label("Select trial 1", exact=True).check()
    address = page.url
    page.get_by_test_id("compare").click()
    page.wait_for_url("**/compare?*")
    page.goto(address)
    expect(rows).to_have_count(6)
    at_rest(page)


def ticks_are_apart(page: Page) -> None:
    """Both axes have values, whose texts overlap at no width of the window."""
    texts = page.locator("[class*=st-key-sweep-coordinates] svg.marks .mark-text.role-mark").last
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        expect(texts.get_by_text("5", exact=True).first).to_be_visible()
        at_rest(page)
        boxes = [one.bounding_box() for one in texts.locator("text").all()]
        places = [box for box in boxes if box is not None]
        assert len(places) == len(boxes) >= 8
        assert all(box["x"] + box["width"] <= width for box in places)
        for one, other in itertools.combinations(places, 2):
            assert are_apart(one, other) or are_apart(other, one)


def narrowed(page: Page) -> None:
    """Drag over the upper half of the first axis, then take the area away."""
    chart = page.locator("[class*=st-key-sweep-coordinates] svg.marks")
    chart.evaluate("drawn => drawn.scrollIntoView({block: 'center'})")  # below the page's header
    at_rest(page)
    box = chart.locator(".role-frame .background").first.bounding_box()  # below the legend
    assert box is not None
    left, top = box["x"] + box["width"] * 0.05, box["y"] + 2
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(left + 60, top + 40, steps=5)
    page.mouse.move(left + box["width"] * 0.4, top + box["height"] * 0.45, steps=5)
    page.mouse.up()
    expect(page.get_by_text("3 of 6 trials are selected.")).to_be_visible()
    expect(page.get_by_test_id("runs-table").locator("tbody tr")).to_have_count(3)
    at_rest(page)
    page.get_by_role("button", name="Show all trials").click()
    expect(page.get_by_text("Drag over a part of an axis", exact=False)).to_be_visible()
    expect(page.get_by_test_id("runs-table").locator("tbody tr")).to_have_count(6)
    at_rest(page)
