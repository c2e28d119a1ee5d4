"""The metrics of the runs: last values with what they differ by, and their curves overlaid."""

from __future__ import annotations

import streamlit as st

from designer_app.elements.curve_chart import CurvePoint, curve_chart
from designer_app.screens.compare.compared_runs import ComparisonView
from modules.formatting import format_number
from pipelines.runs.comparison import MetricComparison

SHOWN_CHARTS = 24
COLUMNS = 2


def metrics(compared: ComparisonView) -> None:
    """Draw the tab."""
    found = compared.comparison.metrics
    if not found:
        st.info("None of the runs logged a metric. Compare runs that train or evaluate a model.")
        return
    st.caption("The last value in each run; in brackets how far it is from that of the first.")
    rows = [_row(compared, each) for each in found]
    st.dataframe(rows, hide_index=True, width="stretch", key="compare-metrics")
    curves = compared.comparison.curves
    columns = st.columns(COLUMNS, gap="medium")
    for place, curve in enumerate(curves[:SHOWN_CHARTS]):
        title = f"{compared.titles.get(curve.node, curve.node)}: {curve.metric}"
        points = [
            CurvePoint(label, curve.metric, point.step, point.value)
            for label, run in zip(compared.labels, curve.points, strict=True)
            for point in run
        ]
        with columns[place % COLUMNS]:
            key = f"compare-curve-{place}"
            first = compared.runs[0].run_id
            curve_chart(compared.application, first, title, points, key=key, series="Run")
    if len(curves) > SHOWN_CHARTS:
        st.caption(f"And {len(curves) - SHOWN_CHARTS:,} more curves: see them on the runs' pages.")


def _row(compared: ComparisonView, metric: MetricComparison) -> dict[str, str]:
    row = {"Node": compared.titles.get(metric.node, metric.node), "Metric": metric.metric}
    for label, value, delta in zip(compared.labels, metric.values, metric.deltas, strict=True):
        differs = f" ({delta:+.3g})" if delta else ""
        row[label] = f"{format_number(value)}{differs}"
    return row
