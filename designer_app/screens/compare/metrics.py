"""Metrics tab: results with their differences from the baseline, and overlaid curves."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from designer_app.elements.curve_chart import ChartPoint, curve_chart
from designer_app.elements.theme_watch import redraw_in_another_theme
from designer_app.screens.compare.compared_runs import ComparisonView
from designer_app.translation import _
from designer_app.ui.page_parts import room_for_table
from designer_app.viewers.charts import is_dark
from pipelines.runs.comparison import MetricComparison
from pipelines.runs.metric_words import (
    difference_text,
    displayed,
    is_duration,
    metric_text,
    metric_words,
)

SHOWN_CHARTS = 24
COLUMNS = 2
LIGHT, DARK = ("#0f7345", "#b3282d"), ("#56cf95", "#ff8e86")
"""Colors of better and worse values by theme, as in the editor; contrast 4.5:1 on tables."""


def metrics(compared: ComparisonView) -> None:
    """Draw the tab."""
    compared_metrics = compared.comparison.metrics
    if not compared_metrics:
        st.info(
            _("None of these runs logged a metric. Compare runs that train or evaluate a model.")
        )
        return
    baseline = compared.letter(0)
    st.caption(
        _(
            "Values of the epoch whose model is kept; difference from baseline {run} in "
            "parentheses.",
            run=baseline,
        )
    )
    quality = [metric for metric in compared_metrics if not is_duration(metric.metric)]
    _table(compared, quality, "compare-metrics")
    durations = [metric for metric in compared_metrics if is_duration(metric.metric)]
    if durations:
        with st.expander(_("Speed and time"), expanded=not quality):
            _table(compared, durations, "compare-durations")
    redraw_in_another_theme("compare-theme")
    curves = compared.comparison.curves
    columns = st.columns(COLUMNS, gap="medium")
    for place, curve in enumerate(curves[:SHOWN_CHARTS]):
        title = f"{compared.titles.get(curve.node, curve.node)}: {metric_words(curve.metric)}"
        points = [
            ChartPoint(label, curve.metric, point.step, point.value)
            for label, run in zip(compared.labels, curve.points, strict=True)
            for point in run
        ]
        with columns[place % COLUMNS]:
            key = f"compare-curve-{place}"
            first = compared.runs[0].run_id
            curve_chart(compared.application, first, title, points, key=key, series=_("Run"))
    if len(curves) > SHOWN_CHARTS:
        st.caption(
            _(
                "And {count:,} more curves. See the pages of the runs.",
                count=len(curves) - SHOWN_CHARTS,
            )
        )


def _table(compared: ComparisonView, metrics: Sequence[MetricComparison], key: str) -> None:
    if not metrics:
        return
    rows = pd.DataFrame([_row(compared, metric) for metric in metrics])
    coloured = rows.style.apply(lambda _: _colours(compared, metrics), axis=None)
    with room_for_table(key, len(rows)):
        st.dataframe(coloured, hide_index=True, width="stretch", key=key)


def _row(compared: ComparisonView, metric: MetricComparison) -> dict[str, str]:
    row = {_("Node"): compared.titles.get(metric.node, metric.node), _("Metric"): metric.label}
    for label, value, delta in zip(compared.labels, metric.values, seen(metric), strict=True):
        row[label] = f"{metric_text(metric.metric, value)}{_difference(metric.metric, delta)}"
    return row


def seen(metric: MetricComparison) -> list[float | None]:
    """Return the difference of each displayed value from the first; none if there is none."""
    shown = [None if value is None else displayed(metric.metric, value) for value in metric.values]
    first = next((value for value in shown if value is not None), None)
    return [
        None if value is None or first is None or value == first else value - first
        for value in shown
    ]


def _difference(metric: str, delta: float | None) -> str:
    """Return the difference: `` (+3.1 points)`` for a share, `` (-0.24)`` for a loss, or empty."""
    return f" ({difference_text(metric, delta)})" if delta else ""


def _colours(compared: ComparisonView, metrics: Sequence[MetricComparison]) -> pd.DataFrame:
    """Return the cell colors: green if better than the baseline, red if worse.

    The first two columns are text.
    """
    better_and_worse = DARK if is_dark() else LIGHT
    rows = [
        [
            "",
            "",
            *(_colour(delta, metric.higher_is_better, better_and_worse) for delta in seen(metric)),
        ]
        for metric in metrics
    ]
    return pd.DataFrame(rows, columns=[_("Node"), _("Metric"), *compared.labels])


def _colour(
    delta: float | None, higher_is_better: bool | None, better_and_worse: tuple[str, str]
) -> str:
    if not delta or higher_is_better is None:
        return ""
    better, worse = better_and_worse
    return f"color: {better if (delta > 0) == higher_is_better else worse}"
