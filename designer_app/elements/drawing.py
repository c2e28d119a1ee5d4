"""A drawing of our own making on a page: Streamlit's HTML takes no SVG."""

from __future__ import annotations

from functools import cache
from typing import Any

import streamlit as st

from designer_app.elements import text_of


def drawing(svg: str, key: str) -> None:
    """Show an SVG, of which every text of unknown origin was escaped where it was made."""
    _component()(key=key, data={"svg": svg})


@cache
def _component() -> Any:
    return st.components.v2.component(
        "designer_drawing",
        js=text_of("drawing.js"),
        css=text_of("drawing.css"),
        isolate_styles=True,
    )
