"""Trained model: its curves with the best epoch, its classes, size and lineage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.elements.curve_chart import outlier_marks, step_axis, value_axis
from designer_app.elements.outliers import clip_limit
from designer_app.elements.register_model import register_model_form
from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.ui.page_parts import figures
from designer_app.viewers.charts import HEIGHT, draw_chart
from designer_app.viewers.export_form import export_form
from designer_app.viewers.try_picture import try_picture
from designer_app.viewers.viewed_output import TRIED, ViewedOutput
from modules.artifacts import TrainedModel
from modules.formatting import format_bytes, format_count
from pipelines.inspection.models import TrainedFacts, trained_facts
from pipelines.registry.model_export import weights
from pipelines.registry.weight_checks import check_weights
from pipelines.runs.metric_words import metric_words

if TYPE_CHECKING:
    import pandas as pd

    from designer_app.viewers.charts import AnyChart

PANELS: Mapping[str, tuple[str, ...]] = {
    _("Loss"): ("Train loss", "Valid loss"),
    _("Accuracy"): ("Top-1 validation accuracy", "Top-5 validation accuracy"),
    _("Training error"): ("Train error",),
    _("Learning rate"): ("learning rate",),
    _("Images per second"): ("Train images per second",),
}
"""Curves that share a chart; any other metric has its own chart."""
RULE = "#6f7a88"
"""Color visible in both themes."""


def show_trained_model(subject: ViewedOutput) -> None:
    """Draw the model."""
    facts = trained_facts(subject.folder)
    _weights_fault(subject)
    _figures(subject, facts)
    names = [_("Curves"), TRIED, _("Details"), _("Files"), _("Export"), subject.register_tab]
    drawn = st.tabs(names, default=subject.view, key=subject.name("tabs"))
    curves, tried, details, files, export, register = drawn
    with curves:
        _curves(subject, facts)
    with tried:
        try_picture(subject)
    with details:
        _details(subject, facts)
    with files:
        _files(subject)
    with export:
        export_form(subject)
    with register:
        artifact_id, port = subject.facts.artifact_id, subject.facts.port
        register_model_form(subject.application, artifact_id, port, subject.name("register"))


def _weights_fault(subject: ViewedOutput) -> None:
    """Report weights that no training can produce; a file is read once, when it is first shown."""
    said = check_weights(TrainedModel(subject.folder), subject.workspace.cache_dir).statement
    if said is not None:
        st.error(plain(f"{said.message} {said.cure}"), icon=":material/error:")


def _figures(subject: ViewedOutput, facts: TrainedFacts) -> None:
    shown = {
        _("Architecture"): facts.architecture,
        _("Parameters"): format_count(facts.num_parameters),
        _("Classes"): format_count(len(facts.classes)),
        _("Best epoch"): "–" if facts.best_epoch is None else f"{facts.best_epoch}",
        _("Weights"): format_bytes(facts.weights_bytes),
    }
    figures(shown, subject.name("facts"))


def _curves(subject: ViewedOutput, facts: TrainedFacts) -> None:
    history = facts.history
    names = [name for name in history.columns if name != "epoch"]
    if history.empty or not names:
        st.info(_("No curves were recorded."))
        return
    known = {name for panel in PANELS.values() for name in panel}
    panels = {**PANELS, **{name: (name,) for name in names if name not in known}}
    present = {
        title: [name for name in wanted if name in names] for title, wanted in panels.items()
    }
    drawn = [(title, wanted) for title, wanted in present.items() if wanted]
    columns = st.columns(2)
    for place, (title, wanted) in enumerate(drawn):
        with columns[place % 2]:
            table = history[["epoch", *wanted]]
            part = title.lower().replace(" ", "-")
            draw_chart(subject, part, _curve(title, table, facts.best_epoch), table)


def _curve(title: str, table: pd.DataFrame, best_epoch: int | None) -> AnyChart:
    import altair as alt

    names = [str(name) for name in table.columns if name != "epoch"]
    worded = table.rename(columns={name: metric_words(name) for name in names})
    long = worded.melt("epoch", var_name="metric", value_name="value").dropna()
    limit = clip_limit(long["value"])
    legend = alt.Legend(orient="top", labelLimit=260) if table.shape[1] > 2 else None
    epochs = step_axis("epoch:Q", table["epoch"], title=_("Epoch"))
    base = alt.Chart(long, title=alt.TitleParams(title, anchor="start"))
    lines = base.mark_line(point=True).encode(
        x=epochs,
        y=value_axis(names[0], limit),
        color=alt.Color("metric:N", title=None, legend=legend),
        tooltip=["metric:N", "epoch:Q", alt.Tooltip("value:Q", format=".5g")],
    )
    marked = [] if best_epoch is None else [best_epoch]
    rule = (
        alt.Chart({"values": [{"epoch": epoch} for epoch in marked]})
        .mark_rule(strokeDash=[4, 4], color=RULE, aria=False)  # a figure above says the same
        .encode(x=epochs, tooltip=alt.value(_("Best epoch: {best_epoch}", best_epoch=best_epoch)))
    )
    marks = [] if limit is None else [outlier_marks(lines, limit)]
    return alt.layer(lines, *marks, rule).properties(height=HEIGHT)


def _details(subject: ViewedOutput, facts: TrainedFacts) -> None:
    size = facts.input_size
    rows: list[tuple[str, Any]] = [
        (_("Classes"), ", ".join(facts.classes)),
        (
            _("Input"),
            _("{width} x {height} pixels", width=size[1], height=size[0])
            if size
            else _("any size"),
        ),
        *_lineage(subject),
        *((name, value) for name, value in facts.details if value != "null"),
    ]
    table = [{_("Property"): name, _("Value"): str(value)} for name, value in rows]
    st.dataframe(table, hide_index=True, width="stretch")
    title = subject.outputs.title(facts.node)
    st.caption(plain(_("Made by {title} in run {run_id}.", title=title, run_id=facts.run_id)))


def _lineage(subject: ViewedOutput) -> list[tuple[str, str]]:
    outputs = subject.outputs
    return [
        (
            _("Source of {port}", port=port.replace("_", " ")),
            f"{outputs.title(source.node)}, {outputs.port_title(source)}",
        )
        for port, source in outputs.inputs(subject.node).items()
    ]


def _files(subject: ViewedOutput) -> None:
    model = TrainedModel(subject.folder)
    st.caption(_("The weights are in safetensors format; the JSON file describes the model."))
    described = subject.folder / "model.json"
    contents: dict[Path, Callable[[], bytes]]
    contents = {model.weights_path: partial(weights, model), described: described.read_bytes}
    for path, content in contents.items():
        st.download_button(
            f"{path.name} ({format_bytes(path.stat().st_size)})",
            content,
            path.name,
            "application/octet-stream",
            key=subject.name(path.name),
            on_click="ignore",
            icon=":material/download:",
        )
