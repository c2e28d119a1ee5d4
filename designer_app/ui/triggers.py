"""What elements with scripts of their own need to be heard."""

from __future__ import annotations


def ignored() -> None:
    """The callback of a trigger: Streamlit hands out its value only where there is one."""
