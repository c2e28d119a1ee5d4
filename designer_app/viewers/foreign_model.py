"""Model files of a script or an export: tensors, file downloads, and registration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from designer_app.elements.register_model import register_model_form
from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import counts, figures
from designer_app.viewers.file_look import download
from designer_app.viewers.inspector_request import request_inspection
from designer_app.viewers.onnx_model import show_card
from designer_app.viewers.viewed_output import ViewedOutput
from modules.export.onnx_classifier import card_in
from modules.foreign_model import ForeignModel
from modules.formatting import format_bytes, format_count
from pipelines.errors import InspectionError
from pipelines.inspection.questions import TENSORS
from pipelines.registry.model_export import TENSOR_FILES

Tensors = list[tuple[str, list[int], str, int]]
"""Name, shape, number format, and number of values of each."""
MAX_LISTED = 200
STATISTICS = ("running_mean", "running_var", "num_batches_tracked")


def show_foreign_model(subject: ViewedOutput) -> None:
    """Draw the model."""
    model = ForeignModel(subject.folder)
    if not model.has_files:
        st.info(_("The script did not write a model."))
        return
    card = card_in(model.path / "files")
    if card and model.main_path.is_file():
        _show_exported(subject, model, card)
        return
    listed = _tensors(subject, model)
    _figures(subject, model, listed if isinstance(listed, list) else [])
    tensors, files, register = st.tabs(
        [_("Tensors"), _("Files"), _("Register")], key=subject.name("tabs")
    )
    with tensors:
        _show_tensors(subject, listed)
    with files:
        _show_files(subject, model)
    with register:
        artifact_id, port = subject.facts.artifact_id, subject.facts.port
        register_model_form(subject.application, artifact_id, port, subject.name("register"))


def _show_exported(subject: ViewedOutput, model: ForeignModel, card: Mapping[str, Any]) -> None:
    """Draw the files of Export Model."""
    show_card(subject, card, model.main_path)
    st.caption(plain(_("The node ONNX Model scores images with this model.")))
    with st.expander(_("Files")):
        _show_files(subject, model)


def _tensors(subject: ViewedOutput, model: ForeignModel) -> Tensors | str:
    """Return name, shape, type and size of each tensor, or the reason why none can be shown."""
    path = model.main_path
    if not path.is_file() or path.suffix.lower() not in TENSOR_FILES:
        return _(
            "{name} is stored unchanged; only tensor files (.pt, .safetensors) are read.",
            name=path.name,
        )
    try:
        answer = request_inspection(subject, _("Reading tensors ..."), TENSORS, file=str(path))
    except InspectionError as error:
        return str(error)
    return answer["tensors"]


def _figures(subject: ViewedOutput, model: ForeignModel, tensors: Tensors) -> None:
    shown = {
        _("File"): model.main_path.name,
        _("Framework"): model.framework,
        _("Parameters"): format_count(_num_parameters(tensors)) if tensors else _("not read"),
        _("Tensors"): format_count(len(tensors)) if tensors else _("not read"),
        _("Size"): format_bytes(model.num_bytes),
    }
    figures(shown, subject.name("facts"))


def _num_parameters(tensors: Tensors) -> int:
    """Return the number of values in all tensors except batch norm statistics, by torch's names."""
    return sum(count for name, _, _, count in tensors if not name.endswith(STATISTICS))


def _show_tensors(subject: ViewedOutput, tensors: Tensors | str) -> None:
    if isinstance(tensors, str):
        st.info(plain(tensors))
        return
    rows = [
        {
            _("Tensor"): name,
            _("Shape"): " x ".join(map(str, shape)) or _("one number"),
            _("Type"): kind,
            _("Numbers"): count,
        }
        for name, shape, kind, count in tensors
    ]
    st.dataframe(
        rows,
        key=subject.name("tensors"),
        hide_index=True,
        width="stretch",
        column_config=counts(_("Numbers")),
    )
    st.caption(_("Connect Make Trained Model to load the tensors into a network."))


def _show_files(subject: ViewedOutput, model: ForeignModel) -> None:
    files = model.description["files"]
    for number, file in enumerate(files[:MAX_LISTED]):
        download(model.path / "files" / file["path"], file["path"], subject.name(f"file-{number}"))
    if len(files) > MAX_LISTED:
        st.caption(
            _(
                "The first {shown:,} of {count:,} files.",
                shown=MAX_LISTED,
                count=len(files),
            )
        )
