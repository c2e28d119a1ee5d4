"""What the browser's tab is called, so that several of them can be told apart."""

from __future__ import annotations

import streamlit as st

APP = "Pipeline Designer"


def tab_title(*parts: str) -> None:
    """``98.3 % · epochs 4 → 8 · Pipeline Designer``; what is empty is left out."""
    st.set_page_config(page_title=" · ".join([*filter(None, parts), APP]))
