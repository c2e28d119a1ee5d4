"""A7: how long one waits at a start: for help, for the editor, for a training's first step."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import pictures
from benchmarks.designer_server import DesignerServer
from benchmarks.editor_page import chromium, fresh_page
from benchmarks.graph_documents import image_document, laid_out, learning_document
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
from benchmarks.processes import time_designer, timed
from pipelines.document.document import parse_document
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace

OURS, PYTHON = "Pipeline Designer", "starting Python"
MAX_HELP_SECONDS, MAX_EDITOR_SECONDS, MAX_STEP_SECONDS = 0.3, 2.0, 1.0
TIME_LIMIT_SECONDS = 120.0


def measure(options: Options) -> Report:
    """All three; a browser is needed for the editor (``--peers`` without ``editor`` leaves it)."""
    report = Report(
        "A7",
        "Start",
        "`designer --help`; a first visit to a pipeline of twelve nodes in headless Chromium; a "
        "training of prepared images submitted to a runner that holds torch, until its first step.",
    )
    help_ = Contender(OURS, lambda: {"designer --help": time_designer("--help")})
    python = Contender(PYTHON, lambda: {"designer --help": timed([sys.executable, "-c", ""])[1]})
    spreads = alternate([help_, python], options.rounds, options.earlier("Help"))
    report.scenarios.append(Scenario("Help", spreads, PYTHON))
    _judge(
        report,
        "seconds of designer --help",
        spreads[OURS]["designer --help"].median,
        MAX_HELP_SECONDS,
    )
    if options.wants("editor"):
        _editor(report, options)
    _first_step(report, options)
    return report


def _judge(report: Report, claim: str, found: float, bound: float) -> None:
    report.checks.append(Check.at_most(claim, found, bound, is_gate=False))


def _editor(report: Report, options: Options) -> None:
    with DesignerServer(options.scratch) as server, chromium() as browser:
        address = server.address(server.create(laid_out(image_document(0.5))))

        def visit() -> Sample:
            with fresh_page(browser, server) as page:
                return {"first visit": page.open(address)}

        spreads = alternate([Contender(OURS, visit)], options.rounds, options.earlier("Editor"))
    report.scenarios.append(Scenario("Editor", spreads, ""))
    found = spreads[OURS]["first visit"].median
    _judge(report, "seconds to the interactive editor, first visit", found, MAX_EDITOR_SECONDS)


def _first_step(report: Report, options: Options) -> None:
    place = options.scratch / "pictures"
    pictures.divided(pictures.drawn(place / "all", 40), place)
    seeds = itertools.count()
    with _warm_runner(options.scratch / "warm") as runs:
        _seconds_to_first_step(runs, place, next(seeds))

        def submit() -> Sample:
            return {
                "submitted until its first step": _seconds_to_first_step(runs, place, next(seeds))
            }

        spreads = alternate([Contender(OURS, submit)], options.rounds, options.earlier("Training"))
    report.scenarios.append(Scenario("Training", spreads, ""))
    found = spreads[OURS]["submitted until its first step"].median
    _judge(report, "seconds from submitting to the first step", found, MAX_STEP_SECONDS)


@contextmanager
def _warm_runner(folder: Path) -> Iterator[RunService]:
    runs = WorkspaceSession(Workspace.at(folder).make()).runs
    runs.runner.ensure(warm=True)
    try:
        yield runs
    finally:
        runs.runner.stop()


def _seconds_to_first_step(runs: RunService, place: Path, seed: int) -> float:
    """Until the training has told of its first step; what comes before it is reused."""
    recipe = {"epochs": 1, "batch_size": 8, "learning_rate": 0.05, "random_seed": seed}
    document = parse_document(learning_document(place, 32, recipe))
    started = time.time()
    run_id = runs.submit(RunRequest(document))
    first = None
    for events in runs.follow(run_id, poll_seconds=0.005):
        for event in events:
            if first is None and event.kind == "StepProgress" and event.node == "train":
                first = event.time - started
        if time.time() - started > TIME_LIMIT_SECONDS:
            break
    if first is None:
        raise BenchmarkError(
            f"The training told of no step. See the log in {runs.workspace.runner_log_path}."
        )
    return first
