"""Row of large figures, each as wide as needed; in a narrow window they wrap."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from designer_app.ui.markdown import plain


def figures(shown: Mapping[str, str]) -> None:
    """Draw values with their names; names and values are never truncated."""
    with st.container(horizontal=True, gap="medium"):
        for name, value in shown.items():
            st.metric(plain(name), value, width="content")
