"""What the address of a page names."""

from __future__ import annotations

import re

import streamlit as st

from designer_app.schemas.identifiers import PATH_PATTERNS

UNKNOWN_PAGE = "unknown"
"""Home is told so of the page that was asked for where there is none of that name."""


def query_id(parameter: str, pattern: str) -> str | None:
    """A parameter of the address, where it is one that can be."""
    text = str(st.query_params.get(parameter, ""))
    return text if re.fullmatch(PATH_PATTERNS[pattern], text) else None


def query_ids(parameter: str, pattern: str) -> list[str]:
    """Every value of a parameter that can be one, each once, in order."""
    given = st.query_params.get_all(parameter)
    fitting = [text for text in given if re.fullmatch(PATH_PATTERNS[pattern], text)]
    return list(dict.fromkeys(fitting))


def unknown_page() -> str | None:
    """The page that was asked for in vain."""
    text = str(st.query_params.get(UNKNOWN_PAGE, ""))
    return text if re.fullmatch(r"[A-Za-z0-9_-]{1,60}", text) else None
