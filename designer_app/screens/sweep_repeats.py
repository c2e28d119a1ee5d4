"""Configurations of a sweep that were repeated with other seeds: mean and spread of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from designer_app.translation import _
from designer_app.ui.markdown import plain
from modules.search.spaces import value_text
from pipelines.runs.metric_words import metric_text, metric_words
from pipelines.sweeps.repeats import Configuration
from pipelines.sweeps.sweeps import Sweep


def repeated_table(sweep: Sweep, titles: Mapping[str, str]) -> None:
    """Draw a row for each configuration, the best mean first; nothing without repetitions."""
    objective, repeated = sweep.settings.objective, sweep.configurations
    if objective is None or not repeated:
        return
    st.subheader(_("With other seeds"), anchor=False)
    metric = metric_words(objective.metric)
    st.dataframe(
        [_row(titles, one, objective.metric) for one in repeated],
        hide_index=True,
        width="stretch",
        key="sweep-repeated",
        column_config={_("Mean"): st.column_config.TextColumn(help=plain(metric))},
    )
    if _may_be_chance(repeated):
        st.caption(
            _(
                "The means of the first two differ by less than a standard deviation: the order "
                "may be chance."
            )
        )


def _row(titles: Mapping[str, str], one: Configuration, metric: str) -> dict[str, Any]:
    def text(value: float | None) -> str:
        return "" if value is None else metric_text(metric, value)

    ended = sum(trial.finished is not None for trial in one.repeats)
    return {
        _("Trial"): one.trial.number,
        **{title: value_text(one.trial.values.get(place)) for place, title in titles.items()},
        _("Mean"): text(one.mean),
        _("Standard deviation"): text(one.spread),
        _("Lowest"): text(min(one.objectives, default=None)),
        _("Highest"): text(max(one.objectives, default=None)),
        _("Seeds"): _(
            "{results} of {count}", results=len(one.objectives), count=1 + len(one.repeats)
        ),
        _("State"): _("Ended") if ended == len(one.repeats) else _("Running"),
    }


def _may_be_chance(repeated: list[Configuration]) -> bool:
    if len(repeated) < 2:
        return False
    first, second = repeated[:2]
    spreads = [one.spread for one in (first, second) if one.spread is not None]
    if first.mean is None or second.mean is None or not spreads:
        return False
    return abs(first.mean - second.mean) < max(spreads)
