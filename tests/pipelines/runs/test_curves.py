"""Thinned curves: fewer points, the same shape."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.events import Event
from pipelines.runs.curves import FEWEST_POINTS, sampled_positions, thinned_metrics
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.workspaces import store_without_runner

curves = st.lists(st.one_of(st.none(), st.floats(allow_nan=False)), max_size=300)
mosts = st.integers(FEWEST_POINTS, 120)


def known(values: list[float | None]) -> list[float]:
    return [value for value in values if value is not None]


@given(values=curves, most=mosts)
def test_a_thinned_curve_is_short_in_order_and_has_both_ends(
    values: list[float | None], most: int
) -> None:
    kept = sampled_positions(values, most)
    places = list(range(len(values)))
    assert len(kept) <= most
    assert kept == sorted(set(kept))
    assert set(kept) <= set(places)
    assert (kept[:1], kept[-1:]) == (places[:1], places[-1:])
    if len(values) <= most:
        assert kept == places


@given(values=curves, most=mosts)
def test_extremes_survive(values: list[float | None], most: int) -> None:
    kept = [values[place] for place in sampled_positions(values, most)]
    assert bool(known(kept)) == bool(known(values))
    if known(values):
        assert min(known(kept)) == min(known(values))
        assert max(known(kept)) == max(known(values))


@given(start=st.integers(1, 290), length=st.integers(1, 10), most=mosts)
def test_a_gap_stays_a_gap(start: int, length: int, most: int) -> None:
    gap = range(start, start + length)
    values = [None if place in gap else 1.0 for place in range(301)]
    kept = [place for place in sampled_positions(values, most) if values[place] is None]
    assert kept
    assert set(kept) <= set(gap)


def test_a_curve_is_told_by_five_points_at_least() -> None:
    with pytest.raises(ValueError, match="Request at least 5"):
        sampled_positions([], 4)


def test_many_curves_share_what_may_be_told(tmp_path: Path) -> None:
    runs = WorkspaceSession(Workspace.at(tmp_path / "workspace")).runs
    run_id = store_without_runner(runs).create({"id": "p"}, ["a", "b"], name="n", experiment="e")
    logged = [
        Event("MetricLogged", node, {"name": "loss", "step": step, "value": step / 7})
        for node in ("a", "b")
        for step in range(40)
    ]
    runs.store.append_to(run_id, logged)
    metrics = thinned_metrics(runs.store, run_id, most_in_all=20)
    assert {node: len(curve["loss"]) for node, curve in metrics.items()} == {"a": 10, "b": 10}
    assert len(thinned_metrics(runs.store, run_id, most_in_all=2)["a"]["loss"]) == FEWEST_POINTS - 1
    [only] = thinned_metrics(runs.store, run_id, "b")
    assert only == "b"
    assert thinned_metrics(runs.store, run_id, "c") == {}
    assert runs.store.last_values(run_id) == {"a": {"loss": 39 / 7}, "b": {"loss": 39 / 7}}
    runs.database.close()
