"""Header of a page: its title, purpose and primary action."""

from __future__ import annotations

import streamlit as st


def heading(title: str, about: str, *, action: str, key: str) -> bool:
    """Draw the header; return True if the action was just pressed."""
    st.title(title)
    said, offered = st.columns([5, 1], vertical_alignment="center")
    said.caption(about)
    return bool(offered.button(action, key=key, type="primary", width="stretch"))
