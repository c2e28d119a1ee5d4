"""The editor in a headless Chromium: opened, moved about, edited, and what that took."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness import BenchmarkError
from tests.browser.chromium import ARGUMENTS, CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from benchmarks.designer_server import DesignerServer

PROBE = Path(__file__).with_name("page_probe.js")
WAIT_MS = 60_000
REACH = 60
"""Pixels that the pointer goes to either side: nothing leaves the window."""

PATIENCE_SECONDS = 10.0
"""For the first redraw after an action, on a machine that is busy."""

Point = tuple[float, float]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, started as the browser tests start it."""
    from playwright.sync_api import sync_playwright

    if not CHROMIUM.exists():
        raise BenchmarkError(f"There is no {CHROMIUM}. Install it: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@contextmanager
def fresh_page(browser: Browser, server: DesignerServer) -> Iterator[EditorPage]:
    """A page of a browser profile that was let in and has seen nothing yet."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(WAIT_MS)
    context.add_init_script(path=PROBE)
    server.admit(context)
    yield EditorPage(context.new_page())
    context.close()


class EditorPage:
    """One page with the probe in it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, address: str) -> float:
        """Seconds from asking for the page to nodes that can be worked with."""
        self.page.goto(address, wait_until="commit")
        found = self.page.evaluate(
            "async () => { await probe.firstNode(); await new Promise(requestAnimationFrame);"
            " return performance.now(); }"
        )
        return float(found) / 1000

    def visit(self, address: str) -> None:
        """Open a page and wait until something of ours is on it."""
        self.page.goto(address, wait_until="commit")
        self.page.evaluate("probe.seen('.pd-root')")

    def empty(self) -> None:
        """A page with nothing on it: what frames cost without an editor."""
        self.page.goto("about:blank")

    def rest(self) -> None:
        """Wait until half a second long nothing is asked of the server.

        Without it what comes next is timed together with what a page still works on: a design
        shows the curves of its newest run.
        """
        self.page.wait_for_load_state("networkidle")

    def settle(self) -> None:
        """Let what still comes after opening come."""
        self.page.wait_for_timeout(400)

    def frames(self, act: Callable[[], None], seconds: float) -> float:
        """Frames a second while ``act`` is done again and again."""
        self.page.evaluate("probe.startFrames()")
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            act()
        times = self.page.evaluate("probe.stopFrames()")
        gaps = [after - before for before, after in pairwise(times)]
        return 1000 / statistics.fmean(gaps) if gaps else 0.0

    def redrawn(self, act: Callable[[], object]) -> list[str]:
        """The nodes of which anything is drawn again by an action and what follows at once."""
        self.page.evaluate("() => void probe.startRedraws()")
        act()
        deadline = time.monotonic() + PATIENCE_SECONDS
        self.page.wait_for_timeout(150)
        while not self.page.evaluate("probe.numRedrawn()") and time.monotonic() < deadline:
            self.page.wait_for_timeout(50)
        found: list[str] = self.page.evaluate("probe.stopRedraws()")
        return found

    def fps_of_drag(self, start: Point, seconds: float) -> float:
        """Frames a second while what lies at ``start`` is dragged to and fro."""
        mouse, offsets = self.page.mouse, _to_and_fro()
        mouse.move(*start)
        mouse.down()
        found = self.frames(lambda: _shift(self.page, start, next(offsets)), seconds)
        _shift(self.page, start, 0)
        mouse.up()
        return found

    def fps_of_zoom(self, seconds: float) -> float:
        """Frames a second while the wheel turns in and out again."""
        self.page.mouse.move(*self.middle())
        turns = cycle([-40.0] * 20 + [40.0] * 20)
        return self.frames(lambda: self.page.mouse.wheel(0, next(turns)), seconds)

    def fit(self) -> None:
        """Show the whole pipeline."""
        self.page.get_by_test_id("canvas").focus()
        self.page.keyboard.press("f")
        self.page.wait_for_timeout(500)

    def zoom_to(self, zoom: float) -> None:
        """Turn the wheel until a node is that large, at least."""
        self.page.mouse.move(*self.middle())
        for _ in range(60):
            if self.page.evaluate("probe.zoom()") >= zoom:
                break
            self.page.mouse.wheel(0, -120)
            self.page.wait_for_timeout(30)
        self.page.wait_for_timeout(300)

    def middle(self) -> Point:
        """The middle of the canvas."""
        return self._box("canvas", 0.5, 0.5)

    def node_in_the_middle(self) -> tuple[str, Point]:
        """The node nearest to the middle of the canvas, and where its title is."""
        x, y = self.middle()
        found = self.page.evaluate(NEAREST_NODE, [x, y])
        return found["id"], (found["x"], found["y"])

    def ground(self) -> Point:
        """A place of the canvas with nothing on it."""
        x, y = self.middle()
        found = self.page.evaluate(GROUND, [x, y])
        return found["x"], found["y"]

    def heap_megabytes(self) -> float:
        """The memory that the page's own objects take, after what is garbage has gone."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("HeapProfiler.collectGarbage")
        found = session.send("Runtime.getHeapUsage")
        return float(found["usedSize"]) / 1e6

    def press(self, keys: str) -> None:
        self.page.keyboard.press(keys)

    def value(self, expression: str) -> Any:
        return self.page.evaluate(expression)

    def _box(self, test_id: str, across: float, down: float) -> Point:
        box = self.page.get_by_test_id(test_id).bounding_box()
        if box is None:
            raise BenchmarkError(f"{test_id} is not on the page. Open the page and look.")
        return box["x"] + across * box["width"], box["y"] + down * box["height"]


NEAREST_NODE = """([x, y]) => {
  const places = probe.places().map((box) => (
    {id: box.id, x: box.x + box.width / 2, y: box.y + box.height * 0.12 + 1}));
  const distance = (place) => Math.hypot(place.x - x, place.y - y);
  return places.sort((one, other) => distance(one) - distance(other))[0];
}"""
GROUND = """([x, y]) => {
  const root = probe.find('[data-testid="canvas"]').getRootNode();
  const nodes = probe.places();
  const isFree = (px, py) => nodes.every((box) => px < box.x - 2 || py < box.y - 2
    || px > box.x + box.width + 2 || py > box.y + box.height + 2);
  for (let away = 0; away < 300; away += 3)
    for (const [dx, dy] of [[0, away], [away, 0], [0, -away], [-away, 0], [away, away]])
      if (isFree(x + dx, y + dy)
          && root.elementFromPoint(x + dx, y + dy)?.classList.contains('react-flow__pane'))
        return {x: x + dx, y: y + dy};
  return {x, y};
}"""


def _to_and_fro() -> Iterator[float]:
    return cycle([*range(0, REACH, 4), *range(REACH, -REACH, -4), *range(-REACH, 0, 4)])


def _shift(page: Page, start: Point, offset: float) -> None:
    page.mouse.move(start[0] + offset, start[1] + offset / 2)
