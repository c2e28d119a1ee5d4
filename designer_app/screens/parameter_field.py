"""Field of one pipeline parameter, in forms that start or schedule runs."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from modules.catalog import Catalog
from pipelines.document.binds import halves
from pipelines.document.document import PipelineDocument, PipelineParameter
from pipelines.document.node_titles import setting_title


def parameter_fields(document: PipelineDocument, catalog: Catalog, key: str) -> dict[str, Any]:
    """Draw the fields of all parameters of a pipeline; return the values, None for defaults."""
    return {
        parameter.id: _field(parameter, _title(parameter, document, catalog), key)
        for parameter in document.parameters
    }


def _title(parameter: PipelineParameter, document: PipelineDocument, catalog: Catalog) -> str:
    """Return the title that the editor shows: its own, or that of the setting it sets."""
    if parameter.title:
        return parameter.title
    modules = {node.id: node.module for node in document.nodes}
    for node, name in map(halves, parameter.binds):
        if node in modules:
            return setting_title(name, catalog.get(modules[node]))
    return parameter.id


def _field(parameter: PipelineParameter, label: str, key: str) -> Any:
    name = f"{key}-{parameter.id}"
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
