"""Make Trained Model of whole pickled networks: their tensors are taken, their code is not run."""

from __future__ import annotations

import os
import sys
import types
from pathlib import Path
from typing import Any

import pytest
import torch

from modules.artifacts import ImageDirectory, TrainedModel, UntrainedModel
from modules.errors import InvalidModelDirectoryError
from modules.foreign_model import ForeignModel
from modules.models.build import seeded_network
from modules.models.recipe import recipe_of
from modules.models.serialization import load_trained
from modules.scripts.make_trained_model import MakeTrainedModelParameters, make_trained_model
from tests.modules.conftest import Workplace
from tests.modules.training.noise import noise_squares, untrained


@pytest.fixture
def images(tmp_path: Path) -> ImageDirectory:
    operations = [{"operation": "resize", "size": 32}]
    return noise_squares(tmp_path / "store/images/out", ["a", "b", "c"], operations=operations)


@pytest.fixture
def network(tmp_path: Path) -> UntrainedModel:
    return untrained(tmp_path / "network", "shufflenet_v2_x0_5")


def foreign(folder: Path, content: object) -> ForeignModel:
    """A model file that a script wrote."""
    (folder / "files").mkdir(parents=True)
    torch.save(content, folder / "files/model.pt")
    return ForeignModel.write(folder, main="model.pt", framework="pytorch")


def make(
    workplace: Workplace, network: UntrainedModel, model: ForeignModel, images: ImageDirectory
) -> TrainedModel:
    parameters, context = MakeTrainedModelParameters(), workplace.context()
    made = make_trained_model(network, model, images, parameters, context).trained_model
    assert isinstance(made, TrainedModel)
    return made


def whole_network(recipe: UntrainedModel) -> torch.nn.Module:
    return seeded_network(recipe_of(recipe), 3, seed=5)


@pytest.mark.parametrize("wrapper", [None, "model", "ddp"])
def test_a_whole_pickled_network_gives_its_tensors_and_none_of_its_code_is_run(
    workplace: Workplace,
    tmp_path: Path,
    network: UntrainedModel,
    images: ImageDirectory,
    monkeypatch: pytest.MonkeyPatch,
    wrapper: str | None,
) -> None:
    """As torch.save(model) of Azure's script: its classes are those of a script that is gone."""
    ran = tmp_path / "ran"
    whole = whole_network(network)
    kind = type(whole)
    foreign_kind = type("Net", (kind,), {"__setstate__": lambda *_: ran.touch()})
    foreign_kind.__module__, foreign_kind.__qualname__ = "their_script", "Net"
    script = types.ModuleType("their_script")
    vars(script)["Net"] = foreign_kind
    monkeypatch.setitem(sys.modules, "their_script", script)
    whole.__class__ = foreign_kind
    whole.register_buffer("not_kept", torch.zeros(2), persistent=False)
    whole.register_forward_hook(print)
    stored: Any = {"epoch": 3, "model": whole} if wrapper == "model" else whole
    if wrapper == "ddp":
        stored = torch.nn.Sequential()
        stored.add_module("module", whole)
    model = foreign(tmp_path / "f", stored)
    monkeypatch.delitem(sys.modules, "their_script")

    made = make(workplace, network, model, images)
    assert not ran.exists()
    expected = whole.state_dict()
    kept = load_trained(made).state_dict()
    assert kept.keys() == expected.keys()
    assert all(torch.equal(kept[name], expected[name]) for name in expected)


class Runs:
    """A pickle that would call a function when it is loaded."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> Any:
        return self.call


@pytest.mark.parametrize("function", [os.mkdir, open, exec, eval])
def test_a_hostile_pickle_in_a_network_runs_nothing(
    workplace: Workplace,
    tmp_path: Path,
    network: UntrainedModel,
    images: ImageDirectory,
    function: Any,
) -> None:
    place = tmp_path / "ran"
    code = f"__import__('os').mkdir({str(place)!r})"
    arguments = {os.mkdir: (str(place),), open: (str(place), "w")}.get(function, (code,))
    whole = whole_network(network)
    whole.extra = Runs(function, *arguments)  # type: ignore[assignment]
    model = foreign(tmp_path / "f", whole)
    try:
        make(workplace, network, model, images)
    except InvalidModelDirectoryError:
        assert function is os.mkdir, "its module is refused as a whole"
    assert not place.exists()
