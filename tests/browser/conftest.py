"""A real Chromium before a real server. A page that complains or calls abroad fails its test."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Request,
    expect,
    sync_playwright,
)

from designer_app.editor.static_files import bundle
from tests.browser.chromium import ARGUMENTS, CHROMIUM
from tests.browser.designer import SOON, Designer
from tests.browser.served import Served

expect.set_options(timeout=SOON)
HERE = re.compile(r"(https?|wss?)://127\.0\.0\.1[:/]|data:|blob:|about:|file:")


@dataclass
class Watch:
    """What pages said on their console, and whom they called."""

    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    def forgive(self, *patterns: str) -> None:
        """Complaints that a test brings about, such as those of a server that is gone."""
        self.forgiven.extend(patterns)

    def attach(self, context: BrowserContext) -> None:
        context.on("request", self._on_request)
        context.on("console", self._on_console)
        context.on("weberror", lambda each: self._on_error(each.error))

    def verdict(self) -> list[str]:
        """Everything that should not have happened."""
        unforgiven = [
            each
            for each in self.complaints
            if not any(re.search(pattern, each) for pattern in self.forgiven)
        ]
        return unforgiven + [f"left the machine: {each}" for each in self.foreign]

    def _on_request(self, request: Request) -> None:
        if not HERE.match(request.url):
            self.foreign.append(request.url)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def _on_error(self, error: Error) -> None:
        self.complaints.append(f"{error.message}\n{error.stack or ''}")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium with a fresh profile."""
    required = os.environ.get("REQUIRE_BROWSER") == "1"
    if not CHROMIUM.exists():
        reason = f"needs Debian's Chromium at {CHROMIUM}: apt-get install chromium"
        pytest.fail(reason) if required else pytest.skip(reason)
    if bundle() is None:
        pytest.fail("The editor is not built: run `make editor`.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    """The one server of these tests, with toy modules; it and its runner end with them."""
    request.getfixturevalue("browser")  # without one the tests are skipped, and no server starts
    with tempfile.TemporaryDirectory(prefix="designer-") as folder, running(folder) as made:
        yield made


@contextmanager
def running(folder: str, *, toys: bool = True) -> Iterator[Served]:
    """A server on a workspace of its own for as long as the block runs."""
    made = Served(Path(folder), toys=toys)
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture
def watch() -> Iterator[Watch]:
    """What the pages of a test did; the test fails where they should not have."""
    made = Watch()
    yield made
    assert made.verdict() == []


@pytest.fixture
def context(browser: Browser, watch: Watch, served: Served) -> Iterator[BrowserContext]:
    """A browser profile of this test alone, at 1440x900, that the server lets in."""
    made = browser.new_context(viewport={"width": 1440, "height": 900})
    made.set_default_timeout(SOON)
    made.grant_permissions(["clipboard-read", "clipboard-write"])
    watch.attach(made)
    served.admit(made)
    yield made
    made.close()


@pytest.fixture
def designer(context: BrowserContext, served: Served) -> Designer:
    """A page that knows its way about the editor."""
    if served.process is None:  # a test that failed has left it so
        served.start()
    return Designer(context.new_page(), served)
