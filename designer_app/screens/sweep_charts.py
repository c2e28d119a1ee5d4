"""Charts of a sweep: best value over time, importance of the parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from designer_app.elements.curve_chart import outlier_marks
from designer_app.elements.outliers import clip_limit
from designer_app.translation import _
from designer_app.ui.markdown import plain
from designer_app.viewers.charts import is_dark
from pipelines.runs.metric_words import is_share, metric_words
from pipelines.store.database.sweeps import TrialRow
from pipelines.sweeps.importance import FEWEST_TRIALS, importance
from pipelines.sweeps.sweeps import Sweep

HEIGHT = 240
LIGHT, DARK = ("#2b69de", "#b06c0d", "#6f7a88"), ("#6c9cff", "#e6a94a", "#9aa5b3")
"""Colors of the best value, the worst one and a trial by theme, and with those between them a
contrast of 4:1 or more on its background."""
SHORT_MINUTES = 3
"""Length of a sweep below which its chart has seconds."""


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
    best_color, _worst, trial_color = theme_colors()
    limit = None if is_max else clip_limit(data["value"])  # the worst are above
    ends: dict[str, Any] = {} if limit is None else {"domainMax": limit, "clamp": True}
    time = alt.X(
        "time:Q",
        title=_("Seconds since the start") if is_short else _("Minutes since the start"),
        scale=alt.Scale(zero=False),
        axis=alt.Axis(tickCount=6),
    )
    scale = alt.Scale(zero=False, **ends)
    axis = alt.Axis(format=number_format(objective.metric, "~g"))
    points = alt.Chart(data).mark_circle(size=50, opacity=1, color=trial_color)
    points = points.encode(
        x=time,
        y=alt.Y("value:Q", title=title, scale=scale, axis=axis),
        tooltip=[
            alt.Tooltip("trial:Q", title=_("Trial")),
            alt.Tooltip("value:Q", title=title, format=number_format(objective.metric, ".4g")),
        ],
    )
    line = alt.Chart(data).mark_line(interpolate="step-after", strokeWidth=2, color=best_color)
    line = line.encode(x=time, y=alt.Y("best:Q", title=title, scale=scale, axis=axis))
    marks = [] if limit is None else [outlier_marks(points, limit)]
    chart = alt.layer(line, points, *marks).properties(height=HEIGHT)
    with st.container(key="sweep-best-drawn"):  # its room is kept before it is drawn
        st.altair_chart(chart, width="stretch", key="sweep-best")


def theme_colors() -> tuple[str, str, str]:
    """Return the colors of the best value, the worst one and a trial in the current theme."""
    return DARK if is_dark() else LIGHT


def number_format(metric: str, other: str) -> str:
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
