"""The epoch whose weights a training keeps: cases shared with the editor's charts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from pipelines.store.database.run_results import curve_summaries
from tests.project.source import ROOT

CASES = json.loads((ROOT / "tests/cases/kept_epochs.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES)
def test_the_summary_of_a_curve_has_the_value_of_the_kept_epoch(case: Mapping[str, Any]) -> None:
    points = [
        (name, step, value, 0.0)
        for name, values in case["curves"].items()
        for step, value in enumerate(values, start=1)
    ]
    epoch = case["epoch"]
    expected = None if epoch is None else case["curves"]["Train loss"][epoch - 1]
    assert curve_summaries(points)["Train loss"].kept == expected
