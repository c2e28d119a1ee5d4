"""E3: the pages of a workspace with a thousand runs, and a page that has watched fifty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING

from benchmarks.designer_server import DesignerServer
from benchmarks.e2_runs import finished_run, step_events
from benchmarks.editor_page import chromium, fresh_page
from benchmarks.harness import Check, Contender, Options, Report, Sample, Scenario, alternate
from pipelines.events import Event
from pipelines.lessons.lesson import lessons

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NUM_RUNS, NUM_WATCHED = 1_000, 50
NUM_POINTS = 8
"""Epochs that a run has logged."""
MAX_SECONDS = 1.0
MOST_GROWTH = 1.2
"""Of the heap, from the tenth run on: nothing is kept of the runs that were watched before."""
SUBMITTED = "**/api/runs"
SHOWN = "[data-testid^=node-status][data-status={status}]"


def measure(options: Options) -> Report:
    """Each page's first content, then the heap of the editor's page after each ten runs."""
    num_runs, watched = (20, 10) if options.small else (NUM_RUNS, NUM_WATCHED)
    report = Report(
        "E3",
        "Pages",
        f"A workspace with {num_runs:,} runs in headless Chromium, whose cache has the scripts: "
        "each page from its address to its first content; and the heap of a Design page from "
        f"which {watched} runs are started one after the other.",
    )
    with DesignerServer(options.scratch) as server, chromium() as browser:
        report.versions["chromium"] = browser.version
        report.versions["streamlit"] = version("streamlit")
        documents = [lesson.document.to_json() for lesson in lessons()]
        pipeline, *_ = [server.create(document) for document in documents]
        document = server.saved.open(pipeline).document
        runs = [finished_run(server, document, pipeline, NUM_POINTS) for _ in range(num_runs)]
        contenders = [
            Contender(name, _opening(browser, server, *page))
            for name, page in _pages(server, pipeline, runs).items()
        ]
        spreads = alternate(contenders, options.rounds)
        report.scenarios.append(Scenario("A page opened", spreads, "", "seconds"))
        heap = _watching(browser, server, pipeline, watched)
    found = alternate([Contender("the editor", lambda: heap)], 1)
    report.scenarios.append(Scenario("Runs watched", found, "", "megabytes"))
    slowest = max(spreads, key=lambda name: spreads[name]["first content"].median)
    seconds = spreads[slowest]["first content"].median
    claim = f"seconds to the first content of the slowest page, {slowest}"
    report.checks.append(Check.at_most(claim, seconds, MAX_SECONDS, is_gate=False))
    growth = list(heap.values())[-1] / next(iter(heap.values()))
    claim = f"heap after {watched} runs, of that after 10"
    report.checks.append(Check.at_most(claim, growth, MOST_GROWTH))
    return report


def _pages(server: DesignerServer, pipeline: str, runs: list[str]) -> dict[str, tuple[str, str]]:
    """The address of each page, and what is the first of its content."""
    one, other = runs[-1], runs[-2]
    return {
        "Home": (server.page(""), "[data-testid^=recent-]"),
        "Design": (server.address(pipeline), "[data-testid^=node-status]"),
        "Runs": (server.page("runs"), "[data-testid^=run-row-]"),
        "a run": (server.page(f"run?run={one}"), "[data-testid=stMetric]"),
        "Compare": (server.page(f"compare?run={one}&run={other}"), "[data-testid=stPageLink]"),
        "Models": (server.page("models"), ".st-key-models-begin-nothing"),
        "Data": (server.page("data"), "[data-testid=dataset-name]"),
        "Environments": (server.page("environments"), "[data-testid^=entry-]"),
        "Targets": (server.page("targets"), "[data-testid^=entry-]"),
    }


def _opening(
    browser: Browser, server: DesignerServer, address: str, content: str
) -> Callable[[], Sample]:
    def open_page() -> Sample:
        with fresh_page(browser, server) as page:
            for _ in range(2):  # the first fills the browser's cache
                page.page.goto(address, wait_until="commit")
                shown = page.value(f"probe.seen({content!r})")
                page.rest()
                page.settle()
            return {"first content": shown / 1000}

    return open_page


def _watching(
    browser: Browser, server: DesignerServer, pipeline: str, watched: int
) -> dict[str, float]:
    """The heap after each ten runs that were started on the page, in megabytes."""
    heap = {}
    with fresh_page(browser, server) as page:
        page.open(server.address(pipeline))
        page.rest()
        for number in range(1, watched + 1):
            page.press("Control+Enter")
            with page.page.expect_response(SUBMITTED) as answer:
                page.page.get_by_test_id("submit-confirm").click()
            run_id = answer.value.json()["run_id"]
            for events, status in _course_of(server, run_id):
                server.runs.store.append_to(run_id, events)
                page.page.wait_for_function(f"() => probe.find({SHOWN.format(status=status)!r})")
            if number % 10 == 0:
                page.settle()
                heap[f"after {number}"] = page.heap_megabytes()
    return heap


def _course_of(server: DesignerServer, run_id: str) -> Iterator[tuple[list[Event], str]]:
    """What happens in a run, and how a node stands then."""
    nodes = list(server.runs.store.state(run_id).steps)
    yield [Event("RunStarted"), Event("StepStarted", nodes[0], {"attempt": 1})], "preparing"
    yield (
        [
            *(event for node in nodes for event in step_events(node, NUM_POINTS)),
            Event("RunFinished", data={"status": "completed"}),
        ],
        "completed",
    )
