"""Thumbnails, loaded when they scroll into view, as one Streamlit element."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from designer_app.elements.element import element
from designer_app.viewers.followed_image import follow
from designer_app.viewers.viewed_output import ViewedOutput

MAX_LISTED = 500
"""Limit of images of a gallery that lists its rows; groups have no limit."""


def gallery_of_group(subject: ViewedOutput, folder: Path, number: int, num_images: int) -> None:
    """Draw a group of the image directory in ``folder``; a selected image is followed."""
    _gallery(subject, folder, {"group": number, "count": num_images}, "group")


def gallery_of_rows(subject: ViewedOutput, folder: Path, indices: Sequence[int], part: str) -> None:
    """Draw some rows of an image directory."""
    listed = list(indices[:MAX_LISTED])
    _gallery(subject, folder, {"indices": listed, "count": len(listed)}, part)


def _gallery(subject: ViewedOutput, folder: Path, wanted: dict[str, Any], part: str) -> None:
    key = subject.name(f"gallery-{part}")

    def choose() -> None:
        index = st.session_state[key].chosen
        if isinstance(index, int):
            follow(subject, folder, index)

    data = {
        "address": f"/api/artifacts/{folder.parent.name}/{folder.name}/thumbnails",
        "token": subject.application.credentials.page_token,
        **wanted,
    }
    element("gallery")(key=key, data=data, on_chosen_change=choose)
