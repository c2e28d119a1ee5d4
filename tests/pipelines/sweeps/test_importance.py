"""Importance of varied parameters."""

from __future__ import annotations

from pipelines.document.settings import SweepSpace
from pipelines.store.database.sweeps import TrialRow
from pipelines.sweeps.importance import importance
from tests.pipelines.sweeps.conftest import between, choices

SPACES = {
    "n.much": SweepSpace.model_validate(between(-1, 1)),
    "n.little": SweepSpace.model_validate(choices("a", "b", ["c"])),
}


def trial(number: int, much: float, objective: float | None) -> TrialRow:
    values = {"n.much": much, "n.little": ("a", "b", ["c"])[number % 3]}
    return TrialRow("s", number, values, "completed", None, objective, None, None, 0.0, 0.0)


def test_a_parameter_with_a_curved_effect_is_important() -> None:
    places = [(n - 15) / 15 for n in range(31)]
    trials = [trial(n, place, 1 - place**2) for n, place in enumerate(places)]
    shares = importance(SPACES, trials)
    assert shares is not None
    assert shares["n.much"] > 0.9
    assert abs(sum(shares.values()) - 1) < 1e-9


def test_too_little_is_known() -> None:
    assert importance(SPACES, []) is None
    assert importance(SPACES, [trial(n, n / 7, float(n)) for n in range(7)]) is None
    assert importance(SPACES, [trial(n, n / 9, 1.0) for n in range(10)]) is None
    assert importance(SPACES, [trial(n, n / 9, None) for n in range(10)]) is None
