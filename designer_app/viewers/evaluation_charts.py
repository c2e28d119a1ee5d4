"""Charts of an evaluation: classes, calibration, thresholds; and its metrics as a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from designer_app.translation import _
from designer_app.ui.page_parts import counts
from designer_app.viewers.charts import HEIGHT, draw_chart, names_axis
from designer_app.viewers.table import titled
from designer_app.viewers.viewed_output import ViewedOutput
from pipelines.inspection import evaluation
from pipelines.runs.metric_words import difference_text, metric_text, metric_words

if TYPE_CHECKING:
    import pandas as pd

MAX_BARS = 200
HEADLINE = ("Overall_Accuracy", "Macro_F1", "Log_Loss")
MEASURES = {
    "f1": "F1",
    "precision": _("Precision"),
    "recall": _("Recall"),
    "support": _("Images"),
}
"""Measures of each class and their titles."""


def headline_figures(folder: Path, suffix: str) -> dict[str, str]:
    """Return the main metrics of one input: Accuracy ``98.3 %``, Correct ``353 of 359``."""
    rows = evaluation.metric_table(folder).set_index("metric")
    values = rows["compared" if suffix else "value"].to_dict()
    names = [name for name in HEADLINE if name in values]
    shown = {metric_words(name): metric_text(name, values[name]) for name in names}
    right, images = evaluation.num_right(folder, suffix)
    return {**shown, _("Correct"): _("{right:,} of {images:,}", right=right, images=images)}


def show_metrics(subject: ViewedOutput, suffix: str) -> None:  # noqa: ARG001 - all tabs take both
    """Draw all metrics; two inputs side by side."""
    rows = in_words(evaluation.metric_table(subject.folder))
    st.dataframe(rows, key=subject.name("metrics"), hide_index=True, width="content")


def in_words(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the metrics with readable names and values: ``Accuracy`` and ``98.3 %``."""
    names = [str(name) for name in rows["metric"]]
    table: pd.DataFrame = rows.drop(columns="metric").apply(
        lambda column: [
            (difference_text if column.name == "difference" else metric_text)(*named_value)
            for named_value in zip(names, column, strict=True)
        ]
    )
    table.insert(0, "metric", [metric_words(name) for name in names])
    table.columns = table.columns.str.capitalize()
    return table


def show_classes(subject: ViewedOutput, suffix: str) -> None:
    """Draw a measure of each class as bars, and all of them as a table."""
    import altair as alt

    rows = evaluation.table(subject.folder, "per_class", suffix)
    measure = st.segmented_control(
        _("Measure"),
        list(MEASURES),
        default=next(iter(MEASURES)),
        format_func=MEASURES.__getitem__,
        required=True,
        key=subject.name(f"measure{suffix}"),
        label_visibility="collapsed",
    )
    ordered = rows.sort_values(str(measure), ignore_index=True).head(MAX_BARS)
    names = [str(name) for name in ordered["class"]]
    chart = (
        alt.Chart(ordered)
        .mark_bar()
        .encode(
            x=alt.X("class:N", sort=None, title=_("Lowest first"), axis=names_axis(names)),
            y=alt.Y(f"{measure}:Q", title=MEASURES[str(measure)]),
            tooltip=[
                "class:N",
                *(
                    alt.Tooltip(f"{name}:Q", title=words, format=".4~g")
                    for name, words in MEASURES.items()
                ),
            ],
        )
        .properties(height=HEIGHT)
    )
    draw_chart(subject, f"classes{suffix}-{measure}", chart, rows)
    table = rows.rename(columns={"class": _("Class"), **MEASURES})
    st.dataframe(
        table,
        key=subject.name(f"per-class{suffix}"),
        hide_index=True,
        width="stretch",
        column_config={**titled(table), **counts(MEASURES["support"])},
    )


def show_calibration(subject: ViewedOutput, suffix: str) -> None:
    """Draw accuracy against confidence; a calibrated model is on the diagonal."""
    import altair as alt

    rows = evaluation.table(subject.folder, "calibration", suffix)
    scale = alt.Scale(domain=[0, 1])
    bars = (
        alt.Chart(rows)
        .mark_bar(opacity=0.85)
        .encode(
            x=alt.X("bin_start:Q", title=_("Confidence"), scale=scale),
            x2="bin_end:Q",
            y=alt.Y("accuracy:Q", title=_("Accuracy"), scale=scale),
            y2=alt.datum(0),
            tooltip=[
                alt.Tooltip("confidence:Q", format=".3f"),
                alt.Tooltip("accuracy:Q", format=".3f"),
                alt.Tooltip("count:Q", title=_("images"), format=",d"),
            ],
        )
    )
    diagonal = (
        alt.Chart({"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]})
        .mark_line(strokeDash=[4, 4], color="gray")
        .encode(x="x:Q", y="y:Q")
    )
    draw_chart(
        subject, f"calibration{suffix}", alt.layer(bars, diagonal).properties(height=360), rows
    )
    st.caption(_("Bars below the line: the model is overconfident."))


def show_thresholds(subject: ViewedOutput, suffix: str) -> None:
    """Draw the effect of accepting only predictions above a confidence threshold."""
    import altair as alt

    scored = evaluation.scored_input(subject.outputs, subject.node, suffix)
    if scored is None:
        st.info(_("The scored dataset is no longer available. Run the earlier nodes again."))
        return
    name = st.selectbox(
        _("Class"),
        evaluation.classes(subject.folder, suffix),
        index=None,
        placeholder=_("All classes: accuracy above threshold"),
        key=subject.name(f"threshold-class{suffix}"),
        label_visibility="collapsed",
    )
    rows = evaluation.by_threshold(scored.folder, name)
    long = rows.melt("threshold", var_name="measure", value_name="value")
    chart = (
        alt.Chart(long)
        .mark_line()
        .encode(
            x=alt.X("threshold:Q", title=_("Confidence threshold")),
            y=alt.Y("value:Q", title=None, scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("measure:N", title=None, legend=alt.Legend(orient="top")),
            tooltip=[
                "measure:N",
                alt.Tooltip("threshold:Q", format=".2f"),
                alt.Tooltip("value:Q", format=".3f"),
            ],
        )
        .properties(height=360)
    )
    part = f"threshold{suffix}" + ("" if name is None else "-of-a-class")
    draw_chart(subject, part, chart, rows)
    if name is None:
        _abstentions(subject, scored.folder, suffix)


def _abstentions(subject: ViewedOutput, folder: Path, suffix: str) -> None:
    """Draw the share of images that is answered if few answers may be wrong."""
    rows = [
        {
            _("Wrong answers, at most"): f"{100 * fit.allowed:.0f} %",
            _("Images answered"): f"{100 * fit.answered:.1f} %",
            _("Confidence threshold"): f"{fit.threshold:.3f}",
            _("Wrong answers"): f"{100 * fit.wrong:.1f} %",
            _("New images, up to (95 %)"): f"{100 * fit.wrong_at_most:.1f} %",
        }
        for fit in evaluation.thresholds_for(folder)
    ]
    if not rows:
        st.caption(_("At no confidence are at most 5 % of the answers wrong."))
        return
    st.write(_("If the model answers “I do not know” below a threshold:"))
    st.dataframe(rows, key=subject.name(f"abstentions{suffix}"), hide_index=True, width="content")
    st.caption(_("Confidence Threshold stores such a threshold in a model."))
