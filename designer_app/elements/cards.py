"""Cards with a picture that can be opened by mouse and keyboard, as one Streamlit element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import streamlit as st

from designer_app.elements import text_of


@dataclass(frozen=True)
class Card:
    """What a card shows. ``picture`` is SVG of our own making; all else is text."""

    id: str
    test_id: str
    title: str
    text: str
    picture: str
    number: str = ""
    removable: bool = False
    watch: str = ""
    """The id of a replay that a button of the card plays."""


@dataclass(frozen=True)
class Choice:
    """The ids of the cards just opened or removed and of the replay to watch, if any."""

    opened: str | None
    removed: str | None
    watched: str | None


def cards(shown: Sequence[Card], key: str) -> Choice:
    """Draw the cards and tell what was done with them."""
    result = _component()(
        key=key,
        data={"cards": [asdict(card) for card in shown]},
        on_open_change=_nothing,
        on_remove_change=_nothing,
        on_watch_change=_nothing,
    )
    return Choice(result.open, result.remove, result.watch)


@cache
def _component() -> Any:
    return st.components.v2.component(
        "designer_cards", css=text_of("cards.css"), js=text_of("cards.js"), isolate_styles=True
    )


def _nothing() -> None:
    """Streamlit hands out a trigger's value only where there is a callback."""
