"""Evaluation: result, own images, mistakes, metrics, calibration, comparison of two inputs."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from designer_app.translation import _
from designer_app.ui.page_parts import figures
from designer_app.viewers.confusion import show_confusion
from designer_app.viewers.evaluation_charts import (
    headline_figures,
    show_calibration,
    show_classes,
    show_metrics,
    show_thresholds,
)
from designer_app.viewers.table import Pictures, draw_table
from designer_app.viewers.try_picture import try_picture
from designer_app.viewers.viewed_output import TRIED, ViewedOutput
from pipelines.inspection import evaluation
from pipelines.inspection.artifact_info import facts_of
from pipelines.inspection.evaluation import COMPARED

RESULT, FLIPPED = _("Result"), _("Flipped predictions")
"""Most important tabs; the others are for a closer look."""
CLOSER = (_("Mistakes"), _("Metrics"), _("Classes"), _("Calibration"), _("Thresholds"))


def show_evaluation(subject: ViewedOutput) -> None:
    """Draw the evaluation; if there are two inputs, that of the chosen one."""
    two = evaluation.has_two_inputs(subject.folder)
    names = (RESULT, TRIED, *((FLIPPED,) if two else ()), *CLOSER)
    suffix = _input(subject) if two else ""
    opened = st.tabs(names, default=subject.view, key=subject.name("tabs"), on_change="rerun")
    for name, tab in zip(names, opened, strict=True):
        if tab.open:  # the others would take time and are not visible
            with tab:
                _show(subject, name, suffix)


def _input(subject: ViewedOutput) -> str:
    chosen = st.segmented_control(
        _("Input"),
        ["", COMPARED],
        default="",
        required=True,
        key=subject.name("input"),
        format_func=lambda suffix: _("Compared") if suffix else _("Scored dataset"),
        label_visibility="collapsed",
    )
    return str(chosen or "")


def _show(subject: ViewedOutput, name: str, suffix: str) -> None:
    if name == FLIPPED:
        st.write(_("Images that the two inputs label differently, highest confidence first."))
        draw_table(subject, subject.folder / "flipped.parquet", "flipped", _pictures(subject, ""))
    elif name == TRIED:
        _try(subject, suffix)
    elif name == _("Mistakes"):
        st.write(_("Most confident mistakes."))
        path = subject.folder / f"mistakes{suffix}.parquet"
        draw_table(subject, path, f"mistakes{suffix}", _pictures(subject, suffix))
    elif name == RESULT:
        figures(headline_figures(subject.folder, suffix), subject.name(f"headline{suffix}"))
        show_confusion(subject, suffix)
    else:
        {
            _("Metrics"): show_metrics,
            _("Classes"): show_classes,
            _("Calibration"): show_calibration,
            _("Thresholds"): show_thresholds,
        }[name](subject, suffix)


def _try(subject: ViewedOutput, suffix: str) -> None:
    """Draw the field that applies the evaluated model to the user's own image."""
    model = evaluation.evaluated_model(subject.outputs, subject.node, suffix)
    if model is None:
        st.info(_("The model is no longer available. Run the pipeline again."))
    else:
        try_picture(replace(subject, facts=facts_of(model.folder)))


def _pictures(subject: ViewedOutput, suffix: str) -> Pictures | None:
    scored = evaluation.scored_input(subject.outputs, subject.node, suffix)
    return Pictures.of(subject.outputs.dataset_of(scored))
