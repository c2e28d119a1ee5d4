"""Features of frozen networks: computed together, kept, and hardly resident."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import PIL
import pytest
import torch
import torchvision
from torch import nn

from modules.artifacts import ImageDirectory
from modules.compute.distributed import ProcessGroup, process_group
from modules.compute.precision import Precision
from modules.context import Context, Report
from modules.image_loading.datasets import open_images
from modules.image_loading.feature_store import StoredFeatures
from modules.image_loading.normalisation import Normalisation
from modules.image_loading.preprocessing import Preprocessing
from modules.models.recipe import Recipe
from modules.training.data import LabeledImages
from modules.training.feature_key import FeatureView, feature_key
from modules.training.frozen_features import Features, ResidentRows, with_features
from modules.training.session import Networks
from tests.modules.compute.ranks import run_ranks
from tests.modules.training.noise import ROUNDING, noise_squares

CPU = torch.device("cpu")
FP32, BF16 = (Precision(name, "cpu", channels_last=False) for name in ("fp32", "bf16"))
NUM_FEATURES = 4 * 7 * 7
RECIPE = Recipe(family="", architecture="a")
VIEW = FeatureView((), Normalisation((0.5,) * 3, (0.2,) * 3), FP32)
OTHER = Normalisation((0.4,) * 3, (0.2,) * 3)


def _backbone() -> nn.Module:
    torch.manual_seed(5)
    return nn.Sequential(nn.Conv2d(3, 4, 5, stride=4), nn.ReLU(), nn.Flatten())


def _features(
    folder: Path, context: Context, group: ProcessGroup, batch_size: int
) -> LabeledImages:
    dataset = ImageDirectory(folder / "store/a/out")
    images = open_images(dataset, (), context, group)
    preparation = Preprocessing((), VIEW.normalisation, CPU, channels_last=False)
    labeled = LabeledImages.of(dataset, images, dataset.classes, preparation)
    features = with_features(labeled, _backbone(), RECIPE, VIEW, batch_size, group)
    assert features is not None
    expected = _backbone()(preparation(images.read(range(len(images))), torch.Generator()))
    images.close()
    rows = features.images.read(range(len(features)))
    assert np.abs(np.stack([*rows]) - expected.detach().numpy()).max() < ROUNDING
    return features


def compute_together(rank: int, world_size: int, folder: Path) -> None:
    """What each process does; each is a node with a cache of its own, or shares one."""
    for cache in ("shared", f"own-{rank}"):
        context = Context(
            folder / "staging",
            cache_dir=folder / cache,
            node_count=world_size,
            rank=rank,
            world_size=world_size,
            threads=1,
        )
        with process_group(context) as group:
            on_cpu = ProcessGroup(group.context, CPU)
            for _ in range(2):
                # 24 images in rounds of 14: the last process has fewer in the last one.
                _features(folder, context, on_cpu, batch_size=7).images.close()


@pytest.mark.extended
def test_two_processes_compute_the_features_of_all_images_in_order(tmp_path: Path) -> None:
    noise_squares(tmp_path / "store/a/out")
    assert run_ranks(compute_together, 2, tmp_path) == [0, 0]
    for cache in ("shared", "own-0", "own-1"):
        files = [path for path in (tmp_path / cache).rglob("*") if path.is_file()]
        assert len(files) == 2, "decoded images, and their features"


@pytest.mark.parametrize("is_few", [True, False])
def test_few_features_are_loaded_and_many_are_mapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_few: bool
) -> None:
    noise_squares(tmp_path / "store/a/out")
    context = Context(tmp_path / "staging", cache_dir=tmp_path / "cache", threads=1)
    num_bytes = 24 * NUM_FEATURES * 4
    limit = num_bytes - (not is_few)
    monkeypatch.setattr("modules.training.frozen_features.FEW_BYTES", limit)
    features = _features(tmp_path, context, ProcessGroup(context, CPU), batch_size=5)
    assert isinstance(features.images, Features)
    assert isinstance(features.images._rows, ResidentRows if is_few else StoredFeatures)
    assert features.images.read([3, 0]).shape == (2, NUM_FEATURES)
    features.images.close()


def test_the_images_that_went_through_frozen_layers_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modules.training.frozen_features.PROGRESS_SECONDS", -1.0)
    noise_squares(tmp_path / "store/a/out")
    events: list[Report] = []
    context = Context(tmp_path / "staging", threads=1, emit=events.append)
    _features(tmp_path, context, ProcessGroup(context, CPU), batch_size=10).images.close()
    reported = [
        (event["done"], event["total"])
        for event in events
        if event["kind"] == "progress" and event["unit"] == "images through frozen layers"
    ]
    assert reported == [(10, 24), (20, 24)], "the last batch ends it"


def test_without_a_cache_nothing_stays_of_them(tmp_path: Path) -> None:
    noise_squares(tmp_path / "store/a/out")
    context = Context(tmp_path / "staging", threads=1)
    features = _features(tmp_path, context, ProcessGroup(context, CPU), batch_size=5)
    assert [*context.staging_dir.iterdir()] == []
    features.images.close()


@pytest.mark.parametrize("lacking_bytes", [0, 1])
def test_features_are_resident_only_if_all_of_them_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking_bytes: int
) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    context = Context(tmp_path / "staging", threads=1)
    group = ProcessGroup(context, CPU)
    images = open_images(dataset, (), context, group)
    preparation = Preprocessing((), VIEW.normalisation, CPU, channels_last=False)
    labeled = LabeledImages.of(dataset, images, dataset.classes, preparation)
    one_image = _backbone()(preparation(images.read([0]), torch.Generator()))
    limit = len(labeled) * one_image.numel() * 4 - lacking_bytes
    monkeypatch.setattr("modules.training.frozen_features.MAX_RESIDENT_BYTES", limit)
    unnamed = replace(labeled, hashes=None)  # files keep only features of images with a hash
    features = with_features(unnamed, _backbone(), RECIPE, VIEW, 5, group)
    assert (features is None) == bool(lacking_bytes)
    images.close()


@pytest.mark.parametrize("library", [PIL, torch, torchvision])
def test_features_of_another_version_of_a_library_are_not_taken(
    monkeypatch: pytest.MonkeyPatch, library: object
) -> None:
    before = feature_key(_backbone(), RECIPE, VIEW, "cpu")
    assert feature_key(_backbone(), RECIPE, VIEW, "cpu") == before
    monkeypatch.setattr(library, "__version__", "99.9")
    assert feature_key(_backbone(), RECIPE, VIEW, "cpu") != before


def test_features_are_those_of_a_network_and_a_view() -> None:
    other = nn.Sequential(nn.Conv2d(3, 4, 5, stride=4), nn.ReLU(), nn.Flatten())
    keys = {
        feature_key(_backbone(), RECIPE, VIEW, "cpu"),
        feature_key(_backbone(), RECIPE, VIEW, "cuda"),
        feature_key(other, RECIPE, VIEW, "cpu"),
        feature_key(_backbone(), RECIPE.model_copy(update={"architecture": "b"}), VIEW, "cpu"),
        feature_key(_backbone(), RECIPE, replace(VIEW, operations=({"operation": "a"},)), "cpu"),
        feature_key(_backbone(), RECIPE, replace(VIEW, normalisation=OTHER), "cpu"),
        feature_key(_backbone(), RECIPE, replace(VIEW, precision=BF16), "cpu"),
        feature_key(_backbone(), RECIPE, replace(VIEW, exact=(1,)), "cpu"),
    }
    assert len(keys) == 8
    elsewhere = RECIPE.model_copy(update={"weights_path": "/elsewhere", "freeze": "none"})
    assert feature_key(_backbone(), elsewhere, VIEW, "cpu") in keys


def test_a_head_on_features_computes_in_fp32_on_a_processor() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
    inputs_ND = torch.ones(3, 4)
    formats = {}
    for learner in (model, model[1]):
        networks = Networks(RECIPE, model, learner, learner, BF16)
        with networks.autocast():
            formats[learner] = learner(inputs_ND).dtype
        assert networks.is_rounded is (formats[learner] == torch.bfloat16)
    assert formats == {model: torch.bfloat16, model[1]: torch.float32}
