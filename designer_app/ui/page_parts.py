"""Parts that every page may have: tab title, header, empty state, figures, columns of counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

import streamlit as st

from designer_app.ui.markdown import plain

APP = "Pipeline Designer"
ROW_PIXELS, MAX_PIXELS = 31, 350
"""Height of a row of ``st.dataframe``, and of a table above which it scrolls."""


def tab_title(*parts: str) -> None:
    """Set the title, such as ``98.3 % · epochs 4 → 8 · Pipeline Designer``, without empty parts."""
    st.set_page_config(page_title=" · ".join([*filter(None, parts), APP]))


def heading(
    title: str,
    about: str,
    *,
    action: str = "",
    key: str | None = None,
    kind: Literal["primary", "secondary"] = "primary",
) -> bool:
    """Draw the header; return True if the action was just pressed.

    Args:
        title: Title of the page.
        about: Its purpose.
        action: Label of its button; none on an empty page, whose button is below the header.
        key: Key of the button.
        kind: ``secondary`` if a button for what is shown below is the primary one.
    """
    st.title(title)
    if not action:
        st.caption(about)
        return False
    row = None if key is None else f"heading-{key}"
    with st.container(horizontal=True, vertical_alignment="center", key=row):
        st.caption(about)
        return bool(st.button(action, key=key, type=kind))


def nothing_here(title: str, text: str, *, action: str, key: str) -> bool:
    """Draw it; ``text`` is Markdown. Returns True if the action was just pressed."""
    with st.container(border=True, key=f"{key}-nothing"):
        st.subheader(title)
        st.write(text)
        return bool(st.button(action, key=key, type="primary"))


@contextmanager
def room_for_table(key: str, num_rows: int, row_pixels: int = ROW_PIXELS) -> Iterator[None]:
    """Give a table its height before it is loaded, so that nothing below it moves."""
    pixels = min(ROW_PIXELS + row_pixels * num_rows, MAX_PIXELS)
    st.html(f"<style>.st-key-{key}-room {{ min-height: {pixels}px; }}</style>")
    with st.container(key=f"{key}-room"):
        yield


def figures(
    shown: Mapping[str, str], key: str, *, help: Mapping[str, str | None] | None = None
) -> None:
    """Draw values with their names; names and values are never truncated.

    Args:
        shown: Values by name.
        key: Identifies them on the page: on a phone they have places of a fixed size (``styles``).
        help: Texts behind a question mark, by name.
    """
    with st.container(horizontal=True, gap="medium", key=f"figures-{key}"):
        for name, value in shown.items():
            text = (help or {}).get(name)
            st.metric(plain(name), value, help=plain(text) if text else None, width="content")


def counts(*names: str) -> dict[str, Any]:
    """Return columns of counts, formatted as everywhere else: ``2,062``."""
    return dict.fromkeys(names, st.column_config.NumberColumn(format="%,d"))
