"""SVG drawings on a page: Streamlit's HTML accepts no SVG."""

from __future__ import annotations

from designer_app.elements.element import element


def drawing(svg: str, key: str) -> None:
    """Show an SVG in which all text of unknown origin was escaped when it was generated."""
    element("drawing")(key=key, data={"svg": svg})
