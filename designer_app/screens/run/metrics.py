"""Metrics tab: the curves of the chosen nodes, live, with downloads as PNG, SVG and CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from designer_app.elements.curve_chart import ChartPoint, curve_chart
from designer_app.screens.run.run_view import RunView
from designer_app.translation import _
from designer_app.ui.markdown import plain
from pipelines.runs.curves import MAX_POINTS, Curves, thinned_metrics
from pipelines.runs.inherited_metrics import inherited_curves
from pipelines.runs.metric_words import metric_text, metric_words

FIRST = ("Train loss", "Valid loss", "Top-1 validation accuracy")
SHOWN_NODES = 6
SHOWN_CHARTS = 24
COLUMNS = 2
FEWEST_POINTS = 100


def metrics(subject: RunView) -> None:
    """Draw the tab."""
    runs = subject.application.session.runs
    inherited = inherited_curves(runs, subject.id)
    own = runs.store.curve_names(subject.id)
    names = [*own, *((node, name) for node, curves in inherited.items() for name in curves)]
    if not names:
        st.info(
            _("No metrics yet. A training logs one point per epoch.")
            if subject.is_live
            else _("No metrics logged.")
        )
        return
    _reused(subject, list(inherited))
    owners = {node for node, _ in names}
    nodes = _chosen_nodes(subject, [node for node in subject.titles if node in owners])
    wanted = sorted({name for node, name in names if node in nodes}, key=_rank)
    points = _points(subject, nodes, inherited)
    drawn = [name for name in wanted if name in FIRST or _is_curve(points, name)]
    _charts(subject, drawn, points)
    _values([point for point in points if point.metric not in drawn])
    st.download_button(
        _("All points as CSV"),
        lambda: csv_of(subject),
        f"{subject.id}-metrics.csv",
        "text/csv",
        key="run-metrics-csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _is_curve(points: Sequence[ChartPoint], name: str) -> bool:
    """Return True if a node logged the metric more than once."""
    often = Counter(point.series for point in points if point.metric == name)
    return max(often.values(), default=0) > 1


def _charts(subject: RunView, names: Sequence[str], points: Sequence[ChartPoint]) -> None:
    columns = st.columns(COLUMNS, gap="medium")
    for place, name in enumerate(names[:SHOWN_CHARTS]):
        with columns[place % COLUMNS]:
            mine = [point for point in points if point.metric == name]
            key = f"run-curve-{name}"
            title = metric_words(name)
            curve_chart(subject.application, subject.id, title, mine, key=key, series=_("Node"))
    if len(names) > SHOWN_CHARTS:
        st.caption(
            _("And {count:,} more metrics. Select fewer nodes.", count=len(names) - SHOWN_CHARTS)
        )


def _values(points: Sequence[ChartPoint]) -> None:
    """Draw a table of values that were logged once and thus have no curve."""
    if not points:
        return
    st.subheader(_("Single values"), anchor=False)
    rows = [
        {
            _("Node"): point.series,
            _("Metric"): metric_words(point.metric),
            _("Value"): metric_text(point.metric, point.value),
        }
        for point in points
    ]
    st.dataframe(rows, hide_index=True, width="stretch", key="run-values")


def _chosen_nodes(subject: RunView, nodes: Sequence[str]) -> list[str]:
    if len(nodes) == 1:
        return list(nodes)
    return st.multiselect(
        _("Nodes"),
        nodes,
        list(nodes[:SHOWN_NODES]),
        format_func=lambda node: subject.titles.get(node, node),
        key=f"run-metric-nodes-{subject.id}",
        placeholder=_("Select nodes to see their curves"),
    )


def _points(subject: RunView, nodes: Sequence[str], inherited: Curves) -> list[ChartPoint]:
    """Return the thinned curves of some nodes: a chart has a limited number of pixel columns."""
    most = max(FEWEST_POINTS, MAX_POINTS // max(1, len(nodes)))
    store = subject.application.session.runs.store
    curves = dict(inherited)
    for node in nodes:
        curves |= thinned_metrics(store, subject.id, node, most=most)
    return [
        ChartPoint(subject.titles.get(node, node), name, point.step, point.value)
        for node in nodes
        for name, curve in curves.get(node, {}).items()
        for point in curve
    ]


def _reused(subject: RunView, nodes: Sequence[str]) -> None:
    """Draw which metrics come from another run, with links to it."""
    if not nodes:
        return
    titles = ", ".join(subject.titles.get(node, node) for node in nodes[:SHOWN_NODES])
    if len(nodes) > SHOWN_NODES:
        titles = _("{names} and {count:,} more", names=titles, count=len(nodes) - SHOWN_NODES)
    makers = {subject.state.steps[node].reused_from for node in nodes} - {None}
    words = _(
        "{nodes} {count:was|were} reused: these metrics were measured in "
        "{runs:an earlier run|earlier runs}. See Lineage.",
        nodes=plain(titles),
        count=len(nodes),
        runs=len(makers),
    )
    st.caption(f":material/recycling: {words}")


def csv_of(subject: RunView) -> bytes:
    """Return all points of all curves measured in the run; those of reused nodes are thinned."""
    import pandas as pd

    runs = subject.application.session.runs
    rows = [vars(point) for point in runs.store.metrics(subject.id)]
    for node, curves in inherited_curves(runs, subject.id).items():
        for name, points in curves.items():
            rows += [{"node": node, "name": name, **asdict(point)} for point in points]
    frame = pd.DataFrame(rows)
    return frame.to_csv(index=False).encode()


def _rank(name: str) -> tuple[int, str]:
    return (FIRST.index(name) if name in FIRST else len(FIRST), name)
