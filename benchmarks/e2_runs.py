"""E2: a run of a thousand nodes and 200,000 metric points, opened in the editor and on its page."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from benchmarks.designer_server import DesignerServer
from benchmarks.editor_page import chromium, fresh_page
from benchmarks.graph_documents import Document, laid_out, training_document
from benchmarks.harness import (
    BenchmarkError,
    Check,
    Contender,
    Options,
    Report,
    Sample,
    Scenario,
    alternate,
)
from pipelines.events import Event
from pipelines.runs.curves import thinned_metrics
from pipelines.store.database.run_options import RunOptions

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NUM_NODES, NUM_POINTS = 1_000, 200
MAX_OPEN_SECONDS = 2.0
MAX_HEAP_MB = 200.0
SMALL_RUN, LARGE_RUN = "the same pipeline, a run without curves", "with curves"
OWN_PAGE = "with curves, on the page of the run"


def measure(options: Options) -> Report:
    """Opening, memory and thinning, beside a run of as many nodes that logged nothing."""
    nodes, points = (20, 50) if options.small else (NUM_NODES, NUM_POINTS)
    report = Report(
        "E2",
        "Runs",
        f"A run of {nodes:,} nodes and {nodes * points:,} metric points, opened in headless "
        "Chromium until the nodes show how they ended; and its curves thinned.",
    )
    with DesignerServer(options.scratch) as server, chromium() as browser:
        report.versions["chromium"] = browser.version
        report.versions["streamlit"] = version("streamlit")
        document = laid_out(training_document(nodes))
        pipeline = server.create(document)
        small = finished_run(server, document, pipeline, 0)
        large = finished_run(server, document, pipeline, points)
        design = server.address(pipeline)
        pages = {
            SMALL_RUN: (design, server.address(pipeline, small)),
            LARGE_RUN: (design, server.address(pipeline, large)),
            OWN_PAGE: (server.page("runs"), server.page(f"run?run={large}")),
        }
        contenders = [
            Contender(name, _opening(browser, server, *addresses))
            for name, addresses in pages.items()
        ]
        spreads = alternate(contenders, options.rounds)
        for column in ("seconds", "megabytes"):
            of_column = {name: {"opened": each[column]} for name, each in spreads.items()}
            report.scenarios.append(Scenario("A run opened", of_column, SMALL_RUN, column))
        report.scenarios.append(_thinning(server, large, options.rounds))
    for where, found in (("", spreads[LARGE_RUN]), (" on its page", spreads[OWN_PAGE])):
        seconds, heap = found["seconds"].median, found["megabytes"].high
        claim = f"seconds to open the run{where}"
        report.checks.append(Check.at_most(claim, seconds, MAX_OPEN_SECONDS, is_gate=False))
        claim = f"megabytes of the page's heap{where}"
        report.checks.append(Check.at_most(claim, heap, MAX_HEAP_MB))
    return report


def _opening(
    browser: Browser, server: DesignerServer, before: str, address: str
) -> Callable[[], Sample]:
    """Opening an address in a browser that keeps what ``before`` needed."""

    def open_run() -> Sample:
        with fresh_page(browser, server) as page:
            page.visit(before)
            page.rest()
            page.page.goto(address, wait_until="commit")
            shown = page.value("probe.seen('[data-testid^=node-status][data-status=completed]')")
            page.settle()
            return {"seconds": shown / 1000, "megabytes": page.heap_megabytes()}

    return open_run


def _thinning(server: DesignerServer, run_id: str, rounds: int) -> Scenario:
    store = server.runs.store

    def thin() -> Sample:
        started = time.perf_counter()
        curves = thinned_metrics(store, run_id, most_in_all=20_000)
        seconds = time.perf_counter() - started
        _agree(server, run_id, curves)
        return {"seconds": seconds}

    def read() -> Sample:
        started = time.perf_counter()
        store.metrics(run_id)
        return {"seconds": time.perf_counter() - started}

    contenders = [Contender("thinned", thin), Contender("reading every point", read)]
    return Scenario("Curves of a run", alternate(contenders, rounds), "reading every point")


def _agree(server: DesignerServer, run_id: str, curves: Any) -> None:
    """Nothing may be faster because a curve has lost its extremes."""
    whole = server.runs.store.metrics(run_id)
    for (node, name), points in itertools.groupby(whole, lambda each: (each.node, each.name)):
        values = [point.value for point in points if point.value is not None]
        kept = [point.value for point in curves[node][name] if point.value is not None]
        if (min(kept), max(kept)) != (min(values), max(values)):
            raise BenchmarkError(
                f"The curve of {node} lost an extreme. Mend pipelines/runs/curves.py."
            )


def finished_run(server: DesignerServer, document: Document, pipeline: str, points: int) -> str:
    """The id of a new run in which each node has logged so many points."""
    nodes = [node["id"] for node in document["nodes"]]
    store = server.runs.store
    run_id = store.create(
        document, nodes, name="E2", experiment="E2", options=RunOptions(pipeline_id=pipeline)
    )
    told = [Event("RunStarted")]
    for place, node in enumerate(nodes):
        told += step_events(node, points, place)
    store.append_to(run_id, [*told, Event("RunFinished", data={"status": "completed"})])
    return run_id


def step_events(node: str, points: int, place: int = 0) -> list[Event]:
    """A step from its beginning to its end; its curve differs by place."""
    logged = (_point(step, place) for step in range(1, points + 1))
    return [
        Event("StepStarted", node, {"attempt": 1}),
        *(Event("MetricLogged", node, point) for point in logged),
        Event("StepFinished", node, {"artifact_id": f"none-{place}"}),
    ]


def _point(step: int, place: int) -> dict[str, str | float]:
    loss = 2 / math.sqrt(step) + 0.1 * math.sin(step * (1 + place % 7))
    return {"name": "Train loss", "step": step, "value": loss}
