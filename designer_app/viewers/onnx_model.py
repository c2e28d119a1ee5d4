"""Exported ONNX model: facts of its card, its files, and registration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from designer_app.elements.register_model import register_model_form
from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import figures
from designer_app.viewers.files import show_files
from designer_app.viewers.viewed_output import REGISTERED, ViewedOutput
from modules.artifacts import OnnxModel
from modules.export.agreement import AgreementData
from modules.export.card import difference_text
from modules.export.onnx_classifier import card_in
from modules.formatting import format_bytes, format_count

FORMATS: Mapping[str, str] = {
    "onnx": _("ONNX"),
    "onnx-int8": _("ONNX int8"),
    "torch-export": _("torch.export"),
}


def show_onnx_model(subject: ViewedOutput) -> None:
    """Draw the model."""
    show_card(subject, card_in(subject.folder), OnnxModel(subject.folder).model_path)
    chosen = REGISTERED if subject.view == REGISTERED else None
    files, register = st.tabs([_("Files"), REGISTERED], default=chosen, key=subject.name("tabs"))
    with files:
        show_files(subject)
    with register:
        st.caption(plain(_("The node ONNX Model scores images with the registered model.")))
        artifact_id, port = subject.facts.artifact_id, subject.facts.port
        register_model_form(subject.application, artifact_id, port, subject.name("register"))


def onnx_facts(card: Mapping[str, Any], file: Path) -> dict[str, str]:
    """Return the facts to show of an exported model."""
    name = str(card.get("format") or file.suffix)[:40]
    shown = {
        _("Architecture"): str(card.get("architecture") or _("unknown"))[:100],
        _("Format"): FORMATS.get(name, name),
        _("Size"): format_bytes(file.stat().st_size),
    }
    classes = card.get("classes")
    if isinstance(classes, int):
        shown[_("Classes")] = format_count(classes)
    return shown


def show_card(subject: ViewedOutput, card: Mapping[str, Any], file: Path) -> None:
    """Draw the facts of an exported model and how well it agrees with scoring."""
    figures(onnx_facts(card, file), subject.name("facts"))
    try:
        text = agreement_text(card["agreement"])
    except (LookupError, TypeError, ValueError):  # a file of any machine
        return
    st.caption(plain(text))


def agreement_text(agreement: Mapping[str, Any]) -> str:
    """Return the comparison of an exported file with scoring as a sentence."""
    return _(
        "{agreed:,} of {images:,} labels agree with Score Image Model in fp32, and "
        "probabilities differ by at most {difference} ({source}).",
        agreed=int(agreement["equal_labels"]),
        images=int(agreement["images"]),
        difference=difference_text(float(agreement["largest_difference"])),
        source=str(agreement["images_from"])[:100],
    )


def bf16_text(agreement: AgreementData) -> str | None:
    """Return the comparison with scores in bf16; None for models that were trained in fp32."""
    if (rounded := agreement.get("in_bf16")) is None:
        return None
    return _(
        "This model is scored in bf16, the number format of its training; the file computes in "
        "fp32. {agreed:,} of {images:,} labels agree with the scores in bf16, and probabilities "
        "differ by at most {difference}.",
        agreed=rounded["equal_labels"],
        images=agreement["images"],
        difference=difference_text(rounded["largest_difference"]),
    )
