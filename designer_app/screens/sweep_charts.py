"""Charts of a sweep: best value over time, parallel coordinates, importance."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from designer_app.elements.curve_chart import outlier_marks
from designer_app.elements.outliers import clip_limit
from designer_app.screens.sweep_titles import space_words
from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.viewers.charts import is_dark
from modules.search.spaces import value_text
from pipelines.runs.metric_words import is_share, metric_words
from pipelines.store.database.sweeps import TrialRow
from pipelines.sweeps.importance import FEWEST_TRIALS, importance
from pipelines.sweeps.sweeps import Sweep

if TYPE_CHECKING:
    from pipelines.document.settings import SweepSpace

HEIGHT = 240
LIGHT, DARK = ("#2b69de", "#b06c0d", "#6f7a88"), ("#6c9cff", "#e6a94a", "#9aa5b3")
"""Colors of the best value, the worst one and a trial by theme, and with those between them a
contrast of 4:1 or more on its background."""
SHORT_MINUTES = 3
"""Length of a sweep below which its chart has seconds."""
AREA = "area"
"""Name of the selection in the parallel coordinates."""
TURN = "sweep-coordinates-turn"


def best_so_far(sweep: Sweep) -> None:
    """Draw the reported value of each trial and the best one so far, also of stopped trials."""
    import altair as alt
    import pandas as pd

    objective = sweep.settings.objective
    assert objective is not None
    is_max = objective.goal == "maximize"
    st.markdown(f"**{plain(_('Best value so far'))}**")
    data = pd.DataFrame(best_rows(sweep.own_trials, sweep.row.created, is_max=is_max))
    is_short = data["minutes"].max() < SHORT_MINUTES
    data["time"] = data["minutes"] * (60 if is_short else 1)
    title = metric_words(objective.metric)
    best_color, _worst, trial_color = _theme_colors()
    limit = None if is_max else clip_limit(data["value"])  # the worst are above
    ends: dict[str, Any] = {} if limit is None else {"domainMax": limit, "clamp": True}
    time = alt.X(
        "time:Q",
        title=_("Seconds since the start") if is_short else _("Minutes since the start"),
        scale=alt.Scale(zero=False),
        axis=alt.Axis(tickCount=6),
    )
    scale = alt.Scale(zero=False, **ends)
    axis = alt.Axis(format=_number_format(objective.metric, "~g"))
    points = alt.Chart(data).mark_circle(size=50, opacity=1, color=trial_color)
    points = points.encode(
        x=time,
        y=alt.Y("value:Q", title=title, scale=scale, axis=axis),
        tooltip=[
            alt.Tooltip("trial:Q", title=_("Trial")),
            alt.Tooltip("value:Q", title=title, format=_number_format(objective.metric, ".4g")),
        ],
    )
    line = alt.Chart(data).mark_line(interpolate="step-after", strokeWidth=2, color=best_color)
    line = line.encode(x=time, y=alt.Y("best:Q", title=title, scale=scale, axis=axis))
    marks = [] if limit is None else [outlier_marks(points, limit)]
    chart = alt.layer(line, points, *marks).properties(height=HEIGHT)
    with st.container(key="sweep-best-drawn"):  # its room is kept before it is drawn
        st.altair_chart(chart, width="stretch", key="sweep-best")


def _theme_colors() -> tuple[str, str, str]:
    """Return the colors of the best value, the worst one and a trial in the current theme."""
    return DARK if is_dark() else LIGHT


def _number_format(metric: str, other: str) -> str:
    """Return the format of Vega for a metric: ``81.7%`` for a share, else ``other``."""
    return ".1~%" if is_share(metric) else other


def best_rows(
    trials: Sequence[TrialRow], started: float, *, is_max: bool
) -> list[dict[str, float]]:
    """Return the minutes, the value and the best value so far of trials that reported one."""
    reported = [trial for trial in trials if trial.objective is not None]
    reported.sort(key=lambda trial: (trial.finished or trial.created, trial.number))
    rows: list[dict[str, float]] = []
    best = -math.inf if is_max else math.inf
    for trial in reported:
        value = trial.objective or 0.0
        best = max(best, value) if is_max else min(best, value)
        minutes = ((trial.finished or trial.created) - started) / 60
        rows.append({"minutes": minutes, "value": value, "best": best, "trial": trial.number})
    return rows


def importances(sweep: Sweep, titles: Mapping[str, str]) -> None:
    """Draw the importance of each parameter, with the method."""
    import altair as alt
    import pandas as pd

    st.markdown(f"**{plain(_('Importance of the parameters'))}**")
    if sweep.is_active:
        st.caption(_("Estimated when the sweep has ended."))
        return
    key = f"sweep-importance-{sweep.id}-{sweep.row.finished}"
    if key not in st.session_state:  # it takes a second
        st.session_state[key] = importance(sweep.settings.parameters, sweep.own_trials)
    shares = st.session_state[key]
    if shares is None:
        text = _("It needs at least {count} trials with different results.", count=FEWEST_TRIALS)
        st.caption(text)
        return
    names = [titles.get(place, place) for place in shares]
    data = pd.DataFrame({"parameter": names, "share": list(shares.values())})
    chart = (
        alt.Chart(data)
        .mark_bar()
        .encode(
            x=alt.X("share:Q", title=None, axis=alt.Axis(format="%")),
            y=alt.Y("parameter:N", title=None, sort="-x", axis=alt.Axis(labelLimit=180)),
            tooltip=[alt.Tooltip("share:Q", format=".0%", title=_("Share"))],
        )
        .properties(height=max(80, 36 * len(shares)))
    )
    st.altair_chart(chart, width="stretch", key="sweep-importance")
    st.caption(_("Method: permutation importance of a random forest (R², scikit-learn)."))


def parallel_coordinates(sweep: Sweep, titles: Mapping[str, str]) -> frozenset[int] | None:
    """Draw a line for each trial through its values to its result.

    Returns the numbers of the trials in the area that the user selected; None without one.
    """
    import altair as alt
    import pandas as pd

    objective = sweep.settings.objective
    assert objective is not None
    ended = [trial for trial in sweep.own_trials if trial.objective is not None]
    if len(ended) < 2:
        return None
    metric = metric_words(objective.metric)
    spaces = sweep.settings.parameters
    axes = [*titles.values(), metric]
    is_max = objective.goal == "maximize"
    limit = None if is_max else clip_limit(trial.objective for trial in ended)
    heights = _heights(sweep, ended, metric, titles, limit)
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
    st.markdown(f"**{plain(_('All trials'))}**")
    nearest = alt.selection_point(fields=["trial"], on="pointerover", empty=True)
    visible = alt.BrushConfig(fill="#2b69de", fillOpacity=0.2, stroke="#2b69de")  # in both themes
    area = alt.selection_interval(name=AREA, encodings=["x", "y"], mark=visible)
    best_color, worst_color, _trial = _theme_colors()
    colours = [worst_color, best_color] if is_max else [best_color, worst_color]
    ends: dict[str, Any] = {} if limit is None else {"domainMax": limit}
    axis = alt.Axis(labelAngle=0, labelLimit=200, grid=True)  # a line for each parameter
    chart = (
        alt.Chart(pd.DataFrame(rows))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("axis:N", sort=axes, title=None, axis=axis),
            y=alt.Y("height:Q", axis=None, scale=alt.Scale(domain=[0, 1])),
            detail="trial:N",
            color=alt.Color(
                "value:Q",
                title=metric,
                legend=alt.Legend(format=_number_format(objective.metric, ".2~g")),
                scale=alt.Scale(range=colours, interpolate="lab", clamp=True, **ends),
            ),
            opacity=alt.condition(nearest, alt.value(1), alt.value(0.1)),
            tooltip=[
                alt.Tooltip("trial:N", title=_("Trial")),
                alt.Tooltip(
                    "value:Q", title=metric, format=_number_format(objective.metric, ".4g")
                ),
                alt.Tooltip("label:N", title=_("Values")),
            ],
        )
        .add_params(nearest, area)
        .properties(height=HEIGHT)
    )
    turn = st.session_state.get(TURN, 0)
    state: Any
    with st.container(key="sweep-coordinates-drawn"):
        state = st.altair_chart(
            chart,
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


def _heights(
    sweep: Sweep,
    ended: list[TrialRow],
    metric: str,
    titles: Mapping[str, str],
    limit: float | None,
) -> dict[int, dict[str, float]]:
    """Return the places of each trial on the axes, 0 to 1, by its number.

    Results above the ``limit``, if there is one, are at the top.
    """
    values = [trial.objective or 0.0 for trial in ended]
    low, high = min(values), max(values) if limit is None else limit
    heights: dict[int, dict[str, float]] = {}
    for trial in ended:
        spaces = sweep.settings.parameters
        own = {titles[place]: _height(space, trial, place) for place, space in spaces.items()}
        share = (trial.objective or 0.0) - low
        own[metric] = min(1.0, share / (high - low)) if high > low else 0.5
        heights[trial.number] = own
    return heights


def _selected(
    heights: dict[int, dict[str, float]], area: dict[str, Any], turn: int
) -> frozenset[int] | None:
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


def trials_in(heights: dict[int, dict[str, float]], area: dict[str, Any]) -> frozenset[int] | None:
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


def _height(space: SweepSpace, trial: TrialRow, place: str) -> float:
    """Return the place of a trial's value on its axis, 0 to 1."""
    value = trial.values.get(place)
    if space.kind == "choices":
        texts = [json.dumps(choice, sort_keys=True) for choice in space.choices]
        text = json.dumps(value, sort_keys=True)
        place_of = texts.index(text) if text in texts else 0
        return place_of / max(1, len(texts) - 1)
    low, high, at = float(space.low or 0), float(space.high or 1), float(str(value))
    if space.kind == "log":
        low, high, at = math.log(low), math.log(high), math.log(at)
    return (at - low) / (high - low)
