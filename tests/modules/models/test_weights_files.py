"""Weights files of other people: prefixes, checkpoints, damaged values, and what is no weights."""

from __future__ import annotations

import argparse
import itertools
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from modules.context import Context
from modules.errors import InvalidModelDirectoryError
from modules.models.build import build_model, seeded_network
from modules.models.image_model import ImageModelParameters, image_model
from modules.models.recipe import Recipe
from modules.models.tensor_names import name_as
from modules.models.weights import check_form

NETWORK = "shufflenet_v2_x0_5"
Weights = dict[str, torch.Tensor]


@pytest.fixture(scope="module")
def plain() -> Weights:
    recipe = Recipe(family="Image Model", architecture=NETWORK)
    return dict(seeded_network(recipe, 3, seed=5).state_dict())


def run(path: Path, folder: Path, **settings: Any) -> list[str]:
    """Run Image Model with the weights file; return its warnings."""
    events: list[dict[str, Any]] = []
    parameters = ImageModelParameters(model_name=NETWORK, weights_path=str(path), **settings)
    image_model.run({}, parameters, Context(folder / "staging", emit=events.append))
    return [event["message"] for event in events if event["kind"] == "warning"]


def refusal(path: Path, folder: Path) -> str:
    with pytest.raises(InvalidModelDirectoryError) as caught:
        run(path, folder)
    assert caught.value.parameter == "weights_path"
    return caught.value.message


def loaded(path: Path, weights_set: str = "") -> Weights:
    recipe = Recipe(
        family="Image Model",
        architecture=NETWORK,
        weights_path=str(path),
        weights_set=weights_set,
    )
    return dict(build_model(recipe, 3, weights_dir=None, seed=0).state_dict())


def prefixed(prefix: str, weights: Weights) -> Weights:
    return {prefix + name: tensor for name, tensor in weights.items()}


PREFIXES = ("module.", "_orig_mod.", "model.", "net.", "backbone.", "encoder.", "network.")


def test_prefixes_are_removed_in_any_order(plain: Weights) -> None:
    for first, second in itertools.product(PREFIXES, PREFIXES):
        named = name_as(plain.keys(), prefixed(first + second, plain))
        assert named.weights.keys() == plain.keys(), (first, second)
        assert not named.left_out


def test_the_networks_own_prefix_is_kept() -> None:
    own = ["model.conv.weight", "fc.weight"]
    stored = prefixed("module.", {name: torch.zeros(1) for name in own})
    assert list(name_as(own, stored).weights) == own
    bare = {name: torch.zeros(1) for name in own}
    assert list(name_as(own, bare).weights) == own


def test_wrapped_parts_and_a_head_beside_the_backbone_are_found() -> None:
    own = ["conv.weight", "layer1.0.weight", "fc.weight"]
    stored = {
        "backbone.conv.weight": torch.zeros(1),
        "backbone.layer1._orig_mod.0.weight": torch.zeros(1),
        "fc.weight": torch.zeros(1),
        "loss.weight": torch.zeros(1),
    }
    named = name_as(own, stored)
    assert sorted(named.weights) == sorted(own)
    assert named.left_out == ("loss.weight",)


@pytest.mark.parametrize("form", ["compiled", "lightning", "averaged", "arguments"])
def test_checkpoints_of_frameworks_are_this_network(
    tmp_path: Path, plain: Weights, form: str
) -> None:
    content: Any = {
        "compiled": prefixed("_orig_mod.module.", plain),
        "lightning": {
            "state_dict": prefixed("model.net.", plain) | {"criterion.weight": torch.ones(3)},
            "hyper_parameters": {"lr": 0.1},
        },
        "averaged": prefixed("module.", plain) | {"n_averaged": torch.tensor(5)},
        "arguments": {"model": plain, "epoch": 3, "args": argparse.Namespace(lr=0.1)},
    }[form]
    path = tmp_path / "w.pt"
    torch.save(content, path)
    warnings = run(path, tmp_path)
    assert all(torch.equal(tensor, plain[name]) for name, tensor in loaded(path).items())
    expected = ["criterion.weight"] if form == "lightning" else []
    assert len(warnings) == len(expected)
    assert all(name in text for name, text in zip(expected, warnings, strict=True))


@pytest.mark.parametrize("second", ["model_ema", "state_dict_ema"])
def test_a_second_set_of_weights_is_warned_of(tmp_path: Path, plain: Weights, second: str) -> None:
    path = tmp_path / "w.pt"
    other = {name: torch.zeros_like(tensor) for name, tensor in plain.items()}
    optimizer = {"state": {0: {"exp_avg": torch.ones(2)}}, "param_groups": []}
    torch.save({"model": plain, second: other, "optimizer": optimizer}, path)
    (warning,) = run(path, tmp_path)
    assert "'model' was used" in warning
    assert second in warning
    assert torch.equal(loaded(path)["conv1.0.weight"], plain["conv1.0.weight"])


def test_sets_without_a_known_name_are_a_refusal_that_names_them(
    tmp_path: Path, plain: Weights
) -> None:
    path = tmp_path / "w.pt"
    torch.save({"student": plain, "teacher": plain}, path)
    assert "student, teacher" in refusal(path, tmp_path)
    torch.save({"student": plain, "epoch": 1}, path)
    assert not run(path, tmp_path)


def test_a_set_of_weights_is_chosen_by_its_name(tmp_path: Path, plain: Weights) -> None:
    path = tmp_path / "w.pt"
    average = {name: tensor + 1 for name, tensor in plain.items() if tensor.is_floating_point()}
    torch.save({"model": plain, "model_ema": {**plain, **average}}, path)
    assert not run(path, tmp_path, weights_set="model_ema")
    chosen = loaded(path, "model_ema")
    assert torch.equal(chosen["conv1.0.weight"], plain["conv1.0.weight"] + 1)
    with pytest.raises(InvalidModelDirectoryError, match="no set of tensors 'ema', only model"):
        run(path, tmp_path, weights_set="ema")


@pytest.mark.parametrize(
    ("tensor", "value"),
    [
        ("conv1.0.weight", float("nan")),
        ("conv1.0.weight", float("-inf")),
        ("conv1.1.running_var", -0.5),
        ("fc.bias", float("nan")),
    ],
)
def test_values_that_no_training_leads_to_are_refused_at_the_node(
    tmp_path: Path, plain: Weights, tensor: str, value: float
) -> None:
    path = tmp_path / "w.pt"
    weights = {name: each.clone() for name, each in plain.items()}
    weights[tensor].view(-1)[0] = value
    torch.save(weights, path)
    assert tensor in refusal(path, tmp_path)


def test_a_files_content_counts_and_not_its_name(tmp_path: Path, plain: Weights) -> None:
    safetensors, torch_file = tmp_path / "w.pt", tmp_path / "w.safetensors"
    save_file(plain, safetensors)
    torch.save(plain, torch_file)
    for path in (safetensors, torch_file):
        check_form(path)
        assert not run(path, tmp_path)
        assert torch.equal(loaded(path)["fc.weight"], plain["fc.weight"])


FOREIGN = {
    "Git LFS pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 9\n",
    "web page": b"\n<!DOCTYPE html><html>Sign in</html>",
    "empty": b"",
    "zeros": b"\0" * 100,
    "JSON": b'{"error": "gone"}',
    "HDF5": b"\x89HDF\r\n\x1a\n",
    "compressed": b"\x1f\x8b\x08\0",
    "truncated": b"PK\x03\x04" + b"\0" * 50,
    "not a weights file": b"hello, this is a text",
}


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("suffix", [".pth", ".safetensors"])
def test_what_holds_no_weights_is_named(tmp_path: Path, kind: str, suffix: str) -> None:
    path = tmp_path / f"w{suffix}"
    path.write_bytes(FOREIGN[kind])
    assert kind in refusal(path, tmp_path)
    with pytest.raises(InvalidModelDirectoryError, match=kind):
        check_form(path)


def test_other_archives_are_named(tmp_path: Path) -> None:
    path = tmp_path / "w.pt"
    for member, kind in (("model.weights.h5", "Keras"), ("a.npy", "NumPy"), ("a.txt", "unpack")):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(member, "content")
        assert kind in refusal(path, tmp_path)


def test_a_refusal_compares_five_names_of_each(tmp_path: Path, plain: Weights) -> None:
    path = tmp_path / "w.pt"
    torch.save(prefixed("student.", plain), path)
    message = refusal(path, tmp_path)
    theirs, _, own = message.partition("Names in the file: ")[2].partition("Names in the network: ")
    names = list(plain)[:5]
    assert theirs.strip(" .").split(", ") == [f"student.{name}" for name in names]
    assert own.strip(" .").split(", ") == names
