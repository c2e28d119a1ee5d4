"""Query parameters of a page's address."""

from __future__ import annotations

import re

import streamlit as st

from designer_app.schemas.identifiers import PATH_PATTERNS

UNKNOWN_PAGE = "unknown"
"""Parameter with the requested page, for Home, if there is no such page."""


def query_id(parameter: str, pattern: str) -> str | None:
    """Return a query parameter if it is valid."""
    text = str(st.query_params.get(parameter, ""))
    return text if re.fullmatch(PATH_PATTERNS[pattern], text) else None


def query_ids(parameter: str, pattern: str) -> list[str]:
    """Return all valid values of a query parameter, without duplicates, in order."""
    values = st.query_params.get_all(parameter)
    fitting = [text for text in values if re.fullmatch(PATH_PATTERNS[pattern], text)]
    return list(dict.fromkeys(fitting))


def unknown_page() -> str | None:
    """Return the requested page that does not exist."""
    text = str(st.query_params.get(UNKNOWN_PAGE, ""))
    return text if re.fullmatch(r"[A-Za-z0-9_-]{1,60}", text) else None
