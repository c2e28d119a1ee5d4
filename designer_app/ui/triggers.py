"""Callbacks required by elements with their own scripts."""

from __future__ import annotations


def ignored() -> None:
    """Do nothing: Streamlit returns a trigger's value only if it has a callback."""
