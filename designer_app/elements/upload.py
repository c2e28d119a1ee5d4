"""Choosing an archive and sending it to the API in a stream, as one Streamlit element.

Streamlit's own uploader keeps files in memory; datasets may have many gigabytes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import streamlit as st

from designer_app.application import Application
from designer_app.elements import text_of


def upload(application: Application, key: str) -> str | None:
    """Draw the element; gives the source of a dataset that has just come in."""
    data = {
        "apiBase": "/api",
        "token": application.token,
        "maxBytes": application.settings.max_upload_bytes,
    }
    result = _component()(key=key, data=data, on_done_change=_nothing)
    done = result.done
    return done if isinstance(done, str) else None


@cache
def _component() -> Any:
    return st.components.v2.component(
        "designer_upload",
        html=text_of("upload.html"),
        css=text_of("upload.css"),
        js=text_of("upload.js"),
        isolate_styles=True,
    )


def _nothing() -> None:
    """Streamlit hands out a trigger's value only where there is a callback."""
