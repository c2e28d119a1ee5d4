"""Metrics that a reused output inherits from its producing step, even of a deleted run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.runs.curves import MAX_POINTS, Curves, RunPoint, sampled_positions, thinned_metrics

if TYPE_CHECKING:
    from pipelines.events import StepState
    from pipelines.runs.run_service import RunService


def last_values_of_maker(runs: RunService, step: StepState) -> dict[str, float | None]:
    """Return the metrics of the step that produced a reused output."""
    artifact = runs.artifacts.index.get(step.artifact_id or "")
    if artifact is None:
        return {}
    if artifact.remembered is not None:
        return {name: value for name, _, value, _ in artifact.remembered["metrics"]}
    return runs.store.last_values(artifact.run_id, artifact.node).get(artifact.node, {})


def curves_of(runs: RunService, run_id: str, most: int = MAX_POINTS) -> Curves:
    """Return a run's curves, thinned; a reused node has those of the producing step."""
    return inherited_curves(runs, run_id, most) | thinned_metrics(runs.store, run_id, most=most)


def inherited_curves(runs: RunService, run_id: str, most: int = MAX_POINTS) -> Curves:
    """Return the curves of the producing step of each reused node."""
    reused = {
        node: _curves_of_maker(runs, step, most)
        for node, step in runs.store.state(run_id).steps.items()
        if step.status == "reused"
    }
    return {node: curves for node, curves in reused.items() if curves}


def curve_of(runs: RunService, run_id: str, node: str, name: str) -> list[RunPoint]:
    """Return every point of one curve; a reused node has those of the producing step."""
    [(_, _, points)] = runs.store.curves(run_id, [(node, name)])
    step = None if points else runs.store.state_of_step(run_id, node)
    if step is None or step.status != "reused":
        return [RunPoint(*point) for point in points]
    return _curves_of_maker(runs, step, MAX_POINTS).get(name, [])


def _curves_of_maker(runs: RunService, step: StepState, most: int) -> dict[str, list[RunPoint]]:
    artifact = runs.artifacts.index.get(step.artifact_id or "")
    if artifact is None:
        return {}
    if artifact.remembered is None:
        return thinned_metrics(runs.store, artifact.run_id, artifact.node, most=most).get(
            artifact.node, {}
        )
    curves: dict[str, list[RunPoint]] = {}
    for name, *facts in artifact.remembered["metrics"]:
        curves.setdefault(name, []).append(RunPoint(*facts))
    return {name: _thinned(points, most) for name, points in curves.items()}


def _thinned(points: list[RunPoint], most: int) -> list[RunPoint]:
    return [
        points[position] for position in sampled_positions([point.value for point in points], most)
    ]
