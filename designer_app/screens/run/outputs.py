"""What the nodes of a run gave: type, size, key of each port, and a look into it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from designer_app.elements.register_model import register_model_form
from designer_app.screens.run.run_view import RunView
from designer_app.ui.markdown import plain
from designer_app.viewers.output_view import show_output
from modules.artifacts import TrainedModel
from modules.foreign_model import ForeignModel
from modules.formatting import format_bytes
from pipelines.artifacts.manifest import folder_bytes
from pipelines.errors import ObjectStoreError

MEASURED = 300
"""The files of more outputs than this are not counted: the page should open at once."""


def outputs(subject: RunView) -> None:
    """Draw the tab: a row a port, the chosen one opened below."""
    try:
        found = list(_rows(subject))
    except ObjectStoreError as error:
        st.error(plain(error))
        return
    if not found:
        words = "appear here as nodes finish" if subject.is_live else "were left by no node"
        st.info(f"Outputs {words}.")
        return
    _register(subject, found)
    chosen = st.dataframe(
        [row for row, _ in found],
        hide_index=True,
        width="stretch",
        key="run-outputs",
        selection_mode="single-row",
        on_select="rerun",
    )
    rows = chosen.selection.rows
    if not rows or rows[0] >= len(found):
        st.caption("Select a row to look into that output.")
        return
    row, folder = found[rows[0]]
    st.subheader(f"{row['Node']}: {row['Port']}", anchor=False)
    workspace = subject.application.settings.workspace
    show_output(workspace, folder, key="run-look", run_id=subject.id)


def _register(subject: RunView, found: Sequence[tuple[dict[str, Any], Path]]) -> None:
    """The form that keeps a model under a name; nothing where there is none."""
    models = {
        f"{row['Node']}: {row['Port']}": (row["Artifact"], folder.name)
        for row, folder in found
        if row["Type"] == TrainedModel.__name__
        or (row["Type"] == ForeignModel.__name__ and ForeignModel(folder).has_files)
    }
    if not models:
        return
    with st.popover("Register model", key="run-register", icon=":material/inventory_2:"):
        names = list(models)
        name = names[0] if len(names) == 1 else st.selectbox("Model", names, key="run-model")
        if name is not None:
            register_model_form(subject.application, *models[name], f"run-register-{name}")


def _rows(subject: RunView) -> list[tuple[dict[str, Any], Path]]:
    found: list[tuple[dict[str, Any], Path]] = []
    for node in subject.document.nodes:
        step = subject.state.steps.get(node.id)
        if step is None:
            continue
        module = subject.module(node)
        ports = {port.id: port for port in module.outputs} if module else {}
        for port, folder in subject.application.session.artifacts.outputs(step).items():
            spec = ports.get(port)
            row = {
                "Node": subject.titles[node.id],
                "Port": spec.name if spec else port,
                "Type": spec.type.__name__ if spec else "",
                "Status": "stalled" if step.stalled else step.status,
                "Size": format_bytes(folder_bytes(Path(folder))) if len(found) < MEASURED else "",
                "Key": (step.key or "")[:12],
                "Artifact": step.artifact_id,
            }
            found.append((row, Path(folder)))
    return found
