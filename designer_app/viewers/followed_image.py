"""State of followed images by viewer: chosen in a gallery, a table or a chart."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from designer_app.viewers.viewed_output import ViewedOutput

PART = "followed"


@dataclass(frozen=True)
class Followed:
    """Image, identified by its row in an image directory."""

    folder: Path
    index: int


def follow(subject: ViewedOutput, folder: Path, index: int) -> None:
    """Show the trace of an image instead of the output, starting with the next drawing."""
    st.session_state[subject.name(PART)] = Followed(folder, index)


def followed(subject: ViewedOutput) -> Followed | None:
    """Return the image followed in this viewer."""
    followed_image = st.session_state.get(subject.name(PART))
    return followed_image if isinstance(followed_image, Followed) else None


def forget(key: str) -> None:
    """Stop following images in all viewers of that key."""
    for name in list(st.session_state):
        if str(name).startswith(f"{key}-") and str(name).endswith(f"-{PART}"):
            del st.session_state[name]


def stop_following(subject: ViewedOutput) -> None:
    """Show the output again."""
    st.session_state.pop(subject.name(PART), None)
