"""Titles of the parameters that a sweep varies, as people know them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from designer_app.screens.sweep_titles import (
    full_titles,
    metric_title,
    parameter_titles,
    space_words,
)
from modules.search.spaces import read_space
from pipelines.document.settings import SweepSettings
from pipelines.store.database.sweeps import SweepRow
from pipelines.sweeps.sweeps import Sweep
from tests.designer_app.documents import document, node
from tests.designer_app.http import Server


def sweep_of(places: tuple[str, ...], content: dict[str, Any], metric: str) -> Sweep:
    settings = SweepSettings.model_validate(
        {
            "parameters": {place: {"kind": "choices", "choices": [1, 2]} for place in places},
            "objective": {"node": "train", "metric": metric, "goal": "maximize"},
        }
    )
    stored = settings.model_dump(mode="json")
    row = SweepRow("s", "", content, stored, {}, "completed", None, {}, None, 0.0, 0.0, None)
    return Sweep(row, ())


@pytest.mark.parametrize(
    ("places", "metric", "titles"),
    [
        (("train.learning_rate",), "Valid loss", ["Learning rate"]),
        (
            ("train.epochs", "other.epochs"),
            "Valid loss",
            ["Train PyTorch Model 1: Epochs", "Train PyTorch Model 2: Epochs"],
        ),
        (("train.epochs",), "Epochs", ["Train PyTorch Model 1: Epochs"]),
        (("gone.epochs",), "Valid loss", ["gone.epochs"]),
    ],
)
def test_titles(quiet: Server, places: tuple[str, ...], metric: str, titles: list[str]) -> None:
    trainings = [node(name, "train_pytorch_model") for name in ("train", "other")]
    sweep = sweep_of(places, document("twins", nodes=trainings, links=[]), metric)
    catalog = quiet.application.session.catalog
    assert list(parameter_titles(sweep, catalog).values()) == titles


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4,8,16", "4, 8, 16"),
        ("0.1..0.9", "0.1 to 0.9"),
        ("1e-3..1e-1:log", "0.001 to 0.1, logarithmic"),
        ("1..9:int", "1 to 9, whole numbers"),
    ],
)
def test_values_to_try_as_people_read_them(text: str, words: str) -> None:
    assert space_words(read_space(text, json.loads)) == words


def test_full_titles_have_the_node(quiet: Server) -> None:
    nodes = [node("train", "train_pytorch_model")]
    places = ("train.learning_rate", "gone.epochs")
    sweep = sweep_of(places, document("one", nodes=nodes, links=[]), "Valid loss")
    catalog = quiet.application.session.catalog
    titles = ["Train PyTorch Model, Learning rate", "gone.epochs"]
    assert list(full_titles(sweep, catalog).values()) == titles
    assert metric_title(sweep, catalog) == "Train PyTorch Model, Validation loss"


def test_a_document_of_a_newer_version_keeps_the_places(quiet: Server) -> None:
    sweep = sweep_of(("train.epochs",), {"format": "pipeline-designer/99"}, "Valid loss")
    titles = parameter_titles(sweep, quiet.application.session.catalog)
    assert titles == {"train.epochs": "train.epochs"}
