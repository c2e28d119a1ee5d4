"""The page Environments: one is built and watched, cloned, refused, and its disk freed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.designer import Designer, choose


def test_one_is_built_while_its_log_is_watched_and_its_disk_freed(designer: Designer) -> None:
    page = designer.page
    page.goto(f"{designer.served.address}/environments")
    designer.at("entry-mpi@1").click()
    expect(page.get_by_role("heading", name="mpi@1", exact=True)).to_be_visible()
    designer.at("entry-designer@1").click()
    expect(page.get_by_role("heading", name="designer@1", exact=True)).to_be_visible()
    page.locator(".st-key-environment-build button").click()
    expect(page.get_by_text("Built", exact=True)).to_be_visible(timeout=300_000)
    expect(page.get_by_text("on disk, ")).to_be_visible()
    page.locator(".st-key-environment-verify button").click()
    expect(page.get_by_text("All files are unchanged.")).to_be_visible()
    page.locator(".st-key-environment-free button").click()
    expect(page.get_by_text("Not built yet")).to_be_visible()


@pytest.mark.full  # its problems: tests/pipelines/environments
def test_what_a_list_cannot_have_is_named_line_by_line(designer: Designer) -> None:
    page = designer.page
    page.goto(f"{designer.served.address}/environments")
    page.locator(".st-key-environment-clone button").click()
    page.locator(".st-key-environment-name input").fill("mine")
    page.locator(".st-key-environment-text textarea").fill("-r /etc/hostname\n./evil")
    page.locator(".st-key-environment-keep button").click()
    expect(page.get_by_text("Line 1 ('-r /etc/hostname') is an installer option")).to_be_visible()
    expect(page.get_by_text("Line 2 ('./evil') is a path")).to_be_visible()
    page.locator(".st-key-environment-name input").fill("designer")
    page.locator(".st-key-environment-keep button").click()
    expect(page.get_by_text("is reserved for a built-in environment")).to_be_visible()


@pytest.mark.full  # other fields keep theirs alike
def test_what_was_typed_is_there_when_another_base_was_looked_at(designer: Designer) -> None:
    page = designer.page
    page.goto(f"{designer.served.address}/environments")
    page.locator(".st-key-environment-new button").click()
    text, image = (page.locator(f".st-key-environment-{each}") for each in ("text", "image"))
    text.locator("textarea").fill("lightning>=2.6\ntensorboard")
    choose(page, "environment-base", "container image")
    image.locator("input").fill("localhost/mine:1")
    expect(text).to_be_hidden()
    choose(page, "environment-base", "isolated")
    expect(image).to_be_hidden()
    expect(text.locator("textarea")).to_have_value("lightning>=2.6\ntensorboard")
    choose(page, "environment-base", "container image")
    expect(image.locator("input")).to_have_value("localhost/mine:1")
