"""Forecasts of steps whose times depend on code or settings that earlier steps did not have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from modules.artifacts import ImageDirectory
from modules.catalog import Catalog
from modules.context import Context
from modules.declare import module
from modules.forecast import ArtifactForecast, StepForecast
from modules.parameters import NoParameters
from pipelines.document.document import parse_document
from pipelines.forecasting.estimates import NodeForecast
from pipelines.forecasting.forecast import (
    START_OF_RANKS_SECONDS,
    START_SECONDS,
    MachineRate,
    forecast,
)
from pipelines.forecasting.last_times import PastWork
from pipelines.forecasting.step_timings import StepTimings
from pipelines.store.database.step_timings import PastStep


def _work(
    _inputs: Mapping[str, ArtifactForecast], _parameters: NoParameters, _context: Context
) -> StepForecast:
    return StepForecast({}, images_processed=100, work="batch 8")


@module(title="Train", category="Tests", summary="Trains.", forecast=_work, distributed=True)
def train(parameters: NoParameters, context: Context) -> ImageDirectory:
    """Never run here."""
    raise NotImplementedError(parameters, context)


@module(title="Script", category="Tests", summary="Any code.")
def script(parameters: NoParameters, context: Context) -> ImageDirectory:
    """Never run here."""
    raise NotImplementedError(parameters, context)


CATALOG = Catalog.of((train, replace(script, launches=True)))
RATE = MachineRate(flops_per_second=1e9, images_per_second=100.0)
OTHERS = (PastStep("script", 17.0, pipeline="other"), PastStep("script", 200.0, pipeline="more"))


def estimated_seconds(
    folder: Path,
    name: str,
    timings: StepTimings,
    last: Mapping[str, PastWork] | None = None,
    processes: int = 1,
) -> NodeForecast:
    settings = {"process_count_per_node": processes}
    node = {"id": "node", "module": name, "run_settings": settings}
    document = parse_document({"format": "pipeline-designer/2", "id": "mine", "nodes": [node]})
    estimate = forecast(document, CATALOG, Context(folder), timings=timings, last=last, rate=RATE)
    return estimate.nodes[0]


def test_a_scripts_own_last_time_counts_more_than_other_scripts(tmp_path: Path) -> None:
    own = PastWork(PastStep("script", 0.3, pipeline="mine", node="node"), StepForecast())
    estimate = estimated_seconds(tmp_path, "script", StepTimings(OTHERS), {"node": own})
    assert estimate.seconds == pytest.approx(0.3)
    assert estimate.basis == "scaled"


def test_other_scripts_are_a_guess_with_a_wide_range(tmp_path: Path) -> None:
    estimate = estimated_seconds(tmp_path, "script", StepTimings(OTHERS))
    assert estimate.basis == "estimated"
    assert estimate.range_seconds == pytest.approx((8.5, 600.0))
    assert estimated_seconds(tmp_path, "script", StepTimings()).seconds is None


def test_an_estimate_counts_what_steps_of_the_module_take_besides(tmp_path: Path) -> None:
    first = estimated_seconds(tmp_path, "train", StepTimings())
    assert first.seconds == pytest.approx(1.0 + START_SECONDS)
    alone = estimated_seconds(tmp_path, "train", StepTimings(), processes=2)
    assert alone.seconds == pytest.approx(1.0 + START_OF_RANKS_SECONDS)
    past = PastStep("train", 16.0, work="batch 64", num_images=100, work_seconds=4.0)
    learned = estimated_seconds(tmp_path, "train", StepTimings((past,)))
    assert learned.seconds == pytest.approx(13.0)
    assert learned.basis == "estimated"
    assert learned.range_seconds == pytest.approx((6.5, 39.0))
