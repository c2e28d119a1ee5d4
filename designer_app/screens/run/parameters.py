"""Parameters tab: parameters and run settings of all nodes, as submitted."""

from __future__ import annotations

import json
from collections.abc import Iterator

import streamlit as st

from designer_app.screens.run.run_view import RunView
from designer_app.translation import _
from modules.module_texts import parameter_title
from pipelines.document.document import Node

KINDS = (_("Changed"), _("Everything"))


def parameters(subject: RunView) -> None:
    """Draw the tab: a table that can be searched, sorted and downloaded as CSV."""
    kind = st.segmented_control(
        _("Show"),
        KINDS,
        default=KINDS[0],
        required=True,
        key="run-parameters",
        label_visibility="collapsed",
    )
    rows = [
        row
        for node in subject.document.nodes
        for row in _rows(subject, node)
        if kind == KINDS[1] or row[_("Set")]
    ]
    if not rows:
        st.info(_("Every node ran with its defaults. Select Everything to see them."))
        return
    if kind == KINDS[0]:
        rows = [{name: value for name, value in row.items() if name != _("Set")} for row in rows]
    st.dataframe(rows, hide_index=True, width="stretch", key="run-parameters-table")


def _rows(subject: RunView, node: Node) -> Iterator[dict[str, object]]:
    title, module = subject.titles[node.id], subject.module(node)
    fields = module.parameters_type.model_fields if module else {}
    names = [*fields, *(name for name in node.parameters if name not in fields)]
    for name in names:
        is_set = name in node.parameters
        default = fields[name].default if name in fields else None
        value = node.parameters[name] if is_set else default
        label = (module and parameter_title(module.parameters_type, name)) or name
        yield {
            _("Node"): title,
            _("Parameter"): label,
            _("Value"): _written(value),
            _("Set"): is_set,
        }
    defaults = type(node.run_settings)()
    for name, value in node.run_settings.model_dump().items():
        label = _("Run setting: {name}", name=name.replace("_", " "))
        is_set = value != getattr(defaults, name)
        yield {
            _("Node"): title,
            _("Parameter"): label,
            _("Value"): _written(value),
            _("Set"): is_set,
        }


def _written(value: object) -> str:
    if value is None:
        return _("not set")
    return value if isinstance(value, str) else json.dumps(value, default=str)
