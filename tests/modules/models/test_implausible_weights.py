"""Weights that implausible weights are found in tensors and in files, and nothing else is."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from modules.errors import InvalidModelDirectoryError
from modules.models.build import build_model, check_weights_file, seeded_network
from modules.models.implausible_weights import (
    CHUNK_NUMBERS,
    LARGEST_STATISTIC,
    LARGEST_WEIGHT,
    find_implausible,
    find_implausible_in,
    learned_tensors,
)
from modules.models.recipe import Recipe
from modules.models.sample_weights import SAMPLE_WEIGHTS, located

SMALL = Recipe(family="", architecture="squeezenet1_1", pretrained=False)
FORMATS = [torch.float64, torch.float32, torch.float16, torch.bfloat16]


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -3e4, 0.25])
def test_a_file_and_its_tensors_are_judged_alike(
    tmp_path: Path, dtype: torch.dtype, value: float
) -> None:
    kernel = torch.zeros(CHUNK_NUMBERS + 7, dtype=dtype)
    kernel[-3] = value
    weights = {"first.weight": torch.ones(3, dtype=dtype), "conv.weight": kernel}
    path = tmp_path / "w.safetensors"
    save_file(weights, path)
    of_tensors = find_implausible(weights, weights.keys())
    of_file = find_implausible_in(path, is_own=False)
    is_fault = not abs(value) <= LARGEST_WEIGHT
    assert (of_file is not None) is (of_tensors is not None) is is_fault
    if of_file is not None and of_tensors is not None:
        assert of_file.facts == of_tensors.facts
        assert (of_file.tensor, of_file.facts["layer"]) == ("conv.weight", "conv")


def test_running_statistics_may_be_squares_and_counters_anything(tmp_path: Path) -> None:
    def judged(name: str, value: float) -> bool:
        return find_implausible({name: torch.tensor([value])}, {name}) is not None

    assert judged("bn.weight", 2 * LARGEST_WEIGHT)
    assert not judged("bn.weight", LARGEST_WEIGHT)
    assert not judged("bn.running_var", LARGEST_STATISTIC / 2)
    assert judged("bn.running_var", LARGEST_STATISTIC * 2)
    path = tmp_path / "w.safetensors"
    save_file({"bn.num_batches_tracked": torch.tensor(2**60), "none": torch.zeros(0)}, path)
    assert find_implausible_in(path, is_own=False) is None


def test_an_own_networks_mask_may_hold_infinity(tmp_path: Path) -> None:
    class Masked(torch.nn.Linear):
        def __init__(self) -> None:
            super().__init__(2, 2)
            self.register_buffer("mask", torch.full((2, 2), -float("inf")))

    model = Masked()
    assert find_implausible(model.state_dict(), learned_tensors(model)) is None
    path = tmp_path / "w.safetensors"
    save_file(model.state_dict(), path)
    assert find_implausible_in(path, is_own=True) is None
    assert find_implausible_in(path, is_own=False) is not None


@pytest.mark.parametrize("sample", SAMPLE_WEIGHTS)
def test_samples_are_plausible(sample: str) -> None:
    assert find_implausible_in(located(sample), is_own=False) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 20,
        struct.pack("<Q", 60) + b'{"a.weight":{"dtype":"F32","data_offsets":[0,400]}}'.ljust(60),
        struct.pack("<Q", 60) + b'{"a.weight":{"dtype":"F32"}}'.ljust(60),
        struct.pack("<Q", 60) + b'{"a.weight":7}'.ljust(60),
    ],
    ids=["empty", "no header", "cut off", "no place", "no facts"],
)
def test_a_damaged_file_is_a_value_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"it|Expecting value"):
        find_implausible_in(path, is_own=False)


@pytest.mark.parametrize("value", [float("nan"), 3e16])
def test_a_weights_file_with_garbage_is_refused_before_training(
    tmp_path: Path, value: float
) -> None:
    weights = dict(seeded_network(SMALL, 2, seed=1).state_dict())
    weights["features.3.squeeze.weight"].view(-1)[5] = value
    path = tmp_path / "w.safetensors"
    save_file(weights, path)
    recipe = SMALL.model_copy(update={"weights_path": str(path)})
    with pytest.raises(InvalidModelDirectoryError, match=r"features\.3\.squeeze") as caught:
        build_model(recipe, 2, weights_dir=None, seed=1)
    assert "learning rate" not in str(caught.value)
    assert caught.value.parameter == "weights_path"
    with pytest.raises(InvalidModelDirectoryError, match="implausible weights"):
        check_weights_file(recipe, path, print)
