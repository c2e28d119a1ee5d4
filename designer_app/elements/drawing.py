"""A drawing of our own making on a page: Streamlit's HTML takes no SVG."""

from __future__ import annotations

from designer_app.elements.element import element


def drawing(svg: str, key: str) -> None:
    """Show an SVG, of which every text of unknown origin was escaped where it was made."""
    element("drawing")(key=key, data={"svg": svg})
