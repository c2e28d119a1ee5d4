"""Primary metric of a run, chosen from everything that its nodes logged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import Field

from modules.json_model import JsonModel
from pipelines.document.parts import MAX_PATH
from pipelines.runs.metric_words import higher_is_better, metric_text, metric_words
from pipelines.sentences import _
from pipelines.store.database.run_results import CurveSummary

TEST_ACCURACY = re.compile(r"(overall |test )?accuracy")
PREFERRED = (
    TEST_ACCURACY,
    re.compile(r"(top-1 )?valid(ation)? accuracy"),
    re.compile(r"valid(ation)? loss"),
    re.compile(r"(.* )?loss"),
)
"""Metrics in order of preference: of an evaluation, of the best epoch, of the training data.

Names in lowercase with spaces.
"""

Metrics = Mapping[str, Mapping[str, CurveSummary]]
"""By node, parents first, then by metric."""


class HeadlineChoice(JsonModel):
    """Primary metric chosen by the pipeline's user."""

    node: str = Field(min_length=1, max_length=MAX_PATH)
    metric: str = Field(min_length=1, max_length=120)


class Figure(JsonModel):
    """Result of a node's metric: of the epoch that is kept, else the best point of its curve."""

    node: str
    metric: str = Field(description="Name of the logged metric.")
    label: str = Field(description="Display name of the metric, for example `Accuracy`.")
    value: float
    text: str = Field(description="Value with unit, for example `98.3 %`.")
    higher_is_better: bool | None = Field(description="Null if unknown.")


class Headline(Figure):
    """Primary metric of a run; if several nodes have it, the label names the node."""

    is_chosen: bool = Field(description="True if a user chose this metric for the pipeline.")
    details: str = Field(
        description="What its node says after the value, for example `likely 68 to 99 % "
        "(14 images)`; often empty."
    )
    outdated_pins: list[str] = Field(
        description="Titles of pinned nodes whose stored results may not match their settings."
    )

    @property
    def described(self) -> str:
        """Return the label, and the details if there are any."""
        return ", ".join(filter(None, (self.label, self.details)))

    def doubted(self, outdated_pins: Sequence[str]) -> Headline:
        """Return the headline with a label that names pinned nodes with outdated results."""
        if not outdated_pins:
            return self
        names = ", ".join(outdated_pins)
        label = _("{label} with an outdated pin: {names}", label=self.label, names=names)
        update = {"label": label, "outdated_pins": list(outdated_pins)}
        return self.model_copy(update=update)


class _Candidate(NamedTuple):
    node: str
    metric: str


def headline_of(
    metrics: Metrics,
    chosen: HeadlineChoice | None = None,
    node_summaries: Mapping[str, str] | None = None,
) -> Headline | None:
    """Return the chosen metric, else the best one: of an evaluation, of validation, or the loss.

    Of several nodes the last one counts. None if none of these exist. A ``chosen`` metric without a
    value is ignored. ``node_summaries`` contain the details of the metric's value.
    """
    summaries = node_summaries or {}
    if chosen is not None:
        figure = figure_of(metrics, chosen.node, chosen.metric)
        if figure is not None:
            return _headline(figure, metrics, summaries, is_chosen=True)
    for node, metric in _by_preference(metrics):
        figure = figure_of(metrics, node, metric)
        if figure is not None:
            return _headline(figure, metrics, summaries, is_chosen=False)
    return None


def _headline(
    figure: Figure, metrics: Metrics, summaries: Mapping[str, str], *, is_chosen: bool
) -> Headline:
    """Return the headline; where several nodes have its metric, the label names the node."""
    _before, _value, details = summaries.get(figure.node, "").partition(f"{figure.text}, ")
    is_of_several = sum(figure.metric in named for named in metrics.values()) > 1
    label = f"{figure.label} ({figure.node})" if is_of_several else figure.label
    values = {**figure.model_dump(), "label": label}
    return Headline(**values, is_chosen=is_chosen, details=details, outdated_pins=[])


def main_curve(metrics: Metrics) -> tuple[str, str] | None:
    """Return node and metric of the most informative curve; None if there is none."""
    candidates = _by_preference(metrics)
    return next(
        (
            candidate
            for candidate in candidates
            if metrics[candidate.node][candidate.metric].num_points > 1
        ),
        None,
    )


def figures_of(metrics: Metrics) -> list[Figure]:
    """Return the result of every metric by node."""
    figures = (figure_of(metrics, node, name) for node, named in metrics.items() for name in named)
    return [figure for figure in figures if figure is not None]


def figure_of(metrics: Metrics, node: str, metric: str) -> Figure | None:
    """Return the result of a metric, with its name and text; None if it has no value."""
    value = result_value(metrics, node, metric)
    if value is None:
        return None
    return Figure(
        node=node,
        metric=metric,
        label=metric_words(metric),
        value=value,
        text=metric_text(metric, value),
        higher_is_better=higher_is_better(metric),
    )


def result_value(metrics: Metrics, node: str, metric: str) -> float | None:
    """Return the value of the epoch whose weights are kept.

    Of a node without validation loss, the metric's best value, or the last one if none is better.
    """
    summary = metrics.get(node, {}).get(metric)
    return None if summary is None else _settled(summary, higher_is_better(metric))


def best_of(figures: Sequence[Figure | None]) -> int | None:
    """Return the index of the best run; None if their metrics differ or they are equal."""
    present = [figure for figure in figures if figure is not None]
    if len({figure.metric for figure in present}) != 1 or present[0].higher_is_better is None:
        return None
    values = [figure.value for figure in present]
    best = max(values) if present[0].higher_is_better else min(values)
    indices = [index for index, figure in enumerate(figures) if figure and figure.value == best]
    return indices[0] if len(present) > 1 and len(indices) == 1 else None


def _settled(summary: CurveSummary, is_higher_better: bool | None) -> float | None:
    if summary.kept is not None:
        return summary.kept
    if is_higher_better is None:
        return summary.last
    return summary.highest if is_higher_better else summary.lowest


def _by_preference(metrics: Metrics) -> Iterator[_Candidate]:
    """Yield the possible primary metrics, the most informative first."""
    for pattern in PREFERRED:
        for node in reversed(list(metrics)):
            for metric in metrics[node]:
                if pattern.fullmatch(metric.lower().replace("_", " ")):
                    yield _Candidate(node, metric)
