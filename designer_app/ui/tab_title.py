"""Title of the browser tab, different for each page."""

from __future__ import annotations

import streamlit as st

APP = "Pipeline Designer"


def tab_title(*parts: str) -> None:
    """Return ``98.3 % · epochs 4 → 8 · Pipeline Designer``, without empty parts."""
    st.set_page_config(page_title=" · ".join([*filter(None, parts), APP]))
