"""A file dropped anywhere on a page, as one Streamlit element."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from functools import cache
from typing import Any

import streamlit as st

from designer_app.elements import text_of


@dataclass(frozen=True)
class DroppedFile:
    """What was dropped."""

    name: str
    content: bytes


def drop(key: str, max_bytes: int) -> DroppedFile | None:
    """Take files on this page; gives one that has just been dropped."""
    result = _component()(key=key, data={"maxBytes": max_bytes}, on_file_change=_nothing)
    told = result.file
    if not isinstance(told, dict):
        return None
    try:
        content = base64.b64decode(str(told.get("content", "")), validate=True)
    except binascii.Error:
        return None
    return DroppedFile(str(told.get("name", "")), content)


@cache
def _component() -> Any:
    return st.components.v2.component(
        "designer_drop",
        html=text_of("drop.html"),
        css=text_of("drop.css"),
        js=text_of("drop.js"),
        isolate_styles=True,
    )


def _nothing() -> None:
    """Streamlit hands out a trigger's value only where there is a callback."""
