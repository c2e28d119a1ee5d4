"""A row of large figures: as wide as each needs, on further lines where the window is narrow."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from designer_app.ui.markdown import plain


def figures(shown: Mapping[str, str]) -> None:
    """Draw values by their names; no name and no value is cut."""
    with st.container(horizontal=True, gap="medium"):
        for name, value in shown.items():
            st.metric(plain(name), value, width="content")
