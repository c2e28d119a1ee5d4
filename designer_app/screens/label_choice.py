"""Choice of the label source of a dataset with several possible ones."""

from __future__ import annotations

import streamlit as st

from designer_app.translation import _
from modules.layouts.readings import ClassFrom
from modules.layouts.verdict import LayoutVerdict
from modules.sentences import layouts as say
from modules.sentences.sentence import Statement


def label_choice(verdict: LayoutVerdict | None, key: str) -> ClassFrom | None:
    """Draw a field with the label sources of the images; return None if there is only one."""
    if verdict is None:
        return None
    first = next((part for part in verdict.of_parts if part.choices), None)
    if first is None or len(first.choices) < 2:
        return None
    options = {choice.class_from: option_text(choice.said) for choice in first.choices}
    return st.selectbox(
        _("Image labels"), list(options), format_func=options.__getitem__, key=f"{key}-labels"
    )


def option_text(reading: Statement) -> str:
    """Return a reading as an option: capitalized unless it starts with the name of a file.

    The columns of a table are left out, so that the option fits on a phone.
    """
    if reading.sentence in (say.READ_AS_TABLE, say.READ_AS_TABLE_OF_CLASSES):
        return str(say.READ_AS_TABLE_OF_CLASSES.about(reading.facts))
    text = str(reading)
    return text[:1].upper() + text[1:]
