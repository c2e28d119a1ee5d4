"""Header of the run page: name and status."""

from __future__ import annotations

import time
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from designer_app.screens.run.result import result
from designer_app.screens.run.run_view import RunView
from designer_app.translation import _
from designer_app.ui.markdown import plain
from modules.formatting import format_cost, format_seconds
from pipelines.events import SUCCEEDED_STEP
from pipelines.execution.heartbeat import runner_problem
from pipelines.forecasting.run_forecast import error_text, forecast_past_run
from pipelines.runs.cost import run_cost
from pipelines.runs.report import PastRunForecast
from pipelines.sentences.status_words import status_words

Colour = Literal["green", "blue", "gray", "red", "orange"]
COLOURS: dict[str, Colour] = {
    "completed": "green",
    "running": "blue",
    "queued": "gray",
    "failed": "red",
    "cancelled": "orange",
    "paused": "orange",
}


def header(subject: RunView) -> DeltaGenerator:
    """Draw name, status, tags, and the facts in one line; return the container of that line."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(plain(subject.row.name or subject.id), width="content", anchor=False)
        status = subject.state.status
        said = "cancelling" if subject.is_live and subject.state.cancel_requested else status
        st.badge(status_words(said), color=COLOURS.get(status, "gray"))
        for tag in subject.row.tags:
            st.badge(plain(tag), color="gray")
    line = st.container(key="run-facts").empty()  # its room depends on what is added later
    line.caption(" · ".join(_facts(subject)))
    result(subject)
    frozen = runner_problem(subject.application.settings.workspace) if subject.is_live else None
    if frozen is not None:
        st.warning(plain(frozen))
    if subject.row.description:
        st.caption(plain(subject.row.description))
    if subject.row.note:
        st.caption(f":material/sticky_note_2: {plain(subject.row.note)}")
    return line


def add_forecast(line: DeltaGenerator, subject: RunView) -> None:
    """Add the estimate to the actual duration; this takes a moment if there are many nodes."""
    if subject.is_live or _forecast_key(subject) in st.session_state:
        return
    estimate = forecast_past_run(subject.application.session.runs, subject.id)
    st.session_state[_forecast_key(subject)] = estimate
    line.caption(" · ".join(_facts(subject)))


def _forecast_key(subject: RunView) -> str:
    return f"run-forecast-{subject.id}-{subject.state.finished}"


def _facts(subject: RunView) -> list[str]:
    row, state = subject.row, subject.state
    started = time.strftime("%d %b %Y, %H:%M:%S", time.localtime(row.created))
    facts = [
        row.id,  # not as code: its font comes late, and moves what is below on a phone
        _("experiment {experiment}", experiment=plain(row.experiment)),
        _("started {time}", time=started),
    ]
    end = state.finished or (time.time() if subject.is_live else None)
    if state.started is not None and end is not None:
        seconds = max(0.0, end - state.started)
        estimate = st.session_state.get(_forecast_key(subject))
        facts.append(
            format_seconds(seconds) if subject.is_live else duration_text(seconds, estimate)
        )
    cost = run_cost(subject.application.session.runs.store, row.id)
    if cost is not None:
        said = format_cost(cost)
        facts.append(
            _("cost {cost} so far", cost=said) if subject.is_live else _("cost {cost}", cost=said)
        )
    done = sum(step.status in SUCCEEDED_STEP for step in state.steps.values())
    facts.append(_("{done:,} of {count:,} nodes done", done=done, count=len(state.steps)))
    return facts


def duration_text(seconds: float, estimate: PastRunForecast | None) -> str:
    """Return ``took 35 s; forecast 31 s (11 % less)``, without the estimate if there was none."""
    if estimate is None:
        return _("took {time}", time=format_seconds(seconds))
    return _(
        "took {time}; forecast {forecast} ({error})",
        time=format_seconds(seconds),
        forecast=format_seconds(estimate.seconds),
        error=error_text(estimate.error),
    )
