"""Chart of curves in the page's theme, with downloads as PNG, SVG or data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from designer_app.application import Application
from designer_app.elements.chart_download import EMBEDDING, chart_saver
from designer_app.elements.outliers import clip_limit
from designer_app.elements.ticks import round_values
from designer_app.translation import _
from designer_app.ui.markdown import plain
from pipelines.runs.metric_words import is_share

if TYPE_CHECKING:
    import altair as alt

HEIGHT = 240
LETTERS_OF_A_LINE = 60
"""Length of names above which the legend has two columns, as many as fit on a phone."""
MARKED_POINTS = 40
"""Length of curves below which points are marked."""


MOST_STEPS = 8
"""Number of distances between ticks of steps, whose texts fit next to each other on a phone."""


class ChartPoint(NamedTuple):
    """Point of a curve of a chart."""

    series: str
    metric: str
    step: int
    value: float | None


def curve_chart(
    application: Application,
    run_id: str,
    title: str,
    points: Sequence[ChartPoint],
    *,
    key: str,
    series: str,
) -> None:
    """Draw the curves of one metric; ``series`` is the title of what distinguishes them.

    Downloads include the pipeline of the run.
    """
    with st.container(border=True, gap=None):
        st.markdown(f"**{plain(title)}**")
        drawn = f"{key}-drawn"
        with st.container(key=drawn):
            st.altair_chart(_chart(title, points, series), key=key, width="stretch")
        name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "curve"
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            chart_saver(application, run_id, chart=drawn, name=name)
            st.download_button(
                _("Data"),
                lambda: _csv(points),
                f"{name}.csv",
                "text/csv",
                key=f"{key}-csv",
                on_click="ignore",
                type="tertiary",
            )


def step_axis(field: str, steps: Iterable[int], title: str | None = None) -> alt.X:
    """Return the axis of steps or epochs, which has the same ticks for the same range.

    Vega chooses ticks by the width of a chart, which the texts of its other axis change.
    """
    import altair as alt

    known = sorted({int(step) for step in steps})
    if not known:
        return alt.X(field, title=title)
    low, high = known[0], known[-1]
    ticks = round_values(low, high, MOST_STEPS, is_whole=True)
    axis = alt.Axis(format="~s", values=ticks, tickCount=len(ticks))
    return alt.X(field, title=title, scale=alt.Scale(domain=[low, high], nice=False), axis=axis)


def value_axis(metric: str, limit: float | None = None) -> alt.Y:
    """Return the axis of a metric's values: shares in percent, rounded numbers.

    ``limit`` is its upper end; values above it are drawn there.
    """
    import altair as alt

    ends: dict[str, Any] = {} if limit is None else {"domainMax": limit, "clamp": True}
    axis = alt.Axis(format=".2~%" if is_share(metric) else ",.4~r")
    return alt.Y("value:Q", title=None, scale=alt.Scale(zero=False, **ends), axis=axis)


def _csv(points: Sequence[ChartPoint]) -> str:
    import pandas as pd

    return pd.DataFrame(points, columns=list(ChartPoint._fields)).to_csv(index=False)


def _chart(
    title: str, points: Sequence[ChartPoint], series: str
) -> alt.LayerChart | alt.FacetChart:
    import altair as alt
    import pandas as pd

    names = list(dict.fromkeys(point.series for point in points))
    longest = max((sum(p.series == name for p in points) for name in names), default=0)
    rows = [{"series": point.series, "step": point.step, "value": point.value} for point in points]
    columns = 2 if sum(map(len, names)) > LETTERS_OF_A_LINE else 0
    top = alt.Legend(title=None, orient="top", offset=4, padding=0, columns=columns, labelLimit=120)
    legend = top if len(names) > 1 else None
    metric = points[0].metric if points else ""
    limit = clip_limit(point.value for point in points)
    lines = (
        alt.Chart(pd.DataFrame(rows, columns=["series", "step", "value"]))
        .mark_line(point={"size": 26} if longest <= MARKED_POINTS else False, strokeWidth=2)
        .encode(
            x=step_axis("step:Q", (point.step for point in points)),
            y=value_axis(metric, limit),
            color=alt.Color(
                "series:N", sort=names, legend=legend, title=series, scale=alt.Scale(domain=names)
            ),
            tooltip=[
                alt.Tooltip("series:N", title=series),
                alt.Tooltip("step:Q", title=_("step")),
                alt.Tooltip("value:Q", title=title, format=".4~g"),
            ],
        )
    )
    marks = [] if limit is None else [outlier_marks(lines, limit)]
    return alt.layer(lines, *marks).properties(height=HEIGHT, usermeta=EMBEDDING)


def outlier_marks(lines: alt.Chart, limit: float) -> alt.Chart:
    """Return arrows at the upper edge for the points above it; their tooltips have the values."""
    import altair as alt

    marks: alt.Chart = (
        lines.transform_filter(alt.datum.value > limit)
        .mark_point(shape="triangle-up", size=80, filled=True, opacity=1)
        .encode(y=alt.value(0))
    )
    return marks
