"""Columns of tables."""

from __future__ import annotations

from typing import Any

import streamlit as st


def counts(*names: str) -> dict[str, Any]:
    """Return columns of counts, formatted as everywhere else: ``2,062``."""
    return dict.fromkeys(names, st.column_config.NumberColumn(format="%,d"))
