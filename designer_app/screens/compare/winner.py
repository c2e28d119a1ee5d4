"""Which run is best, by how much, and what was different about it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from designer_app.screens.compare.compared_runs import ComparisonView
from designer_app.ui.markdown import plain
from pipelines.runs.comparison import ParameterDifference
from pipelines.runs.headline import Headline

SHOWN = 4
NO_BREAK = "\u00a0"


def winner(compared: ComparisonView) -> None:
    """Draw the line; nothing where the runs are even or judged by different metrics."""
    place, headlines = compared.comparison.winner, compared.comparison.headlines
    best = None if place is None else headlines[place]
    if place is None or best is None:
        return
    words = f"**{plain(compared.label(place))}** is best: {plain(best.label)} **{_whole(best)}**"
    others = {at: each for at, each in enumerate(headlines) if each is not None and at != place}
    told = [_whole(each) for each in others.values()]
    if len(others) > 1:
        told = [f"{text} ({compared.letter(at)})" for at, text in zip(others, told, strict=True)]
    nearest = nearest_other(headlines, place)
    beside = f" against {', '.join(told)}.{_differences(compared, place, nearest)}"
    st.success(f"{words}{beside}", icon=":material/trophy:")


def nearest_other(headlines: Sequence[Headline | None], place: int) -> int:
    """The first run, which the others are measured against; where that is best, the next best."""
    best = headlines[place]
    if place or best is None:
        return 0
    values = {at: each.value for at, each in enumerate(headlines) if each is not None and at}
    return min(values, key=lambda at: abs(values[at] - best.value))


def _whole(headline: Headline) -> str:
    """``98.3 %`` that no line breaks apart."""
    return headline.text.replace(" ", NO_BREAK)


def headline_text(headline: Headline | None, is_best: bool) -> str:
    """``98.3 % Accuracy`` as a card of a run says it, green where it is the best."""
    if headline is None:
        return "no result"
    text = f"**{headline.text}** {plain(headline.label)}"
    return f":green[{text}]" if is_best else text


def _differences(compared: ComparisonView, place: int, other: int) -> str:
    """What the best run was made with, where another run was made otherwise."""
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
