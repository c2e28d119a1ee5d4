"""What Home says of the pipeline that it has made."""

from __future__ import annotations

from pathlib import Path

import pytest

from designer_app.screens.start import pipeline_from, plan_text
from pipelines.document.document import parse_document
from pipelines.forecasting.estimates import ForecastTotals, RunForecast
from pipelines.forecasting.starter_pipeline import StarterPipeline
from tests.designer_app.documents import document
from tests.designer_app.http import Server


def test_a_busy_machine_is_said_beside_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.forecasting.estimates.num_cores", lambda: 2)

    def told(other_work: float) -> str:
        totals = ForecastTotals(
            seconds=39,
            critical_path_seconds=39,
            memory_bytes=None,
            nodes_unknown=0,
            nodes_reused=0,
            range_seconds=(0, 0),
            cost=None,
        )
        forecast = RunForecast.of((), totals, other_work)
        return plan_text(StarterPipeline(parse_document(document("mine")), forecast, 224))

    assert told(0.1).endswith("evaluated on the rest.")
    assert told(0.9).endswith(
        "evaluated on the rest. This machine is busy (other processes use nearly all the cores): "
        "about 1 min 17 s instead of 39 s."
    )


def test_no_pipeline_is_created_if_no_image_can_be_read(quiet: Server, tmp_path: Path) -> None:
    session = quiet.application.session
    for name in ("a", "b"):
        (tmp_path / "mine" / name).mkdir(parents=True)
        (tmp_path / "mine" / name / "1.jpg").write_text(f"no image {name}")
    session.datasets.add(tmp_path / "mine", "mine")
    made = pipeline_from(quiet.application, "mine", 1)
    assert made.error is not None
    assert made.error.startswith("None of the 2 images can be read: ")
    assert session.pipelines.all() == []
