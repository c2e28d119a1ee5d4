"""Colours that Python chooses: they are chosen anew where the reader changes the theme."""

from __future__ import annotations

from designer_app.elements.element import element
from designer_app.ui.triggers import ignored


def redraw_in_another_theme(key: str) -> None:
    """Run what draws this part of the page once more when the theme is another one."""
    element("theme_watch")(key=key, width="content", on_theme_change=ignored)
