"""Outputs tab: type, size and key of each port, and a viewer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from designer_app.elements.register_model import register_model_form
from designer_app.screens.run.run_view import RunView
from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.viewers.output_view import show_output
from modules.artifacts import Artifact, ExportedModel, OnnxModel, TrainedModel
from modules.foreign_model import ForeignModel
from modules.formatting import format_bytes
from modules.module_texts import type_words
from pipelines.errors import ObjectStoreError
from pipelines.sentences.status_words import status_words
from pipelines.store.artifacts.manifest import folder_bytes

MEASURED = 300
"""Limit of outputs whose files are counted, so that the page opens quickly."""


class _Output(NamedTuple):
    """Port of a node: its table row, files and type."""

    place: tuple[str, str]
    """Ids of the node and the port."""
    row: dict[str, Any]
    folder: Path
    type: type[Artifact] | None

    @property
    def title(self) -> str:
        """Return ``Train PyTorch Model: Trained model``."""
        return f"{self.row[_('Node')]}: {self.row[_('Port')]}"


def outputs(subject: RunView) -> None:
    """Draw the tab: one row per port, with the chosen one opened below."""
    try:
        outputs_shown = list(_rows(subject))
    except ObjectStoreError as error:
        st.error(plain(error))
        return
    if not outputs_shown:
        st.info(
            _("Outputs appear here when nodes finish.")
            if subject.is_live
            else _("Outputs were not produced.")
        )
        return
    _register(subject, outputs_shown)
    chosen = _chosen(subject, outputs_shown)
    if chosen is None:
        st.caption(_("Select a row to open the output."))
        return
    st.subheader(plain(chosen.title), anchor=False)
    workspace = subject.application.settings.workspace
    show_output(workspace, chosen.folder, key="run-look", run_id=subject.id)


def _chosen(subject: RunView, outputs_shown: Sequence[_Output]) -> _Output | None:
    """Draw the table; return the output of the selected row, wherever that row has moved.

    Streamlit keeps the number of the selected row, and rows move as nodes finish.
    """
    table, kept = f"run-outputs-{subject.id}", f"run-output-{subject.id}"

    def choose() -> None:
        rows = st.session_state[table]["selection"]["rows"]
        st.session_state[kept] = outputs_shown[rows[0]].place if rows else None

    place = st.session_state.get(kept)
    rows = [row for row, output in enumerate(outputs_shown) if output.place == place]
    shown = st.session_state.get(table)
    if rows != (shown["selection"]["rows"] if shown else []):
        st.session_state[table] = {"selection": {"rows": rows, "columns": [], "cells": []}}
    st.dataframe(
        [output.row for output in outputs_shown],
        hide_index=True,
        width="stretch",
        key=table,
        selection_mode="single-row",
        on_select=choose,
    )
    return outputs_shown[rows[0]] if rows else None


def _register(subject: RunView, outputs_shown: Sequence[_Output]) -> None:
    """Draw the form that registers a model; nothing if there is none."""
    models = {
        output.title: (output.row[_("Artifact")], output.folder.name)
        for output in outputs_shown
        if _is_model(output)
    }
    if not models:
        return
    with st.popover(_("Register model"), key="run-register", icon=":material/inventory_2:"):
        names = list(models)
        key = f"run-model-{subject.id}"
        name = names[0] if len(names) == 1 else st.selectbox(_("Model"), names, key=key)
        if name is not None:
            key = f"run-register-{subject.id}-{name}"
            register_model_form(subject.application, *models[name], key)


def _is_model(output: _Output) -> bool:
    """Return True for outputs that can be registered."""
    if output.type is ForeignModel:
        return ForeignModel(output.folder).has_files
    if output.type in (ExportedModel, OnnxModel):
        return (output.folder / OnnxModel.FILES[0]).is_file()
    return output.type is TrainedModel


def _rows(subject: RunView) -> list[_Output]:
    rows: list[_Output] = []
    for node in subject.document.nodes:
        step = subject.state.steps.get(node.id)
        if step is None:
            continue
        module = subject.module(node)
        ports = {port.id: port for port in module.outputs} if module else {}
        for port, folder in subject.application.session.artifacts.outputs(step).items():
            spec = ports.get(port)
            row = {
                _("Node"): subject.titles[node.id],
                _("Port"): spec.name if spec else port,
                _("Type"): type_words(spec.type) if spec else "",
                _("Status"): status_words("stalled" if step.stalled else step.status),
                _("Size"): format_bytes(folder_bytes(Path(folder))) if len(rows) < MEASURED else "",
                _("Key"): (step.key or "")[:12],
                _("Artifact"): step.artifact_id,
            }
            type_ = spec.type if spec else None
            rows.append(_Output((node.id, port), row, Path(folder), type_))
    return rows
