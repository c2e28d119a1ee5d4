"""Parallel coordinates of a sweep: a line for each trial through its values to its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.elements.outliers import clip_limit
from designer_app.screens.sweep_axes import (
    AxisTick,
    height_on,
    result_ticks,
    share_between,
    space_ticks,
)
from designer_app.screens.sweep_charts import number_format, theme_colors
from designer_app.screens.sweep_titles import space_words
from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.viewers.charts import is_dark
from modules.search.spaces import value_text
from pipelines.runs.metric_words import metric_words
from pipelines.store.database.sweeps import TrialRow
from pipelines.sweeps.sweeps import Sweep

if TYPE_CHECKING:
    import altair as alt

Heights = dict[int, dict[str, float]]
"""Places of each trial on the axes, 0 to 1, by its number."""

HEIGHT = 260
LIGHT_TEXT, DARK_TEXT = ("#4f5a6a", "#ffffff"), ("#adb7c5", "#1a1f28")
"""Colors of the ticks' texts and of their outline, the page's background, by theme."""
AREA = "area"
"""Name of the selection in the chart."""
TURN = "sweep-coordinates-turn"

PADDING, LEFT_SHARE = 0.6, 0.2
"""Margins of the outer axes, in distances between axes: 0.24 at the left and 0.96 at the right,
where the texts of the last axis are as long as those of the others."""
TEXT_SHARE = 2 * PADDING * (1 - LEFT_SHARE)
"""Part of the distance between two axes that a text may fill."""
BEYOND = 0.05
"""Room above and below the axes, in which a drag over the end of an axis can start."""
NARROW_PIXELS = 120
"""Distance between two axes below which each word of a title has its own line."""
FONT_PIXELS = 11


def parallel_coordinates(sweep: Sweep, titles: Mapping[str, str]) -> frozenset[int] | None:
    """Draw a line for each trial through its values to its result.

    Returns the numbers of the trials in the area that the user selected; None without one.
    """
    objective = sweep.settings.objective
    assert objective is not None
    ended = [trial for trial in sweep.own_trials if trial.objective is not None]
    if len(ended) < 2:
        return None
    metric = metric_words(objective.metric)
    spaces = sweep.settings.parameters
    limit = None if objective.goal == "maximize" else clip_limit(one.objective for one in ended)
    ends = result_ends(ended, limit)
    ticks = {titles[place]: space_ticks(space) for place, space in spaces.items()}
    ticks[metric] = result_ticks(objective.metric, *ends)
    heights: Heights = {}
    for trial in ended:
        own = {
            titles[one]: height_on(space, trial.values.get(one)) for one, space in spaces.items()
        }
        own[metric] = min(1.0, share_between(*ends, trial.objective or 0.0))
        heights[trial.number] = own
    st.markdown(f"**{plain(_('All trials'))}**")
    turn = st.session_state.get(TURN, 0)
    state: Any
    with st.container(key="sweep-coordinates-drawn"):
        state = st.altair_chart(
            _chart(_lines(sweep, ended, heights, titles, limit), ticks),
            width="stretch",
            key=f"sweep-coordinates-{turn}",
            on_select="rerun",
            selection_mode=AREA,
        )
    ranges = "; ".join(f"{titles[place]}: {space_words(space)}" for place, space in spaces.items())
    st.caption(plain(_("Each axis from bottom to top: {ranges}.", ranges=ranges)))
    if limit is not None:
        st.caption(plain(_("Results above {limit} are drawn at the top.", limit=f"{limit:.4g}")))
    return _selected(heights, (state.selection or {}).get(AREA) or {}, turn)


def result_ends(ended: Sequence[TrialRow], limit: float | None) -> tuple[float, float]:
    """Return the ends of the axis of results; results above the ``limit`` are at its top."""
    values = [trial.objective or 0.0 for trial in ended]
    return min(values), max(values) if limit is None else limit


def _lines(
    sweep: Sweep,
    ended: Sequence[TrialRow],
    heights: Heights,
    titles: Mapping[str, str],
    limit: float | None,
) -> alt.Chart:
    """Return the lines of the trials, with what can be selected of them."""
    import altair as alt
    import pandas as pd

    objective = sweep.settings.objective
    assert objective is not None
    metric, is_max = metric_words(objective.metric), objective.goal == "maximize"
    rows = [
        {
            "trial": trial.number,
            "value": trial.objective,
            "label": ", ".join(
                f"{title} {value_text(trial.values[place])}" for place, title in titles.items()
            ),
            "axis": axis,
            "height": height,
        }
        for trial in ended
        for axis, height in heights[trial.number].items()
    ]
    nearest = alt.selection_point(fields=["trial"], on="pointerover", empty=True)
    visible = alt.BrushConfig(fill="#2b69de", fillOpacity=0.2, stroke="#2b69de")  # in both themes
    area = alt.selection_interval(name=AREA, encodings=["x", "y"], mark=visible)
    best_color, worst_color, _trial = theme_colors()
    colors = [worst_color, best_color] if is_max else [best_color, worst_color]
    ends: dict[str, Any] = {} if limit is None else {"domainMax": limit}
    legend = alt.Legend(
        format=number_format(objective.metric, ".2~g"),
        orient="top",  # at the right it would take the room of an axis
        titleOrient="left",
        offset=10,
        gradientLength=120,
        gradientThickness=10,
    )
    lines: alt.Chart = (
        alt.Chart(pd.DataFrame(rows))
        .mark_line(strokeWidth=2)
        .encode(
            detail="trial:N",
            color=alt.Color(
                "value:Q",
                title=metric,
                legend=legend,
                scale=alt.Scale(range=colors, interpolate="lab", clamp=True, **ends),
            ),
            opacity=alt.condition(nearest, alt.value(1), alt.value(0.1)),
            tooltip=[
                alt.Tooltip("trial:N", title=_("Trial")),
                alt.Tooltip("value:Q", title=metric, format=number_format(objective.metric, ".4g")),
                alt.Tooltip("label:N", title=_("Values")),
            ],
        )
        .add_params(nearest, area)
    )
    return lines


def _chart(
    lines: alt.Chart, ticks: Mapping[str, Sequence[AxisTick]]
) -> alt.LayerChart | alt.FacetChart:
    """Return the lines on axes with ticks; the texts of an axis are at its right."""
    import altair as alt
    import pandas as pd

    distance = f"width / {len(ticks) - 1 + 2 * PADDING}"
    room = alt.ExprRef(expr=f"{TEXT_SHARE} * {distance} - 12")
    color, outline = DARK_TEXT if is_dark() else LIGHT_TEXT
    x = alt.X(
        "axis:N",
        title=None,
        scale=alt.Scale(type="point", domain=list(ticks), padding=PADDING, align=LEFT_SHARE),
        axis=alt.Axis(
            domain=False,
            ticks=False,
            grid=True,  # a line for each axis
            labelAlign="left",
            labelAngle=0,
            labelBaseline="top",
            labelExpr=f"{distance} < {NARROW_PIXELS} ? split(datum.label, ' ') : datum.label",
            labelLimit=room,
            labelPadding=10,
        ),
    )
    y = alt.Y("height:Q", axis=None, scale=alt.Scale(domain=[-BEYOND, 1 + BEYOND], nice=False))
    rows = [{"axis": axis, **tick._asdict()} for axis, own in ticks.items() for tick in own]
    marks = alt.Chart(pd.DataFrame(rows)).encode(x=x, y=y)
    texts = marks.encode(alt.Text("label:N"))
    style: dict[str, Any] = {"align": "left", "baseline": "middle", "dx": 7, "aria": False}
    style |= {"fontSize": FONT_PIXELS, "limit": room}
    return alt.layer(
        lines.encode(x=x, y=y),
        marks.mark_point(shape="stroke", size=60, color=color, opacity=1, aria=False),
        # lines behind a text would make it illegible
        texts.mark_text(stroke=outline, strokeWidth=4, strokeJoin="round", **style),
        texts.mark_text(color=color, **style),
    ).properties(height=HEIGHT)


def _selected(heights: Heights, area: dict[str, Any], turn: int) -> frozenset[int] | None:
    """Return the trials whose lines cross the area at each of its axes, and draw its end."""
    numbers = trials_in(heights, area)
    if numbers is None:
        st.caption(_("Drag over a part of an axis to show only those trials in the table."))
        return None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        count = len(numbers)
        st.caption(
            _("{count} of {total} trials are selected.", count=count, total=len(heights)),
            width="content",
        )
        st.button(
            _("Show all trials"),
            key="sweep-show-all",
            icon=":material/filter_alt_off:",
            on_click=_clear_area,
            args=(turn,),
        )
    return numbers


def _clear_area(turn: int) -> None:
    """Have the chart drawn again: a new one has no area."""
    st.session_state[TURN] = turn + 1


def trials_in(heights: Heights, area: dict[str, Any]) -> frozenset[int] | None:
    """Return the numbers of the trials that are in an area at each of its axes.

    Args:
        heights: Places of each trial on the axes, by its number.
        area: Selection of the chart: names of axes and a range of heights.

    Returns:
        None if the area touches no axis.
    """
    axes, between = area.get("axis") or [], area.get("height") or []
    if not axes or len(between) != 2:
        return None
    low, high = min(between), max(between)
    return frozenset(
        number
        for number, own in heights.items()
        if all(axis in own and low <= own[axis] <= high for axis in axes)
    )
