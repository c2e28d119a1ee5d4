"""E1: how the editor moves, what it draws again, and how long opening, saving and telling take."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

from benchmarks.designer_server import DesignerServer
from benchmarks.editor_page import EditorPage, chromium, fresh_page
from benchmarks.graph_documents import laid_out, long_document
from benchmarks.harness import (
    BenchmarkError,
    Check,
    Contender,
    Options,
    Report,
    Sample,
    Scenario,
    Spreads,
    alternate,
)
from pipelines.events import Event
from pipelines.store.database.run_options import RunOptions

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EMPTY = "an empty page"
SIZES = (50, 150, 500, 1000, 2000)
SMALL_SIZES = (20,)
SHARE_OF_EMPTY = {50: 0.95, 150: 0.95, 500: 50 / 60, 1000: 50 / 60, 2000: 0.5}
"""Of the frames of an empty page: 60, 50 and 30 of 60 a second."""
MAX_SAVE_SECONDS = 0.15
MAX_COLOUR_SECONDS = 0.15
MAX_PROBLEMS_SECONDS = 0.15
MAX_OPEN_SECONDS = 1.0
MAX_FIRST_VISIT_SECONDS = 2.0
MIN_UNDO_STEPS = 200
SAVED_SIZE = 500
JUDGED_SIZE = 100
NEAR = 1.0
"""Zoom at which everything on a node can be read."""


@dataclass(frozen=True)
class _Site:
    """What every measurement needs."""

    server: DesignerServer
    browser: Browser
    seconds: float
    num_edits: int
    num_steps: int


def measure(options: Options) -> Report:
    """Frames, redraws, times and undo, in a browser before a server."""
    report = Report(
        "E1",
        "Editor",
        "The editor in headless Chromium (software rendering), on pipelines of several sizes: "
        "frames counted inside the movement, nodes drawn again counted in React's commits.",
    )
    wanted = [size for size in SIZES if options.wants(str(size))]
    sizes = SMALL_SIZES if options.small else tuple(wanted)
    if not sizes:
        raise BenchmarkError(f"E1 has no such size. Choose of {', '.join(map(str, SIZES))}.")
    with DesignerServer(options.scratch) as server, chromium() as browser:
        report.versions["chromium"] = browser.version
        report.versions["playwright"] = version("playwright")
        report.versions["streamlit"] = version("streamlit")
        small = options.small
        site = _Site(
            server, browser, 0.2 if small else 1.0, 4 if small else 40, 12 if small else 230
        )
        pipelines = {size: server.create(laid_out(long_document(size))) for size in sizes}
        _movement(report, site, pipelines, options)
        _redraws(report, site, pipelines, options)
        _times(report, site, pipelines, options)
        _problems(report, site, options)
        _undo(report, site, pipelines, options)
    return report


def _movement(report: Report, site: _Site, pipelines: dict[int, str], options: Options) -> None:
    def empty() -> Sample:
        with fresh_page(site.browser, site.server) as page:
            page.empty()
            return {"near: pan": page.fps_of_drag((720, 450), site.seconds)}

    def of(size: int) -> Callable[[], Sample]:
        return lambda: _move(site, pipelines[size])

    contenders = [Contender(EMPTY, empty)]
    contenders += [Contender(f"{size:,} nodes", of(size)) for size in pipelines]
    spreads = _by_size(alternate(contenders, options.rounds, options.earlier("Movement")))
    report.scenarios.append(Scenario("Movement", spreads, EMPTY, "frames a second"))
    most = spreads[EMPTY]["near: pan"].median
    for name in spreads.keys() - {EMPTY}:
        size = _size_of(name)
        worst = min(spread.median for spread in spreads[name].values())
        bound = SHARE_OF_EMPTY.get(size, 0.0)
        claim = f"slowest movement of {size:,} nodes, in frames of an empty page"
        report.checks.append(Check.at_least(claim, worst / most, bound))


def _by_size(spreads: Spreads) -> Spreads:
    """In the order of the sizes, whichever part of the run found them."""
    return {name: spreads[name] for name in sorted(spreads, key=_size_of)}


def _size_of(name: str) -> int:
    """0 for what is no pipeline."""
    number = name.split(" ")[0].replace(",", "")
    return int(number) if number.isdigit() else 0


def _move(site: _Site, pipeline: str) -> Sample:
    """Frames a second of each movement, of a part of the pipeline and of all of it."""
    with fresh_page(site.browser, site.server) as page:
        page.open(site.server.address(pipeline))
        page.settle()
        far = _pan_and_drag(page, site.seconds)
        zoom = page.fps_of_zoom(site.seconds)
        page.zoom_to(NEAR)
        near = _pan_and_drag(page, site.seconds)
    return {
        **{f"near: {name}": found for name, found in near.items()},
        "zoom": zoom,
        **{f"all in view: {name}": found for name, found in far.items()},
    }


def _pan_and_drag(page: EditorPage, seconds: float) -> Sample:
    drag = page.fps_of_drag(page.node_in_the_middle()[1], seconds)
    return {"pan": page.fps_of_drag(page.ground(), seconds), "drag": drag}


def _redraws(report: Report, site: _Site, pipelines: dict[int, str], options: Options) -> None:
    def of(pipeline: str) -> Callable[[], Sample]:
        return lambda: _count_redraws(site, pipeline)

    contenders = [Contender(f"{size:,} nodes", of(each)) for size, each in pipelines.items()]
    found = _by_size(alternate(contenders, 1, options.earlier("Drawn again")))
    report.scenarios.append(Scenario("Drawn again", found, "", "nodes"))
    for name in ("a progress event", "selecting a node", "dragging a node"):
        most = max(spreads[name].median for spreads in found.values())
        report.checks.append(Check.at_most(f"nodes drawn again for {name}", most, 1))


def _count_redraws(site: _Site, pipeline: str) -> dict[str, float]:
    run_id = _new_run(site.server, pipeline)
    with fresh_page(site.browser, site.server) as page:
        page.open(site.server.address(pipeline, run_id))
        page.zoom_to(NEAR)
        page.settle()
        node, place = page.node_in_the_middle()
        told = [
            len(page.redrawn(partial(_progress, site.server, run_id, node, done)))
            for done in (1, 2, 3)
        ]
        chosen = len(page.redrawn(lambda: page.page.mouse.click(*place)))
        dragged = len(page.redrawn(lambda: page.fps_of_drag(place, 0.3)))
    if 0 in (*told, chosen, dragged):
        raise BenchmarkError("The probe saw nothing drawn. Mend benchmarks/page_probe.js.")
    return {
        "a progress event": max(told),
        "selecting a node": chosen,
        "dragging a node": dragged,
    }


def _times(report: Report, site: _Site, pipelines: dict[int, str], options: Options) -> None:
    earlier = options.earlier("Times")
    if SAVED_SIZE not in pipelines and earlier:
        _tell_times(report, SAVED_SIZE, alternate([], 0, earlier))
        return
    size = SAVED_SIZE if SAVED_SIZE in pipelines else max(pipelines)
    contenders = [
        Contender("opening", lambda: _open(site, pipelines[size])),
        Contender("an edit, until it is saved", lambda: _save(site, pipelines[size])),
        Contender("an event, until it is seen", lambda: _colour(site, pipelines[size])),
    ]
    _tell_times(report, size, alternate(contenders, options.rounds, earlier))


def _tell_times(report: Report, size: int, spreads: Spreads) -> None:
    report.scenarios.append(Scenario(f"Times, {size} nodes", spreads, ""))
    bounds = (
        ("opening", "warm", MAX_OPEN_SECONDS),
        ("opening", "first visit", MAX_FIRST_VISIT_SECONDS),
        ("an edit, until it is saved", "p95", MAX_SAVE_SECONDS),
        ("an event, until it is seen", "p95", MAX_COLOUR_SECONDS),
    )
    for name, column, bound in bounds:
        found = spreads[name][column].median
        claim = f"seconds of {name}, {column}"
        report.checks.append(Check.at_most(claim, found, bound, is_gate=False))


def _problems(report: Report, site: _Site, options: Options) -> None:
    earlier = options.earlier("Problems")
    size = min(SMALL_SIZES) if options.small else JUDGED_SIZE
    name = "an edit, until its problems are known"
    contenders = []
    if not earlier:
        pipeline = site.server.create(laid_out(long_document(size)))
        contenders = [Contender(name, lambda: _judge(site, pipeline))]
    spreads = alternate(contenders, options.rounds, earlier)
    report.scenarios.append(Scenario(f"Problems, {size} nodes", spreads, ""))
    found = spreads[name]["p95"].median
    claim = f"seconds of {name}, p95"
    report.checks.append(Check.at_most(claim, found, MAX_PROBLEMS_SECONDS, is_gate=False))


def _judge(site: _Site, pipeline: str) -> Sample:
    """From the key that edits to the server's problems in the page, which is no longer grey."""
    with fresh_page(site.browser, site.server) as page:
        page.open(site.server.address(pipeline))
        page.zoom_to(NEAR)
        page.page.mouse.click(*page.node_in_the_middle()[1])
        page.settle()
        is_current = "probe.find('.pd-root').dataset.verdict === 'current'"
        page.page.wait_for_function(f"() => {is_current}")
        page.value("probe.watch()")
        shown = "probe.verdicts.filter((each) => each.value === 'current')"
        for done in range(1, site.num_edits + 1):
            page.press("Control+e")
            page.page.wait_for_function(f"() => {shown}.length >= {done} && {is_current}")
            page.page.wait_for_timeout(60)
        keys: list[float] = page.value("probe.keys")
        verdicts = page.value(shown)
    pressed = keys[1::2]  # Control goes down before E
    if len(pressed) != len(verdicts):
        raise BenchmarkError(f"{len(pressed)} edits were judged {len(verdicts)} times. Look why.")
    return _spread([(each["at"] - key) / 1000 for key, each in zip(pressed, verdicts, strict=True)])


def _open(site: _Site, pipeline: str) -> Sample:
    with fresh_page(site.browser, site.server) as page:
        first = page.open(site.server.address(pipeline))
        page.settle()
        return {"first visit": first, "warm": page.open(site.server.address(pipeline))}


def _save(site: _Site, pipeline: str) -> Sample:
    """From the key that edits to the word of the server that the edit is on the disk."""
    with fresh_page(site.browser, site.server) as page:
        page.open(site.server.address(pipeline))
        page.zoom_to(NEAR)
        page.page.mouse.click(*page.node_in_the_middle()[1])
        page.settle()
        page.value("probe.watch()")
        for _ in range(site.num_edits):
            page.press("Control+e")
            page.page.wait_for_function(
                "() => probe.find('[data-testid=save-state]').dataset.state === 'saved'"
                " && probe.saves.at(-1)?.value === 'saved'"
            )
            page.page.wait_for_timeout(60)
        keys: list[float] = page.value("probe.keys")
        saves = page.value("probe.saves.filter((each) => each.value === 'saved')")
    pressed = keys[1::2]  # Control goes down before E
    if len(pressed) != len(saves):
        raise BenchmarkError(f"{len(pressed)} edits were saved {len(saves)} times. Look why.")
    return _spread([(save["at"] - key) / 1000 for key, save in zip(pressed, saves, strict=True)])


def _colour(site: _Site, pipeline: str) -> Sample:
    """From the writing of an event to the change of the node that shows it."""
    run_id = _new_run(site.server, pipeline)
    with fresh_page(site.browser, site.server) as page:
        page.open(site.server.address(pipeline, run_id))
        page.zoom_to(NEAR)
        page.settle()
        node = page.node_in_the_middle()[0]
        page.value("probe.watch()")
        shown = f"probe.statuses.filter((each) => each.id === 'node-status-{node}')"
        written = []
        for attempt in range(site.num_edits):
            kind = ("StepStarted", "StepRunning", "StepFinalising")[attempt % 3]
            written.append(time.time())
            data = {"attempt": 1} if kind == "StepStarted" else {}
            site.server.runs.store.append_to(run_id, [Event(kind, node, data)])
            # Two events that follow one another on a busy machine are one change of colour.
            page.page.wait_for_function(f"() => {shown}.length >= {len(written)}")
            page.page.wait_for_timeout(170)
        told = page.value(shown)
    if len(told) != len(written):
        raise BenchmarkError(f"{len(written)} events changed {len(told)} colours. Look why.")
    return _spread([each["at"] / 1000 - when for when, each in zip(written, told, strict=True)])


def _undo(report: Report, site: _Site, pipelines: dict[int, str], options: Options) -> None:
    size, pipeline = next(iter(pipelines.items()))
    earlier = options.earlier("Undo")
    contenders = [Contender(f"{size:,} nodes", lambda: _count_undo(site, pipeline))]
    spreads = alternate([] if earlier else contenders, 1, earlier)
    report.scenarios.append(Scenario("Undo", spreads, "", "steps"))
    steps = min(found["edits taken back"].median for found in spreads.values())
    bound = min(MIN_UNDO_STEPS, site.num_steps)
    report.checks.append(Check.at_least("steps that can be undone", steps, bound))


def _count_undo(site: _Site, pipeline: str) -> Sample:
    with fresh_page(site.browser, site.server) as page:
        page.open(site.server.address(pipeline))
        page.page.mouse.click(*page.node_in_the_middle()[1])
        for _ in range(site.num_steps):
            page.press("Control+e")
        steps = 0
        while steps <= site.num_steps and page.page.get_by_test_id("undo").is_enabled():
            page.press("Control+z")
            steps += 1
    return {"edits taken back": steps}


def _new_run(server: DesignerServer, pipeline: str) -> str:
    """A run under way that nobody executes."""
    document = server.saved.open(pipeline).document
    nodes = [node["id"] for node in document["nodes"]]
    run_id = server.runs.store.create(
        document, nodes, name="E1", experiment="E1", options=RunOptions(pipeline_id=pipeline)
    )
    server.runs.store.append_to(run_id, [Event("RunStarted")])
    return run_id


def _progress(server: DesignerServer, run_id: str, node: str, done: int) -> None:
    server.runs.store.append_to(
        run_id, [Event("StepProgress", node, {"done": done, "total": 10, "unit": "images"})]
    )


def _spread(seconds: list[float]) -> Sample:
    ordered = sorted(seconds)
    return {
        "median": statistics.median(ordered),
        "p95": ordered[round(0.95 * (len(ordered) - 1))],
        "longest": ordered[-1],
    }
