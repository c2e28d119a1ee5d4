"""The editor's page as a user handles it: by mouse and by keys, found by test ids."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from pipelines.document.document import PipelineDocument
from tests.browser.served import Served

Point = tuple[float, float]

SOON = 120_000
"""Milliseconds that anything on a page may take: long enough for a slow and busy machine."""
TORCH = 300_000
"""The same of what waits until torch is loaded, as the first forecast does."""


def at_rest(page: Page) -> None:
    """Wait until Streamlit draws nothing more."""
    rest = ("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stApp")).to_have_attribute(*rest, timeout=SOON)


def choose(page: Page, key: str, option: str) -> None:
    """Choose an option of the select box of Streamlit that has the key."""
    page.locator(f".st-key-{key} input").click()
    page.get_by_role("option", name=option, exact=True).click()


class Designer:
    """One page and what is done on it."""

    def __init__(self, page: Page, served: Served) -> None:
        served.admit(page.context)
        self.page = page
        self.served = served
        self.pipeline_id = ""

    def open(self, document: dict[str, Any]) -> None:
        """Save a document as a new pipeline and open it on the standalone page."""
        self.visit(self.served.create(document))

    def visit(self, pipeline_id: str, run_id: str | None = None) -> None:
        """Open a saved pipeline with its newest run, or that one, on the standalone page."""
        self._go(self.served.standalone(pipeline_id), pipeline_id, run_id)

    def open_in_app(self, document: dict[str, Any]) -> None:
        """Do the same on the Design page of the app: for tests about what Streamlit does there."""
        self.visit_in_app(self.served.create(document))

    def visit_in_app(self, pipeline_id: str, run_id: str | None = None) -> None:
        """Open a saved pipeline on the Design page of the app."""
        self._go(self.served.design(pipeline_id), pipeline_id, run_id)

    def _go(self, address: str, pipeline_id: str, run_id: str | None) -> None:
        self.pipeline_id = pipeline_id
        self.page.goto(address if run_id is None else f"{address}&run={run_id}")
        expect(self.at("canvas")).to_be_visible()

    def at(self, test_id: str) -> Locator:
        return self.page.get_by_test_id(test_id)

    def node(self, node_id: str) -> Locator:
        return self.at(f"node-{node_id}")

    def nodes(self) -> Locator:
        """Every module on the canvas that is in view."""
        return self.page.locator(".react-flow__node-module")

    def wires(self) -> Locator:
        return self.page.locator(".react-flow__edge")

    def box(self, locator: Locator) -> FloatRect:
        """Where something is, in pixels of the window."""
        found = locator.bounding_box()
        assert found is not None, f"{locator} is not on the page"
        return found

    def resting(self, locator: Locator) -> FloatRect:
        """Where something is once it is in view and moves no more."""
        expect(locator).to_be_visible()
        before, now = None, self.box(locator)
        while now != before:
            self.page.wait_for_timeout(60)
            before, now = now, self.box(locator)
        return now

    def middle(self, locator: Locator) -> Point:
        """Of something at rest: what is pressed there would be missed otherwise."""
        box = self.resting(locator)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(
        self, start: tuple[float, float], end: tuple[float, float], *, drop: bool = True
    ) -> None:
        """Press, move in steps, and let go unless ``drop`` is false."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(start[0] + 8, start[1] + 8, steps=2)
        mouse.move(*end, steps=8)
        self.page.wait_for_timeout(40)  # a hand rests before it lets go
        if drop:
            mouse.up()

    def drag_in(self, module: str, x: float, y: float) -> None:
        """Drag a module from the palette to a place on the canvas."""
        item = self.at(f"palette-{module}")
        item.scroll_into_view_if_needed()
        canvas = self.box(self.at("canvas"))
        self.drag(self.middle(item), (canvas["x"] + x, canvas["y"] + y))

    def wire(self, source: str, target: str) -> None:
        """Draw a wire, from ``node-out-port`` to ``node-in-port``."""
        start, end = self.at(f"port-{source}"), self.at(f"port-{target}")
        self.drag(self.middle(start), self.middle(end))

    def drop_files(self, locator: Locator, *paths: Path) -> None:
        """Drop files or folders of this machine on something, as from a file manager."""
        x, y = self.middle(locator)
        session = self.page.context.new_cdp_session(self.page)
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        # the page's answer to the first dragOver may come late, and a drop before it is lost
        for kind in ("dragEnter", "dragOver", "dragOver", "drop"):
            session.send("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})
        session.detach()

    def look(self, port: str) -> Locator:
        """Click an output port on a page of the app; return the dialog that opens."""
        self.at(f"port-{port}").click()
        dialog = self.page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        return dialog

    def choose(self, item: str) -> None:
        """Take an item of the bar's menu."""
        self.at("more").click()
        self.at(f"menu-{item}").click()

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait for what is not to be seen on the page."""
        for _ in range(SOON // 100):
            if holds():
                return
            self.page.wait_for_timeout(100)
        pytest.fail("It did not come about.")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def clipboard(self) -> str:
        """The text in the browser's clipboard."""
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    def select(self, *node_ids: str) -> None:
        """Click a node's title once it rests, and the others with Shift."""
        for place, node_id in enumerate(node_ids):
            title = self.node(node_id).locator(".pd-node-title")
            self.resting(title)
            title.click(modifiers=["Shift"] if place else [])

    def fill(self, parameter: str, text: str) -> None:
        """Type into a parameter of the selected node and leave the field."""
        field = self.at(f"param-{parameter}")
        field.fill(text)
        field.blur()

    def is_saved(self) -> PipelineDocument:
        """Wait until the page says that all is saved; what the server has then."""
        expect(self.at("save-state")).to_have_attribute("data-state", "saved")
        return self.served.document(self.pipeline_id)

    def undo(self) -> None:
        self.at("undo").click()

    def submit(self) -> None:
        """Run the whole pipeline."""
        self.at("submit").click()
        self.at("submit-confirm").click()

    def status(self, node_id: str) -> Locator:
        return self.at(f"node-status-{node_id}")

    def has_status(self, node_id: str, status: str, timeout: float = 300_000) -> None:
        """Wait for the status of a node."""
        expect(self.status(node_id)).to_have_attribute("data-status", status, timeout=timeout)
