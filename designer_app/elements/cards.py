"""Cards with an image, opened by mouse or keyboard, as one Streamlit element."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from designer_app.elements.element import element
from designer_app.ui.triggers import ignored


@dataclass(frozen=True)
class Card:
    """Content of a card. ``picture`` is SVG that we generate; everything else is text."""

    id: str
    test_id: str
    title: str
    text: str
    picture: str
    number: str = ""
    removable: bool = False
    watch: str = ""
    """Id of a replay that a button of the card plays."""
    facts: str = ""
    """Small print above the text: duration, difficulty."""
    open_label: str = ""
    """Label of the button that opens the card, as a click on the card does."""
    badge: str = ""
    """Status, such as ``running``."""
    figure: str = ""
    """Result, such as ``98.1 %``, with its name."""
    figure_name: str = ""


@dataclass(frozen=True)
class CardChoice:
    """Ids of the cards just opened or removed and of the replay to play, if any."""

    opened: str | None
    removed: str | None
    watched: str | None


def cards(shown: Sequence[Card], key: str) -> CardChoice:
    """Draw the cards and return the user's action."""
    result = element("cards")(
        key=key,
        # as text: for a list, Streamlit would import pandas before the first page is drawn
        data={"cards": json.dumps([asdict(card) for card in shown])},
        on_open_change=ignored,
        on_remove_change=ignored,
        on_watch_change=ignored,
    )
    return CardChoice(result.open, result.remove, result.watch)
