"""Thumbnails that are asked for as they scroll into view, as one Streamlit element."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from designer_app.viewers.subject import Subject

MAX_LISTED = 500
"""Images of a gallery that lists its rows; groups have no limit."""


def gallery_of_group(subject: Subject, number: int, num_images: int) -> int | None:
    """Draw a group of an image directory; gives the row of a picture that was just chosen."""
    return _gallery(subject, {"group": number, "count": num_images}, "group")


def gallery_of_rows(subject: Subject, indices: Sequence[int], part: str) -> int | None:
    """Draw some rows of an image directory."""
    listed = list(indices[:MAX_LISTED])
    return _gallery(subject, {"indices": listed, "count": len(listed)}, part)


def _gallery(subject: Subject, wanted: dict[str, Any], part: str) -> int | None:
    facts = subject.facts
    data = {
        "address": f"/api/artifacts/{facts.artifact_id}/{facts.port}/thumbnails",
        "token": subject.application.token,
        **wanted,
    }
    result = _component()(key=subject.name(f"gallery-{part}"), data=data, on_chosen_change=_nothing)
    chosen = result.chosen
    return chosen if isinstance(chosen, int) else None


@cache
def _component() -> Any:
    here = Path(__file__).resolve().parent
    return st.components.v2.component(
        "designer_gallery",
        css=(here / "gallery.css").read_text(encoding="utf-8"),
        js=(here / "gallery.js").read_text(encoding="utf-8"),
        isolate_styles=True,
    )


def _nothing() -> None:
    """Streamlit hands out a trigger's value only where there is a callback."""
