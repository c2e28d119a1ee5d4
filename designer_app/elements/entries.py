"""List of cards with one open card, for mouse and keyboard; each shows its primary metric."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import streamlit as st

from designer_app.elements.element import element


@dataclass(frozen=True)
class Entry:
    """One card; all fields are text.

    ``figure`` is its primary metric, ``figure_name`` the metric's name.
    """

    id: str
    title: str
    text: str
    figure: str = ""
    figure_name: str = ""
    badges: tuple[str, ...] = ()


def chosen_entry(shown: Sequence[Entry], key: str, label: str) -> str:
    """Draw the cards; return the id of the open one, initially the first.

    ``label`` names the list for screen readers. Raises ``ValueError`` if there are no cards.
    """
    is_open = opened_entry([entry.id for entry in shown], key)

    def opened() -> None:
        open_entry(key, st.session_state[key]["open"])

    element("entries")(
        key=key,
        data={
            "entries": json.dumps([asdict(entry) for entry in shown]),
            "open": is_open,
            "label": label,
        },
        on_open_change=opened,
    )
    return is_open


def opened_entry(entry_ids: Sequence[str], key: str) -> str:
    """Return the id of the open card, initially the first. Raises ``ValueError`` for no ids."""
    if not entry_ids:
        raise ValueError("No entries.")
    if st.session_state.get(f"{key}-open") not in entry_ids:
        open_entry(key, entry_ids[0])
    return str(st.session_state[f"{key}-open"])


def open_entry(key: str, entry_id: str) -> None:
    """Open a card when the cards are drawn next."""
    st.session_state[f"{key}-open"] = entry_id
