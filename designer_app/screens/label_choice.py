"""How a dataset is labelled, chosen where there are several ways."""

from __future__ import annotations

import streamlit as st

from modules.layouts.readings import ClassFrom
from modules.layouts.verdict import LayoutVerdict


def label_choice(verdict: LayoutVerdict | None, key: str) -> ClassFrom | None:
    """Draw a field with the ways to label the images; None where there is only one."""
    if verdict is None:
        return None
    first = next((each for each in verdict.of_parts if each.choices), None)
    if first is None or len(first.choices) < 2:
        return None
    said = {choice.class_from: _capitalized(str(choice.said)) for choice in first.choices}
    return st.selectbox(
        "Image labels", list(said), format_func=said.__getitem__, key=f"{key}-labels"
    )


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
