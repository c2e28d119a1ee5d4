"""Form that exports a trained model for other programs, and offers the file."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Required, TypedDict

import streamlit as st

from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.viewers.inspector_request import wait_for
from designer_app.viewers.onnx_model import agreement_text, bf16_text
from designer_app.viewers.viewed_output import ViewedOutput
from modules.export.agreement import AgreementData
from modules.export.formats import SUFFIXES, missing_packages
from modules.export.shared_page import PAGE_FORMATS
from modules.formatting import format_bytes
from pipelines.errors import InspectionError
from pipelines.inspection.questions import EXPORT
from pipelines.inspection.run_images import run_images
from pipelines.registry.format_export import model_format
from pipelines.registry.model_report import references_of

FORMATS: Mapping[str, str] = {
    "onnx": _("ONNX: one file from pixels to probabilities"),
    "onnx-int8": _("ONNX int8: a quarter of the size"),
    "page": _("Web page that recognizes images (zip)"),
    "page-int8": _("Web page with the int8 model (zip)"),
    "torch-export": _("torch.export program (pt2)"),
}
"""Title of each format; safetensors and everything else are on the tab Files."""
EXPORTS = "exports"
"""Folder of exported files in the cache."""


def export_form(subject: ViewedOutput) -> None:
    """Draw the formats, and the file of the last export of this session."""
    st.write(
        _(
            "The file is compared with Score Image Model on the validation images, and rejected if "
            "it differs. It contains the labels, a model card and the pipeline."
        )
    )
    key = subject.name("export")
    chosen = st.selectbox(
        _("Format"), list(FORMATS), format_func=FORMATS.__getitem__, key=f"{key}-format"
    )
    missing = missing_packages(model_format(chosen))
    if missing:
        st.info(
            _(
                'Packages are missing: {packages}. Run `pip install "pipeline-designer[onnx]"` '
                "and restart.",
                packages=", ".join(missing),
            )
        )
    elif st.button(_("Export model"), key=f"{key}-start", type="primary"):
        st.session_state[f"{key}-done"] = _exported(subject, chosen)
    done = st.session_state.get(f"{key}-done")
    if done and done["format"] == chosen:
        _offer(done, key)


class ExportResult(TypedDict, total=False):
    """File and comparison of an export, or the error."""

    format: Required[str]
    error: str
    path: str
    agreement: AgreementData | None


def _exported(subject: ViewedOutput, chosen: str) -> ExportResult:
    """Export in a separate process; return the file and the comparison, or the error."""
    facts = subject.facts
    runs = subject.application.session.runs
    images = run_images(runs, facts.run_id, facts.node)
    suffix = ".zip" if chosen in PAGE_FORMATS else SUFFIXES[model_format(chosen)]
    folder = subject.workspace.cache_dir / EXPORTS / f"{facts.artifact_id}-{facts.port}"
    target = folder / f"{chosen}{suffix}"
    folders = {
        name: None if directory is None else str(directory.path)
        for name, directory in (("training", images.training), ("validation", images.validation))
    }
    answer = subject.application.exporter.submit(
        EXPORT,
        model=str(subject.folder),
        name=_name(subject),
        target=str(target),
        format=chosen,
        asked=time.time(),  # answers are remembered, but the file may be gone
        **folders,
    )
    try:
        result = wait_for(answer, _("Exporting and checking. This takes up to a few minutes."))
    except InspectionError as error:
        return {"format": chosen, "error": f"{error.message} {error.cure}"}
    return {"format": chosen, "path": str(target), "agreement": result["agreement"]}


def _name(subject: ViewedOutput) -> str:
    """Return the newest registered name of the model, else that of its run's pipeline."""
    facts, registry = subject.facts, subject.application.session.models
    kept = references_of(registry, f"{facts.artifact_id}/{facts.port}")
    document = subject.outputs.document
    return kept[-1] if kept else (document.name if document else "") or facts.node


def _offer(done: ExportResult, key: str) -> None:
    """Draw the result of the comparison and the button that downloads the file."""
    if "error" in done:
        st.error(plain(done["error"]))
        return
    path, agreement = Path(done["path"]), done["agreement"]
    if not path.is_file():
        st.info(_("The file was removed from the cache. Export again."))
        return
    if agreement:
        st.success(plain(agreement_text(agreement)))
        if rounded := bf16_text(agreement):
            st.caption(plain(rounded))
    st.download_button(
        _("Download ({size})", size=format_bytes(path.stat().st_size)),
        path.read_bytes,
        path.name if path.suffix == ".zip" else f"model{path.suffix}",
        "application/octet-stream",
        key=f"{key}-download",
        on_click="ignore",
        icon=":material/download:",
    )
    if path.suffix == ".zip":
        st.caption(
            _(
                "Unpack the zip on any web server, for example with `python -m http.server`. "
                "Images stay in the browser."
            )
        )
