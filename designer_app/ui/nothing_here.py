"""Empty state of a page: its purpose and a first action."""

from __future__ import annotations

import streamlit as st


def nothing_here(title: str, text: str, *, action: str, key: str) -> bool:
    """Draw it; ``text`` is Markdown. Returns True if the action was just pressed."""
    with st.container(border=True, key=f"{key}-nothing"):
        st.subheader(title)
        st.write(text)
        return bool(st.button(action, key=key, type="primary"))
