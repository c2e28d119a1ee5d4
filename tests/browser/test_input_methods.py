"""Words written by an input method: its Enter ends a word, its Escape gives one up, and no more."""

from __future__ import annotations

import pytest
from playwright.sync_api import CDPSession, expect

from tests.browser.designer import Designer
from tests.designer_app.documents import document, node

pytestmark = pytest.mark.browser

TAKEN = 229
"""The key code by which browsers tell a key that the input method takes."""


@pytest.fixture
def keyboard(designer: Designer) -> CDPSession:
    designer.open(document("written", name="Written", nodes=[node("two", "constant")], links=[]))
    return designer.page.context.new_cdp_session(designer.page)


def compose(keyboard: CDPSession, text: str, key: str) -> None:
    """Write a word that has not ended, and press a key in it."""
    word = {"text": text, "selectionStart": len(text), "selectionEnd": len(text)}
    keyboard.send("Input.imeSetComposition", word)
    pressed = {"type": "rawKeyDown", "key": key, "code": key, "windowsVirtualKeyCode": TAKEN}
    keyboard.send("Input.dispatchKeyEvent", pressed)


def end(keyboard: CDPSession, word: str) -> None:
    keyboard.send("Input.insertText", {"text": word})


def test_the_enter_that_ends_a_word_chooses_no_module(
    designer: Designer, keyboard: CDPSession
) -> None:
    designer.at("canvas").focus()
    designer.press("Tab")
    field = designer.at("module-search-input")
    expect(field).to_be_focused()
    compose(keyboard, "add", "Enter")
    expect(field).to_have_value("add")
    expect(designer.nodes()).to_have_count(1)
    end(keyboard, "add")
    designer.press("Enter")
    expect(field).to_have_count(0)
    expect(designer.nodes()).to_have_count(2)


@pytest.mark.parametrize("key", ["Enter", "Escape"])
def test_a_name_is_written_on_after_each_word(
    designer: Designer, keyboard: CDPSession, key: str
) -> None:
    designer.select("two")
    designer.press("F2")
    field = designer.page.get_by_label("Node name", exact=True)
    expect(field).to_be_focused()
    compose(keyboard, "二", key)
    expect(field).to_be_focused()
    end(keyboard, "二")
    designer.press("Enter")
    expect(field).to_have_count(0)
    expect(designer.node("two").locator(".pd-node-title")).to_have_text("二")
    name = designer.at("pipeline-name")
    name.focus()
    compose(keyboard, "名", key)
    expect(name).to_be_focused()


def test_a_word_that_is_given_up_clears_no_search(designer: Designer, keyboard: CDPSession) -> None:
    field = designer.at("palette-search")
    field.focus()
    compose(keyboard, "add", "Escape")
    expect(field).to_be_focused()
    expect(field).to_have_value("add")
