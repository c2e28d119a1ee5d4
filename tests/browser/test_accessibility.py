"""Every screen for everybody: axe finds nothing serious, focus is seen, nothing is clipped.

Pictures of them are kept in the folder that ``DESIGNER_PICTURES`` names.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from pipelines.document.document import parse_document
from tests.browser.axe import BEYOND, Look, readable_in, wait_for_none
from tests.browser.designer import Designer
from tests.browser.keyboard import RING
from tests.browser.lessons import EMPTY, lesson, lesson_with
from tests.browser.served import Served
from tests.browser.toy_runs import BUSY
from tests.browser.watch import GONE, Watch
from tests.designer_app.documents import document, node

pytestmark = pytest.mark.browser

SIZES = [(1440, 900), (1024, 768), (820, 1180)]
DESK: Look = ("light", SIZES[0])
SMALL: Look = ("dark", SIZES[1])
SINCE: dict[str, Any] = {
    "nodes": [
        *BUSY["nodes"],
        {**node("nap", "sleep", seconds=1), "position": {"x": 0, "y": 300}},
        {**node("rest", "whole"), "position": {"x": 320, "y": 300}, "disabled": True},
    ],
    "notes": [{"id": "n", "text": "**Why** `41`?", "position": {"x": 0, "y": 520}}],
    "groups": [{"id": "g", "title": "Later", "colour": "amber", "nodes": ["nap", "rest"]}],
}

# the parts of the bar that are seen: left, right, and the name of each
PARTS = """() => {
  const roots = [document], found = [];
  for (const root of roots) for (const each of root.querySelectorAll('*')) {
    if (each.shadowRoot) roots.push(each.shadowRoot);
    if (!each.closest('.pd-bar') || !each.matches('button, input, [data-testid]')) continue;
    const box = each.getBoundingClientRect();
    if (box.width > 0) found.push([each.dataset.testid ?? each.ariaLabel, box.left, box.right]);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def failed(served: Served) -> tuple[str, str]:
    """A pipeline and its failed run; since then there are notes, groups, problems and more."""
    pipeline_id, run_id = served.run(BUSY)
    edited = parse_document({**BUSY, **SINCE, "id": pipeline_id})
    served.saved.commit(edited, 1)
    return pipeline_id, run_id


@pytest.fixture(
    params=[
        pytest.param(DESK, id="desk"),
        pytest.param(SMALL, id="small", marks=pytest.mark.full),  # as dark: accessible states
    ]
)
def look(request: pytest.FixtureRequest) -> Look:
    """The theme and the window in which a test looks at a page.

    axe looks at the large size in light and at the small one in dark: colours are the same at both.
    """
    made: Look = request.param
    return made


@pytest.mark.full  # as test_whole_pages and design, below
def test_axe_finds_nothing_serious_on_the_pages(
    designer: Designer, failed: tuple[str, str], look: Look
) -> None:
    page, served = designer.page, designer.served
    _, completed = served.run(document("toy"))
    shown = {
        "home": ("/", designer.at("gallery-01-digits")),
        "data": ("/data", designer.at("dataset-name")),
        "environments": ("/environments", designer.at("entry-designer@1")),
        "targets": ("/targets", designer.at("entry-local")),
        "help": ("/help", designer.page.get_by_role("link", name="Tutorials")),
        "models": ("/models", page.get_by_role("heading", name="Models", exact=True)),
        "runs": ("/runs", designer.at(f"run-row-{completed}")),
        "run": (f"/run?run={completed}", designer.status("whole")),
        "failed-run": (f"/run?run={failed[1]}", page.get_by_test_id("stAlert").first),
        "compare": (
            f"/compare?run={completed}&run={failed[1]}",
            page.get_by_role("tab", name="Graph"),
        ),
        "design-page": (f"/design?pipeline={failed[0]}", designer.at("fault-bad")),
        "replay": ("/design?replay=01-digits", designer.at("player")),
    }
    if look == DESK:  # the others: test_whole_pages
        shown = {name: shown[name] for name in ("failed-run", "design-page", "replay")}
    for name, (address, sign) in shown.items():
        page.goto(f"{served.address}{address}")
        expect(sign).to_be_visible()
        holds(designer, look, name)


def test_axe_finds_nothing_serious_on_design(designer: Designer, look: Look) -> None:
    designer.open(lesson("01-digits"))
    designer.at("tab-outline").click()
    designer.select("train")
    expect(designer.at("param-epochs")).to_be_visible()
    holds(designer, look, "design")
    designer.at("submit").click()
    expect(designer.at("submit-confirm")).to_be_enabled()
    holds(designer, look, "submit")
    designer.press("Escape")
    for key, layer in (("a", "module-search"), ("Control+k", "command-palette")):
        designer.press(key)
        expect(designer.at(layer)).to_be_visible()
        holds(designer, look, layer)
        designer.press("Escape")
        expect(designer.at(layer)).to_be_hidden()


def test_axe_finds_nothing_serious_where_something_is_wrong(
    designer: Designer, failed: tuple[str, str], watch: Watch, look: Look
) -> None:
    watch.forgive(r"409 \(Conflict\)")
    designer.visit(*failed)
    expect(designer.at("fault-bad")).to_be_visible()
    designer.at("problem-count").click()
    expect(designer.at("problem-0")).to_be_visible()
    holds(designer, look, "problems")
    designer.open(lesson_with(["densenet", "score"]))
    designer.wire("densenet-out-untrained_model", "score-in-trained_model")
    expect(designer.at("refusal")).to_be_visible()
    holds(designer, look, "refusal")
    designer.press("Escape")
    changed = {**lesson_with(["densenet"]), "id": designer.pipeline_id, "name": "Theirs"}
    designer.served.saved.commit(
        parse_document(changed), designer.served.saved.open(designer.pipeline_id).revision
    )
    designer.at("pipeline-name").fill("Meanwhile")
    expect(designer.at("conflict-copy")).to_be_focused()  # Enter overwrites nobody
    holds(designer, look, "conflict")


def test_axe_finds_nothing_serious_while_the_server_is_gone(
    designer: Designer, watch: Watch, look: Look
) -> None:
    page, served = designer.page, designer.served
    watch.forgive(*GONE, "disconnected from server", "dynamically imported")
    page.goto(f"{served.address}/runs")
    expect(page.get_by_role("heading", name="Runs", exact=True)).to_be_visible()
    served.kill()
    try:
        expect(page.get_by_test_id("stTopNavLink").first).to_have_attribute("disabled", "")
        holds(designer, look, "server-gone")
    finally:
        served.start()
    # also where it went away before all of the screen had come
    expect(page.locator("[data-screen=runs] h2, [data-screen=runs] table").first).to_be_visible()


def test_axe_finds_nothing_serious_where_there_is_help(designer: Designer, look: Look) -> None:
    page = designer.page
    designer.open(EMPTY)
    expect(designer.at("canvas")).to_contain_text("Build a pipeline")
    holds(designer, look, "empty")
    page.get_by_role("button", name="Take the tour").click()
    expect(designer.at("tour-next")).to_be_focused()
    holds(designer, look, "tour")
    designer.at("tour-skip").click()
    for item, name in (("show-shortcuts", "shortcuts"), ("versions", "versions")):
        designer.choose(item)
        expect(page.get_by_role("dialog")).to_be_visible()
        holds(designer, look, name)
        designer.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def holds(designer: Designer, look: Look, name: str) -> None:
    """What is shown can be read by everybody, and all of it is in view."""
    readable_in(designer.page, [look], name)


def test_nothing_of_the_bar_is_clipped(designer: Designer) -> None:
    designer.open(lesson("01-digits"))
    for width, height in SIZES:
        designer.page.set_viewport_size({"width": width, "height": height})
        expect(designer.at("submit")).to_be_in_viewport(ratio=1)
        wait_for_none(
            designer.page, f"() => ({PARTS})().filter(part => part[1] < 0 || part[2] > {width})"
        )
        assert len(designer.page.evaluate(PARTS)) > 5
        wait_for_none(designer.page, BEYOND)


def test_the_focus_is_seen_wherever_tab_goes(designer: Designer) -> None:
    designer.open(lesson("01-digits"))
    designer.at("pipeline-name").focus()
    seen = []
    for _ in range(14):
        designer.press("Tab")
        seen.append(designer.page.evaluate(RING))
    assert [each["name"] for each in seen if not each["marks"]] == []
