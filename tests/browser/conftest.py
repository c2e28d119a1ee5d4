"""A real Chromium before a real server. A page that complains or calls abroad fails its test."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    expect,
    sync_playwright,
)
from playwright.sync_api import Error as PlaywrightError

from designer_app.editor.static_files import bundle
from pipelines.execution.runner_lock import announce, try_lock
from tests.browser.chromium import ARGUMENTS, CHROMIUM
from tests.browser.designer import SOON, Designer
from tests.browser.served import Served
from tests.browser.toy_runs import BUSY
from tests.browser.watch import Watch
from tests.pipelines.inspection.runs import everything, run_everything
from tests.polling import wait_for

expect.set_options(timeout=SOON)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium with a fresh profile."""
    with chromium() as made:
        yield made


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser for as long as the block runs; a process has room for one at a time."""
    required = os.environ.get("REQUIRE_BROWSER") == "1"
    if not CHROMIUM.exists():
        reason = f"needs Debian's Chromium at {CHROMIUM}: apt-get install chromium"
        pytest.fail(reason) if required else pytest.skip(reason)
    if bundle() is None:
        pytest.fail("The editor is not built: run `make editor`.")
    with sync_playwright() as playwright:
        arguments = [*ARGUMENTS, "--process-per-site"]  # what one page has compiled serves all
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    """The one server of these tests, with toy modules; it and its runner end with them."""
    request.getfixturevalue("browser")  # without one the tests are skipped, and no server starts
    with tempfile.TemporaryDirectory(prefix="designer-") as folder, running(folder) as made:
        yield made


@pytest.fixture(scope="package")
def failed_run(served: Served) -> tuple[str, str]:
    """A pipeline and its run that failed. Tests share it: they look at it and change nothing."""
    return served.run(BUSY)


@pytest.fixture(scope="package")
def everything_run(served: Served) -> tuple[str, str]:
    """A pipeline and its run with an output of every type. Tests share it as `failed_run`."""
    folder = served.folder / "everything"
    pipeline_id = served.create(everything(folder / "pictures"))
    return pipeline_id, run_everything(served.runs, folder, pipeline_id)


@pytest.fixture
def alone(served: Served) -> Iterator[Served]:
    """No runner takes up what a test writes down of runs by itself."""
    served.runs.runner.stop()
    lock = wait_for(lambda: try_lock(served.workspace.runner_lock_path))
    announce(served.workspace)
    yield served
    lock.close()


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


@pytest.fixture(scope="package")
def warm_context(browser: Browser, served: Served) -> Iterator[BrowserContext]:
    """A browser profile for test after test: its first page keeps the site's process running."""
    made = new_context(browser)
    served.admit(made)
    made.add_init_script("try { localStorage.setItem('pd-tour-offered', 'yes') } catch {}")
    made.new_page().goto(f"{served.address}/favicon.png")
    yield made
    made.close()


@pytest.fixture
def unadmitted_context(
    warm_context: BrowserContext, served: Served, watch: Watch
) -> Iterator[BrowserContext]:
    """The profile without anything that a test before has left, which nobody has let in."""
    first = warm_context.pages[0]
    sweep(warm_context, first, served)
    watch.attach(warm_context)
    yield warm_context
    for page in warm_context.pages:
        if page is not first:
            page.close()
    watch.detach(warm_context)


@pytest.fixture
def context(unadmitted_context: BrowserContext, served: Served) -> BrowserContext:
    """The profile, swept, that the server lets in."""
    unadmitted_context.grant_permissions(["clipboard-read", "clipboard-write"])
    served.admit(unadmitted_context)
    return unadmitted_context


@pytest.fixture
def first_visit(browser: Browser, watch: Watch, served: Served) -> Iterator[BrowserContext]:
    """A profile that has not seen the designer before, for what costs at the first time."""
    made = new_context(browser)
    watch.attach(made)
    served.admit(made)
    yield made
    made.close()


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """A browser profile whose window is 1440x900, or as the options of Playwright say."""
    made = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
    made.set_default_timeout(SOON)
    return made


def sweep(context: BrowserContext, page: Page, served: Served) -> None:
    """Take away what pages have stored and what they were allowed; caches stay."""
    context.clear_cookies()
    context.clear_permissions()
    session = context.new_cdp_session(page)
    stored = {"origin": served.address, "storageTypes": "local_storage,indexeddb,service_workers"}
    session.send("Storage.clearDataForOrigin", stored)
    session.detach()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With a test that failed, what its pages showed: what a slow machine does happens once."""
    report = yield
    context = getattr(item, "funcargs", {}).get("warm_context")
    if report.when == "call" and report.failed and context is not None:
        report.sections.extend(map(shown, context.pages[1:]))
    return report


def shown(page: Page) -> tuple[str, str]:
    """The title and the text of a section of a report."""
    try:
        text = page.locator("body").aria_snapshot(timeout=5_000)
    except PlaywrightError as error:
        text = str(error)
    return f"the page {page.url}", text


@pytest.fixture
def designer(context: BrowserContext, served: Served) -> Designer:
    """A page that knows its way about the editor."""
    if served.process is None:  # a test that failed has left it so
        served.start()
    return Designer(context.new_page(), served)
