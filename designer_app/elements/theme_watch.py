"""Colors chosen by Python: they are recomputed when the user changes the theme."""

from __future__ import annotations

import streamlit as st

from designer_app.elements.element import element
from designer_app.ui.triggers import ignored


def redraw_in_another_theme(key: str) -> None:
    """Rerun the code of this part of the page when the theme changes."""
    drawn = {"theme": st.context.theme.type}
    element("theme_watch")(key=key, data=drawn, width="content", on_theme_change=ignored)
