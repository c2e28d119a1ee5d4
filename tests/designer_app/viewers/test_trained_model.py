"""The viewer of a trained model: marks in its curves, and its registration by one more click."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from modules.artifacts import TrainedModel
from tests.designer_app.http import Server
from tests.pipelines.registry import trained
from tests.pipelines.registry.trained import save_network, trained_run

LOSSES = [80_000.0, 0.5, 0.6, 0.7, 0.65, 0.62, 0.61, 0.6]


def registration(artifact_id: str) -> None:
    from designer_app.application import current
    from designer_app.elements.register_model import register_model_form

    register_model_form(current(), artifact_id, "trained_model", "register")


def models_page() -> None:
    from designer_app.screens import models

    models.show()


@pytest.fixture
def app(quiet: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr("designer_app.application._current", quiet.application)
    return quiet


def test_the_name_is_filled_in_so_that_one_click_registers(app: Server) -> None:
    session = app.application.session
    run_id = trained_run(session.runs)
    [(_, artifact_id, _)] = session.models.trained_by(run_id)
    page = AppTest.from_function(registration, default_timeout=300, args=(artifact_id,)).run()
    assert page.text_input(key="register-name").value == "shapes"  # as the pipeline is called
    page.button(key="register-register").click().run()
    assert not page.exception
    assert [success.value for success in page.success] == [
        "Registered as `shapes@1`. See [Models](/models) or the palette."
    ]
    assert session.models.find("shapes@1").version.run_id == run_id


def test_a_pipeline_without_latin_letters_gets_a_free_name(
    app: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = app.application.session
    named = trained.DOCUMENT.model_copy(update={"name": "识别手写数字"})
    monkeypatch.setattr(trained, "DOCUMENT", named)
    for seed, name in ((1, "model"), (2, "model-2")):
        run_id = trained_run(session.runs, seed)
        [(_, artifact_id, _)] = session.models.trained_by(run_id)
        page = AppTest.from_function(registration, default_timeout=300, args=(artifact_id,)).run()
        assert page.text_input(key="register-name").value == name
        page.button(key="register-register").click().run()
        assert not page.exception
    assert [model.name for model in session.models.all()] == ["model", "model-2"]


def saved_with(history: dict[str, list[float]], folder: Path) -> TrainedModel:
    """The files of a model with these curves, whose second epoch is the best."""
    made = save_network(folder, seed=1, accuracy=0.5)
    pd.DataFrame(history).to_parquet(folder / "history.parquet", index=False)
    return made


def charts_of(app: Server, history: dict[str, list[float]]) -> list[dict[str, Any]]:
    """What is drawn of the curves of a registered model."""
    session = app.application.session
    run_id = trained_run(session.runs, save=partial(saved_with, history))
    [(_, artifact_id, port)] = session.models.trained_by(run_id)
    session.models.register(artifact_id, port, "m")
    page = AppTest.from_function(models_page, default_timeout=300).run()
    assert not page.exception
    return [json.loads(chart.proto.spec) for chart in page.get("vega_lite_chart")]


def marks_in(chart: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [layer for layer in chart["layer"] if layer["mark"]["type"] == kind]


def test_curves_mark_the_best_epoch_and_values_above_the_chart(app: Server) -> None:
    [chart] = charts_of(app, {"Valid loss": LOSSES})
    [rule] = marks_in(chart, "rule")
    assert rule["encoding"]["tooltip"]["value"] == "Best epoch: 2"
    [outliers] = marks_in(chart, "point")
    assert outliers["mark"]["shape"] == "triangle-up"
    [line] = marks_in(chart, "line")
    assert line["encoding"]["y"]["scale"]["domainMax"] < 80_000


def test_charts_of_the_same_epochs_have_the_same_ticks(app: Server) -> None:
    charts = charts_of(app, {"Valid loss": [80_000.0, 0.5, 0.6], "Train error": [0.9, 0.8, 0.7]})
    axes = [line["encoding"]["x"] for chart in charts for line in marks_in(chart, "line")]
    assert [axis["axis"]["values"] for axis in axes] == [[1, 2, 3]] * 2
    assert [axis["scale"]["domain"] for axis in axes] == [[1, 3]] * 2


def test_curves_without_such_values_have_no_arrows(app: Server) -> None:
    [chart] = charts_of(app, {"Valid loss": [0.9, 0.5, 0.6, 0.7]})
    assert marks_in(chart, "point") == []
    assert len(marks_in(chart, "rule")) == 1
