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
    if not shown:
        raise ValueError("No entries.")
    kept, known = f"{key}-open", [entry.id for entry in shown]
    if st.session_state.get(kept) not in known:
        st.session_state[kept] = known[0]

    def opened() -> None:
        st.session_state[kept] = st.session_state[key]["open"]

    element("entries")(
        key=key,
        data={
            "entries": json.dumps([asdict(entry) for entry in shown]),
            "open": st.session_state[kept],
            "label": label,
        },
        on_open_change=opened,
    )
    return str(st.session_state[kept])


def open_entry(key: str, entry_id: str) -> None:
    """Open a card when the cards are drawn next."""
    st.session_state[f"{key}-open"] = entry_id
