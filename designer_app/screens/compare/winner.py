"""Best run, its lead, and its differences from the others."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from designer_app.screens.compare.compared_runs import ComparisonView
from designer_app.translation import _
from designer_app.ui.markdown import plain
from pipelines.runs.comparison import ParameterDifference
from pipelines.runs.headline import Headline

SHOWN = 4
SIGNIFICANCE_LEVEL = 0.05
NO_BREAK = "\u00a0"


def winner(compared: ComparisonView) -> None:
    """Draw the line; nothing if the runs are equal or have different primary metrics."""
    place, headlines = compared.comparison.winner, compared.comparison.headlines
    best = None if place is None else headlines[place]
    if place is None or best is None:
        return
    others = {
        at: headline
        for at, headline in enumerate(headlines)
        if headline is not None and at != place
    }
    texts = [_whole(headline) for headline in others.values()]
    if len(others) > 1:
        texts = [f"{text} ({compared.letter(at)})" for at, text in zip(others, texts, strict=True)]
    nearest = nearest_other(headlines, place)
    against = _("against {values}.", values=texts)
    differences = differences_text(compared.comparison.parameters, place, nearest)
    facts = {
        "run": plain(compared.label(place)),
        "metric": plain(best.label),
        "value": _whole(best),
        "against": against,
    }
    caution = _caution(compared, place or nearest)
    if caution:
        words = _("No clear winner: **{run}** has {metric} **{value}** {against}", **facts)
        st.info(f"{words} {caution} {differences}".rstrip(), icon=":material/info:")
    else:
        words = _("**{run}** is best: {metric} **{value}** {against}", **facts)
        st.success(f"{words} {differences}".rstrip(), icon=":material/trophy:")


def _caution(compared: ComparisonView, place: int) -> str:
    """Return a sentence if a run's difference from the baseline may be chance, else nothing."""
    if len(compared.comparison.flips) != 1:
        return ""
    [flips] = compared.comparison.flips
    chance = flips.chance(place)
    if chance is None or chance < SIGNIFICANCE_LEVEL:
        return ""
    return _(
        "Not significant: of {count} test images, {fixed} are right only in {run} and {broken} "
        "only in {baseline}. Such a difference can be chance.",
        count=flips.shared,
        run=compared.letter(place),
        fixed=flips.fixed[place],
        broken=flips.broken[place],
        baseline=compared.letter(0),
    )


def nearest_other(headlines: Sequence[Headline | None], place: int) -> int:
    """Return the baseline, which is the first run; if that is the best, return the next best."""
    best = headlines[place]
    if place or best is None:
        return 0
    values = {
        at: headline.value for at, headline in enumerate(headlines) if headline is not None and at
    }
    return min(values, key=lambda at: abs(values[at] - best.value))


def _whole(headline: Headline) -> str:
    """Return the value with non-breaking spaces."""
    return headline.text.replace(" ", NO_BREAK)


def headline_text(headline: Headline | None, is_best: bool) -> str:
    """Return ``98.3 % Accuracy`` for the card of a run, green for the best run."""
    if headline is None:
        return _("no result")
    text = f"**{headline.text}** {plain(headline.described)}"
    return f":green[{text}]" if is_best else text


def differences_text(parameters: Sequence[ParameterDifference], place: int, other: int) -> str:
    """Return the values of the best run that differ from those of another, with both values."""
    differing = [parameter for parameter in parameters if _differs(parameter, place, other)]
    run = ComparisonView.letter(other)
    texts = [
        _(
            "{parameter}: {value} ({run}: {other})",
            parameter=plain(parameter.title),
            value=_written(parameter.values[place]),
            run=run,
            other=_written(parameter.values[other]),
        )
        for parameter in differing[:SHOWN]
    ]
    if not texts:
        return ""
    listed = ", ".join(texts)
    if len(differing) <= SHOWN:
        return _("Different settings: {differences}.", differences=listed)
    return _(
        "Different settings: {differences} and {count} more.",
        differences=listed,
        count=len(differing) - SHOWN,
    )


def _differs(parameter: ParameterDifference, place: int, other: int) -> bool:
    return parameter.values[place] != parameter.values[other]


def _written(value: object) -> str:
    if value is None:
        return _("not set")
    return plain(value if isinstance(value, str) else json.dumps(value))[:40]
