"""Which run is best, by how much, and what was different about it."""

from __future__ import annotations

import json

import streamlit as st

from designer_app.screens.compare.compared_runs import ComparisonView
from designer_app.ui.markdown import plain
from pipelines.runs.comparison import ParameterDifference
from pipelines.runs.headline import Headline

SHOWN = 4


def winner(compared: ComparisonView) -> None:
    """Draw the line; nothing where the runs are even or judged by different metrics."""
    place, headlines = compared.comparison.winner, compared.comparison.headlines
    best = None if place is None else headlines[place]
    if place is None or best is None:
        return
    words = f"**{plain(compared.label(place))}** is best: {plain(best.label)} **{best.text}**"
    others = [each for at, each in enumerate(headlines) if each is not None and at != place]
    beside = f" against {', '.join(each.text for each in others)}."
    st.success(f"{words}{beside}{_differences(compared, place)}", icon=":material/trophy:")


def headline_text(headline: Headline | None, is_best: bool) -> str:
    """``98.3 % Accuracy`` as a card of a run says it, green where it is the best."""
    if headline is None:
        return "no result"
    text = f"**{headline.text}** {plain(headline.label)}"
    return f":green[{text}]" if is_best else text


def _differences(compared: ComparisonView, place: int) -> str:
    """What the best run was made with, where the first other run was made otherwise."""
    other = 0 if place else 1
    found = [each for each in compared.comparison.parameters if _differs(each, place, other)]
    told = [
        f"{plain(each.title)} {_written(each.values[place])} instead of "
        f"{_written(each.values[other])}"
        for each in found[:SHOWN]
    ]
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    who = compared.letter(other)
    return f" Unlike {who}: {', '.join(told)}{more}." if told else ""


def _differs(each: ParameterDifference, place: int, other: int) -> bool:
    return each.values[place] != each.values[other]


def _written(value: object) -> str:
    if value is None:
        return "nothing"
    return plain(value if isinstance(value, str) else json.dumps(value))[:40]
