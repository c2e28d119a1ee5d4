"""Cards with a picture that can be opened by mouse and keyboard, as one Streamlit element."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from designer_app.elements.element import element
from designer_app.ui.triggers import ignored


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
    facts: str = ""
    """In little, above the text: how long, how hard."""
    open_label: str = ""
    """Of a button that opens it, as a click on the card does."""


@dataclass(frozen=True)
class CardChoice:
    """The ids of the cards just opened or removed and of the replay to watch, if any."""

    opened: str | None
    removed: str | None
    watched: str | None


def cards(shown: Sequence[Card], key: str) -> CardChoice:
    """Draw the cards and tell what was done with them."""
    result = element("cards")(
        key=key,
        # as text: for a list, Streamlit would import pandas before the first page is there
        data={"cards": json.dumps([asdict(card) for card in shown])},
        on_open_change=ignored,
        on_remove_change=ignored,
        on_watch_change=ignored,
    )
    return CardChoice(result.open, result.remove, result.watch)
