"""What a page keeps, as cards of which one is open: clicked or reached by keys, with its figure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import streamlit as st

from designer_app.elements.element import element


@dataclass(frozen=True)
class Entry:
    """One card; all is text. ``figure`` is what it is judged by, ``figure_name`` what that is."""

    id: str
    title: str
    text: str
    figure: str = ""
    figure_name: str = ""
    badges: tuple[str, ...] = ()


def chosen_entry(shown: Sequence[Entry], key: str, label: str) -> str:
    """Draw the cards; the id of the open one, which at first is the first.

    ``label`` names them for screen readers. Raises ``ValueError`` where there is nothing to draw.
    """
    if not shown:
        raise ValueError("No entries.")
    kept, known = f"{key}-open", [each.id for each in shown]
    if st.session_state.get(kept) not in known:
        st.session_state[kept] = known[0]

    def opened() -> None:
        st.session_state[kept] = st.session_state[key]["open"]

    element("entries")(
        key=key,
        data={
            "entries": json.dumps([asdict(each) for each in shown]),
            "open": st.session_state[kept],
            "label": label,
        },
        on_open_change=opened,
    )
    return str(st.session_state[kept])


def open_entry(key: str, entry_id: str) -> None:
    """Have this one open when they are drawn next."""
    st.session_state[f"{key}-open"] = entry_id
