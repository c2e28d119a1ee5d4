"""The editor's page, open over many runs: what it keeps of those that are over does not grow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from benchmarks.editor_page import EditorPage
from pipelines.store.database.history import RunFilter
from tests.browser.conftest import new_context, running
from tests.browser.designer import Designer
from tests.browser.served import Served
from tests.browser.watch import Watch
from tests.designer_app.documents import document, node

pytestmark = [pytest.mark.browser, pytest.mark.full, pytest.mark.timeout(900)]

RUNS, SETTLED = 50, 10
"""How many runs, and after how many of them everything that is loaded once has been loaded."""
MOST_GROWTH = 0.15
"""Of the heap after the first ones."""


@pytest.fixture
def served(tmp_path: Path, browser: Browser) -> Iterator[Served]:
    """A workspace of its own with toy modules."""
    assert browser.is_connected()
    with running(str(tmp_path)) as made:
        yield made


def test_fifty_runs_leave_the_heap_as_it_was(
    browser: Browser, served: Served, watch: Watch
) -> None:
    context = new_context(browser)
    watch.attach(context)
    designer = Designer(context.new_page(), served)
    beside = {**node("whole", "whole"), "position": {"x": 320, "y": 0}}
    designer.open_in_app(document("remembered", nodes=[node("two", "constant", value=2), beside]))
    designer.select("two")
    page, heaps = EditorPage(designer.page), []
    for number in range(1, RUNS + 1):
        run_once(designer, number)
        if number % SETTLED == 0:
            heaps.append(page.heap_megabytes())
    print(f"heap after every {SETTLED} runs, in MB: {', '.join(f'{each:.1f}' for each in heaps)}")
    assert heaps[-1] <= heaps[0] * (1 + MOST_GROWTH)
    context.close()


def run_once(designer: Designer, number: int) -> None:
    """The run of that number, which computes anew, to its end as the page tells it."""
    designer.fill("value", str(number))
    designer.submit()
    designer.until(lambda: num_completed(designer.served) == number)
    expect(designer.at("run-status")).to_have_attribute("data-status", "completed")


def num_completed(served: Served) -> int:
    rows = served.session.history.search(RunFilter(), limit=RUNS).rows
    return sum(row.status == "completed" for row in rows)
