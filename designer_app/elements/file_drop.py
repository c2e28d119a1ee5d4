"""Drop target of a whole page for one file, as one Streamlit element."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from designer_app.elements.element import element
from designer_app.ui.triggers import ignored


@dataclass(frozen=True)
class DroppedFile:
    """Dropped file."""

    name: str
    content: bytes


def file_drop(key: str, max_bytes: int) -> DroppedFile | None:
    """Accept dropped files on this page; return one that was just dropped."""
    result = element("drop")(key=key, data={"maxBytes": max_bytes}, on_file_change=ignored)
    sent = result.file
    if not isinstance(sent, dict):
        return None
    try:
        content = base64.b64decode(str(sent.get("content", "")), validate=True)
    except binascii.Error:
        return None
    return DroppedFile(str(sent.get("name", "")), content)
