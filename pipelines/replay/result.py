"""Result of a replay: its primary metric, from its recorded events and evaluations."""

from __future__ import annotations

from pipelines.inspection.preview_models import EvaluationPreview
from pipelines.replay.archive import OpenReplay
from pipelines.runs.headline import Headline, headline_of
from pipelines.store.database.run_results import CurveSummary, Summaries, curve_summaries


def recorded_headline(opened: OpenReplay) -> Headline | None:
    """Return the primary metric at the end of a replay; None if it has none."""
    return headline_of(_summaries(opened), node_summaries=_node_summaries(opened))


def _node_summaries(opened: OpenReplay) -> dict[str, str]:
    return {
        event.node: text
        for event in opened.events
        if event.node is not None and isinstance(text := event.data.get("summary"), str)
    }


def _summaries(opened: OpenReplay) -> Summaries:
    """Return the curves by node, in the order of their first points: evaluations are last."""
    points: dict[str, dict[tuple[str, int], float | None]] = {}
    for event in opened.events:
        name, step = event.data.get("name"), event.data.get("step")
        if event.kind != "MetricLogged" or event.node is None:
            continue
        if isinstance(name, str) and isinstance(step, int):
            # an attempt that is repeated logs its steps again: the newest value counts
            points.setdefault(event.node, {})[name, step] = _number(event.data.get("value"))
    summaries = {
        node: curve_summaries((name, step, value, 0.0) for (name, step), value in logged.items())
        for node, logged in points.items()
    }
    for preview in opened.replay.previews:  # the only numbers of an evaluation that was reused
        if isinstance(preview, EvaluationPreview):
            single = {
                name: CurveSummary(value, value, value, int(value is not None))
                for name, value in preview.metrics.items()
            }
            summaries.setdefault(preview.node, single)
    return summaries


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
