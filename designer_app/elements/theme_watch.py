"""Colours that Python chooses: they are chosen anew where the reader changes the theme."""

from __future__ import annotations

import streamlit as st

from designer_app.elements.element import element
from designer_app.ui.triggers import ignored


def redraw_in_another_theme(key: str) -> None:
    """Run what draws this part of the page once more when the theme is another one."""
    drawn = {"theme": st.context.theme.type}
    element("theme_watch")(key=key, data=drawn, width="content", on_theme_change=ignored)
