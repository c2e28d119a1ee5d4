"""The theme switch: every page follows it at once and remembers it; nothing is reloaded or lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.axe import SHOWN_IN
from tests.browser.designer import Designer, at_rest
from tests.browser.layout_shifts import MOST_SHIFT, SHIFTS
from tests.browser.served import Served
from tests.browser.toy_runs import BUSY

pytestmark = pytest.mark.browser


def choose_theme(page: Page, name: str) -> None:
    page.locator("#theme-switch button").click()
    page.get_by_role("radio", name=name, exact=True).click()
    expect(page.locator("#theme-choices")).to_be_hidden()


def is_shown(page: Page, theme: str) -> None:
    """Wait for Streamlit, the editor and what is outside both to have the theme."""
    page.wait_for_function(SHOWN_IN, arg=theme)
    root = "getComputedStyle(document.documentElement).colorScheme"
    assert page.evaluate(root) == theme


def test_the_editor_and_streamlit_follow_at_once_and_keep_what_was_edited(
    designer: Designer,
) -> None:
    page = designer.page
    page.emulate_media(color_scheme="light")
    page.add_init_script(SHIFTS)
    designer.open_in_app(BUSY)
    at_rest(page)
    designer.select("two")
    field = designer.at("param-value")
    field.fill("43")  # not left yet: not saved either
    page.evaluate("window.kept = true; window.shifts = []")
    for name, theme in (("Dark", "dark"), ("Light", "light"), ("Dark", "dark")):
        choose_theme(page, name)
        is_shown(page, theme)
        expect(page.locator("#theme-switch button")).to_have_accessible_name(f"Theme: {name}")
    assert page.evaluate("window.kept")
    expect(field).to_have_value("43")
    assert sum(value for value, *_ in page.evaluate("window.shifts")) < MOST_SHIFT
    page.reload()
    expect(designer.at("canvas")).to_be_visible()
    is_shown(page, "dark")
    page.goto(f"{designer.served.address}/camera")
    expect(page.locator("#theme-switch button")).to_have_accessible_name("Theme: Dark")
    is_shown(page, "dark")


def test_other_tabs_follow_and_system_follows_the_system(
    context: BrowserContext, served: Served
) -> None:
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.emulate_media(color_scheme="dark")
        page.goto(f"{served.address}/help")
        expect(page.get_by_role("heading", name="Help")).to_be_visible()
        is_shown(page, "dark")
    choose_theme(first, "Light")
    for page in (first, second):
        is_shown(page, "light")
    choose_theme(second, "System")
    for page in (first, second):
        is_shown(page, "dark")
        page.emulate_media(color_scheme="light")
        is_shown(page, "light")


def test_the_keyboard_chooses_a_theme(context: BrowserContext, served: Served) -> None:
    page = context.new_page()
    page.emulate_media(color_scheme="light")
    page.goto(f"{served.address}/help")
    expect(page.get_by_role("heading", name="Help")).to_be_visible()
    button = page.locator("#theme-switch button")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="System")).to_be_focused()
    page.keyboard.press("ArrowUp")  # from the first to the last
    is_shown(page, "dark")
    page.keyboard.press("Escape")
    expect(page.locator("#theme-choices")).to_be_hidden()
    expect(button).to_be_focused()


def test_a_theme_chosen_in_another_streamlit_app_does_not_stay(
    context: BrowserContext, served: Served
) -> None:
    page = context.new_page()
    page.emulate_media(color_scheme="light")
    page.add_init_script("localStorage.setItem('stActiveTheme-/help-v2', '\"Dark\"')")
    page.goto(f"{served.address}/help")
    expect(page.get_by_role("heading", name="Help")).to_be_visible()
    is_shown(page, "light")
