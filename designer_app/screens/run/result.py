"""Main metrics of a run, in large type, and the choice of the pipeline's primary metric."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from designer_app.screens.run.run_view import RunView
from designer_app.translation import _
from designer_app.ui.markdown import plain
from pipelines.runs.headline import Figure, Headline, HeadlineChoice, figures_of
from pipelines.runs.results import headline_in

BESIDE = (
    "Top-1 validation accuracy",
    "Valid loss",
    "Train loss",
    "Macro_F1",
    "Log_Loss",
    "Images per second",
)
"""Metrics shown next to the primary metric."""
SHOWN = 5
BY_ITSELF = ("", "")
"""Replaces a node and a metric if no primary metric is chosen."""


def result(subject: RunView) -> None:
    """Draw the metrics; nothing if nothing was measured."""
    headline = headline_in(subject.row)
    if headline is None:
        return
    figures = figures_of(subject.row.results.metrics) if subject.row.results else []
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="run-result"):
        for figure in _shown(headline, figures):
            owner = _("Of {node}, at its best epoch.", node=plain(subject.title(figure.node)))
            st.metric(plain(figure.label), figure.text, help=owner, width="content")
        if subject.row.pipeline_id is not None:
            judge = st.popover(
                _("Main metric"), key="run-judge", icon=":material/star:", on_change="rerun"
            )
            if judge.open:  # its list has an entry for each metric of each node
                with judge:
                    _choice(subject, subject.row.pipeline_id, headline, figures)


def _shown(headline: Headline, figures: Sequence[Figure]) -> list[Figure]:
    """Return the primary metric, then each other metric of the last node that has it."""
    last = {figure.metric: figure for figure in figures}
    others = [last[name] for name in BESIDE if name in last and name != headline.metric]
    return [headline, *others][:SHOWN]


def _choice(
    subject: RunView, pipeline_id: str, headline: Headline, figures: Sequence[Figure]
) -> None:
    """Draw the choice of the primary metric for all runs of the pipeline."""
    metrics = {(figure.node, figure.metric): figure for figure in figures}
    key, is_new = f"run-judge-by-{pipeline_id}", f"run-judged-{pipeline_id}"

    def words(place: tuple[str, str]) -> str:
        if place == BY_ITSELF:
            return _("accuracy, else loss")
        return _(
            "{metric} of {node}",
            metric=metrics[place].label,
            node=subject.titles.get(place[0], place[0]),
        )

    def choose() -> None:
        node, metric = st.session_state[key]
        choice = HeadlineChoice(node=node, metric=metric) if metric else None
        subject.application.session.history.choose_headline(pipeline_id, choice)
        st.session_state[is_new] = True

    chosen = (headline.node, headline.metric)
    st.session_state[key] = chosen if headline.is_chosen else BY_ITSELF
    st.selectbox(
        _("Main metric of this pipeline"),
        [BY_ITSELF, *metrics],
        format_func=words,
        key=key,
        on_change=choose,
    )
    if st.session_state.pop(is_new, False):
        st.rerun()  # the whole page shows it
