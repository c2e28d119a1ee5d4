"""How a browser gets in: by the file that the app opens, by typing, and again later."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from designer_app.server.page_shell import SCREENS
from tests.browser.designer import SOON, Designer
from tests.browser.lessons import lesson_with
from tests.browser.served import ROOT, Served
from tests.browser.watch import Watch
from tests.polling import wait_for

pytestmark = pytest.mark.browser

SHUT = r"401 \(Unauthorized\)"
"""What the browser itself says of a page that asks for the code."""


@pytest.fixture
def context(unadmitted_context: BrowserContext) -> BrowserContext:
    """A browser profile that nobody has let in."""
    return unadmitted_context


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def code_of(served: Served) -> str:
    return served.entrance.partition("code=")[2]


def is_home(page: Page) -> None:
    expect(page.get_by_test_id("watch-01-digits")).to_be_visible(timeout=SOON)


def test_the_browser_that_the_app_opens_is_in(page: Page, tmp_path: Path) -> None:
    """A command in the place of the browser notes how it was called and what it could read."""
    called = tmp_path / "called"
    browser = tmp_path / "browser"
    browser.write_text(
        f'#!/bin/sh\ncp "$(echo "$1" | sed s,^file://,,)" {tmp_path}/opened.html\n'
        f'echo "$#" "$1" > {called}.new\nmv {called}.new {called}\n'
    )
    browser.chmod(0o700)
    command = [sys.executable, "-m", "designer_app.command", "app", "--workspace", "workspace"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "BROWSER": f"{browser} %s"}
    with (tmp_path / "out.txt").open("w") as out:
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=out)
    try:
        number, address = wait_for(lambda: called.read_text().split() if called.exists() else [])
        line = (tmp_path / "out.txt").read_text().splitlines()[0]
        code = line.partition("code=")[2]
        assert (number, urlparse(address).scheme) == ("1", "file")
        assert code not in address
        referers: list[str] = []
        page.on("request", lambda each: referers.append(each.headers.get("referer", "")))
        page.goto((tmp_path / "opened.html").as_uri())
        is_home(page)
        assert page.url == line.partition(": ")[2].partition("?")[0]
        assert [each for each in referers if "code" in each] == []
        wait_for(lambda: not Path(unquote(urlparse(address).path)).exists())
        page.go_back()
        expect(page).not_to_have_url("*code=*")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=120)


@pytest.mark.journey
def test_the_code_is_typed_and_the_page_that_was_asked_for_comes(
    page: Page, served: Served, watch: Watch
) -> None:
    watch.forgive(SHUT)
    page.goto(f"{served.address}/runs?q=1")
    expect(page.get_by_role("heading")).to_have_text("Enter the code from the terminal")
    page.get_by_label("Code").fill("not the code")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_contain_text("Wrong code.")
    page.get_by_label("Code").fill(code_of(served).upper())
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Runs", exact=True)).to_be_visible(timeout=SOON)
    assert page.url == f"{served.address}/runs?q=1"


def test_a_link_from_elsewhere_opens_the_page(
    page: Page, served: Served, watch: Watch, tmp_path: Path
) -> None:
    watch.forgive(SHUT)  # the first request comes without the strict cookie
    page.goto(served.entrance)
    is_home(page)
    mail = tmp_path / "mail.html"
    mail.write_text(f'<a href="{served.address}/data">the data</a>')
    page.goto(mail.as_uri())
    page.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible(timeout=SOON)


def test_with_the_cookie_gone_an_edit_waits_for_the_code_in_another_tab(
    context: BrowserContext, served: Served, watch: Watch
) -> None:
    watch.forgive(SHUT, r"WebSocket", r"Client Error", r"not responding")
    designer = Designer(context.new_page(), served)
    designer.open_in_app(lesson_with(["import"]))
    context.clear_cookies()
    designer.at("palette-densenet").dblclick()
    expect(designer.at("save-state")).to_have_attribute("data-state", "offline")
    expect(designer.at("notice").first).to_contain_text("enter the code from the terminal")
    other = context.new_page()
    other.goto(served.address)
    other.get_by_label("Code").fill(code_of(served))
    other.get_by_role("button", name="Open").click()
    is_home(other)
    expect(designer.at("save-state")).to_have_attribute("data-state", "saved", timeout=SOON)
    assert len(designer.is_saved().nodes) == 2


@pytest.mark.full  # the watch of test_accessibility sees every screen too
@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_keeps_to_its_policy(
    context: BrowserContext, served: Served, screen: str
) -> None:
    """The watch tells what the browser refused to load; nothing else of a page may run."""
    served.admit(context)
    page = context.new_page()
    page.goto(f"{served.address}/{screen}")
    expect(page.get_by_test_id("stTopNavLink").first).to_be_visible(timeout=SOON)
    main = page.get_by_test_id("stMain")
    expect(main.get_by_role("heading").or_(main.get_by_role("link")).first).to_be_visible()
    page.wait_for_load_state("networkidle")


def test_a_script_that_came_in_with_data_does_not_run(
    context: BrowserContext, served: Served, watch: Watch
) -> None:
    watch.forgive(r"Content Security Policy")
    served.admit(context)
    page = context.new_page()
    page.goto(served.address)
    is_home(page)
    ran = page.evaluate("""() => new Promise((done) => {
      addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
      document.body.append(
        Object.assign(document.createElement("script"), { textContent: "window.ran = 1" }),
      );
      setTimeout(() => done(window.ran), 5000);
    })""")
    assert ran == "script-src-elem"
