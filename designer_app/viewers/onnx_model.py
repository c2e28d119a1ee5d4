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
from modules.export.onnx_classifier import card_in
from modules.formatting import format_bytes, format_count


def show_onnx_model(subject: ViewedOutput) -> None:
    """Draw the model."""
    shown = onnx_facts(card_in(subject.folder), OnnxModel(subject.folder).model_path)
    figures(shown, subject.name("facts"))
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
    shown = {
        _("Architecture"): str(card.get("architecture") or _("unknown"))[:100],
        _("Format"): str(card.get("format") or file.suffix)[:40],
        _("Size"): format_bytes(file.stat().st_size),
    }
    classes = card.get("classes")
    if isinstance(classes, int):
        shown[_("Classes")] = format_count(classes)
    return shown
