"""Field of one pipeline parameter, in forms that start or schedule runs."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from pipelines.document.document import PipelineParameter


def parameter_field(parameter: PipelineParameter, key: str) -> Any:
    """Draw the field of a parameter; return its value, None to use the default."""
    label, name = parameter.title or parameter.id, f"{key}-{parameter.id}"
    about, default = parameter.description or None, parameter.default
    if parameter.type == "boolean":
        return st.checkbox(label, value=bool(default), key=name, help=about)
    if parameter.type == "integer":
        whole = default if isinstance(default, int) else None
        value = st.number_input(label, value=whole, step=1, key=name, help=about)
        return None if value is None else int(value)
    if parameter.type == "number":
        number = float(default) if isinstance(default, int | float) else None
        return st.number_input(label, value=number, format="%g", key=name, help=about)
    if parameter.type == "string":
        usual = str(default or "")
        text = st.text_input(label, value=usual, key=name, help=about, placeholder=usual)
        return text or None
    text = st.text_input(label, value=json.dumps(default), key=name, help=about)
    try:
        return json.loads(text)
    except ValueError:
        return text  # the check of the run says what is expected
