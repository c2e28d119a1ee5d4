"""The pages in a real browser: open, import, delete and undo, survive a restart, stay at home."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from designer_app.editor.component import bundle
from pipelines.document import parse_document
from pipelines.runs import Runs
from pipelines.saved import SavedPipelines
from pipelines.workspace import Workspace
from tests import toy
from tests.app.documents import document, slow
from tests.app.test_serve import app

CHROMIUM = Path("/usr/bin/chromium")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Debian's Chromium"),
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with app(tmp_path_factory.mktemp("app")) as (_, port):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that may talk to this machine only."""
    foreign: list[str] = []
    local = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(color_scheme=request.param)
        context.on(
            "request", lambda each: None if each.url.startswith(local) else foreign.append(each.url)
        )
        page = context.new_page()
        page.set_default_timeout(30_000)
        yield page
        browser.close()
    assert foreign == []


def test_a_lesson_opens_in_the_editor(served: str, page: Page) -> None:
    page.goto(served)
    page.get_by_test_id("gallery-01-digits").click()
    page.wait_for_url("**/design?pipeline=01-digits*")
    if bundle() is None:
        expect(page.get_by_text("The editor is not built")).to_be_visible()
    else:
        expect(page.get_by_test_id("canvas")).to_be_visible()
        expect(page.get_by_test_id("node-train")).to_be_visible()
    page.goto(served)
    expect(page.get_by_test_id("recent-01-digits")).to_be_visible()


def test_a_file_is_opened_and_its_markup_is_text(served: str, page: Page) -> None:
    hostile = "<img src=x onerror=\"document.title='broken'\">"
    page.goto(served)
    page.get_by_text("Open a file").click()
    content = json.dumps(document("imported", name=hostile)).encode()
    file = {"name": "p.json", "mimeType": "application/json", "buffer": content}
    page.locator(".st-key-import-pipeline input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.locator(".st-key-import-open button").click()
    page.wait_for_url("**/design?pipeline=imported*")
    page.goto(served)
    expect(page.get_by_text(hostile).first).to_be_visible()
    assert "broken" not in page.title()


def test_deleting_can_be_undone(served: str, page: Page) -> None:
    page.goto(served)
    page.locator(".st-key-new-pipeline button").click()
    page.wait_for_url("**/design?pipeline=pipeline*")
    made = page.url.split("=")[1]
    page.goto(served)
    page.get_by_test_id(f"delete-{made}").click()
    expect(page.get_by_test_id(f"recent-{made}")).to_have_count(0)
    page.locator(".st-key-undo-delete button").click()
    expect(page.get_by_test_id(f"recent-{made}")).to_be_visible()


def test_the_other_pages_open_by_their_address(served: str, page: Page) -> None:
    for address, word in (("runs", "Runs"), ("data", "Data"), ("targets", "Compute targets")):
        page.goto(f"{served}/{address}")
        expect(page.get_by_role("heading", name=word, exact=True)).to_be_visible()


def test_a_run_is_seen_on_the_canvas(tmp_path: Path, page: Page) -> None:
    if bundle() is None:
        pytest.skip("needs the built editor: run `make editor`")
    workspace = Workspace.at(tmp_path / "workspace").make()
    toy.install(workspace.modules_dir)
    runs = Runs(workspace)
    made = SavedPipelines(runs.database, lambda: runs.catalog).create(parse_document(slow(0.5)))
    with app(tmp_path) as (_, port):
        page.goto(f"http://127.0.0.1:{port}/design?pipeline={made.pipeline_id}")
        page.get_by_test_id("submit").click()
        page.get_by_test_id("submit-confirm").click()
        for name in ("two", "nap"):
            status = page.get_by_test_id(f"node-status-{name}")
            expect(status).to_have_attribute("data-status", "completed", timeout=40_000)
    runs.stop_runner()
    runs.database.close()


def test_a_page_that_outlives_its_server_goes_on(tmp_path: Path, page: Page) -> None:
    if bundle() is None:
        pytest.skip("needs the built editor: run `make editor`")
    with app(tmp_path) as (process, port):
        page.goto(f"http://127.0.0.1:{port}")
        page.get_by_test_id("gallery-01-digits").click()
        page.get_by_test_id("node-split").click()
        process.send_signal(signal.SIGKILL)
        process.wait()
        page.get_by_test_id("node-split").press("Delete")
        page.wait_for_timeout(1500)
        with app(tmp_path, "--port", str(port)):
            saved = page.get_by_test_id("save-state")
            expect(saved).to_have_attribute("data-state", "saved", timeout=40_000)
            page.reload()
            expect(page.get_by_test_id("node-train")).to_be_visible()
            expect(page.get_by_test_id("node-split")).to_have_count(0)
