"""What the nodes of a run gave: type, size, key of each port, and a look into it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from designer_app.elements.register_model import register_model_form
from designer_app.screens.run.run_view import RunView
from designer_app.ui.markdown import plain
from designer_app.viewers.output_view import show_output
from modules.artifacts import Artifact, TrainedModel
from modules.foreign_model import ForeignModel
from modules.formatting import format_bytes
from pipelines.artifacts.manifest import folder_bytes
from pipelines.errors import ObjectStoreError

MEASURED = 300
"""The files of more outputs than this are not counted: the page should open at once."""


class _Output(NamedTuple):
    """A port of a node: its row in the table, its files, and what they are."""

    row: dict[str, Any]
    folder: Path
    type: type[Artifact] | None

    @property
    def title(self) -> str:
        """``Train PyTorch Model: Trained model``."""
        return f"{self.row['Node']}: {self.row['Port']}"


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
        [each.row for each in found],
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
    chosen_output = found[rows[0]]
    st.subheader(chosen_output.title, anchor=False)
    workspace = subject.application.settings.workspace
    show_output(workspace, chosen_output.folder, key="run-look", run_id=subject.id)


def _register(subject: RunView, found: Sequence[_Output]) -> None:
    """The form that keeps a model under a name; nothing where there is none."""
    models = {
        each.title: (each.row["Artifact"], each.folder.name)
        for each in found
        if each.type is TrainedModel
        or (each.type is ForeignModel and ForeignModel(each.folder).has_files)
    }
    if not models:
        return
    with st.popover("Register model", key="run-register", icon=":material/inventory_2:"):
        names = list(models)
        name = names[0] if len(names) == 1 else st.selectbox("Model", names, key="run-model")
        if name is not None:
            register_model_form(subject.application, *models[name], f"run-register-{name}")


def _rows(subject: RunView) -> list[_Output]:
    found: list[_Output] = []
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
                "Type": spec.type.in_words() if spec else "",
                "Status": "stalled" if step.stalled else step.status,
                "Size": format_bytes(folder_bytes(Path(folder))) if len(found) < MEASURED else "",
                "Key": (step.key or "")[:12],
                "Artifact": step.artifact_id,
            }
            found.append(_Output(row, Path(folder), spec.type if spec else None))
    return found
