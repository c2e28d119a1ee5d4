"""Which head a network starts with, where its weights are for other classes than the training."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from modules.models.build import build_model, seeded_network
from modules.models.head import for_classes
from modules.models.origin import WeightsOrigin
from modules.models.recipe import Recipe
from modules.models.serialization import save_weights

ARCHITECTURE = "squeezenet1_1"
HEAD = "classifier.1."
THOUSAND = [f"class {number}" for number in range(1000)]


def recipe(**facts: object) -> Recipe:
    return Recipe.model_validate({"family": "test", "architecture": ARCHITECTURE, **facts})


def built(chosen: Recipe, classes: list[str], folder: Path) -> tuple[torch.Tensor, list[str]]:
    """The bias of the head, and what was warned of."""
    told: list[str] = []
    model = build_model(
        chosen, len(classes), weights_dir=folder, seed=5, classes=classes, warn=told.append
    )
    return model.get_parameter("classifier.1.bias").detach(), told


def fresh(num_classes: int) -> torch.Tensor:
    return seeded_network(recipe(), num_classes, seed=5).get_parameter("classifier.1.bias").detach()


def test_imagenets_head_is_never_the_users_own(tmp_path: Path) -> None:
    published = seeded_network(recipe(), 1000, seed=9).state_dict()
    torch.save(published, tmp_path / "plain.pth")
    bias, told = built(recipe(weights_path=str(tmp_path / "plain.pth")), THOUSAND, tmp_path)
    assert torch.equal(bias, fresh(1000))
    assert "ImageNet" in told[0]


def test_the_head_of_pretrained_weights_is_left_out_without_a_word() -> None:
    published = seeded_network(recipe(), 1000, seed=9).state_dict()
    told: list[str] = []
    rest = for_classes(published, HEAD, recipe(pretrained=True), THOUSAND, told.append)
    assert published.keys() - rest.keys() == {f"{HEAD}weight", f"{HEAD}bias"}
    assert told == []


def test_rows_follow_the_names_and_not_their_places(tmp_path: Path) -> None:
    weights = seeded_network(recipe(), 3, seed=9).state_dict()
    path = tmp_path / "own.safetensors"
    save_weights(weights, path, {"recipe": recipe().to_json(), "classes": ["b", "c", "a"]})
    bias, told = built(recipe(weights_path=str(path)), ["a", "b", "c"], tmp_path)
    assert torch.equal(bias, weights["classifier.1.bias"][[2, 0, 1]])
    assert told == []


@pytest.mark.parametrize("num_classes", [3, 4])
def test_a_head_that_names_no_classes_counts_by_its_size(tmp_path: Path, num_classes: int) -> None:
    weights = seeded_network(recipe(), 3, seed=9).state_dict()
    path = tmp_path / "nameless.safetensors"
    save_file(weights, path)
    bias, told = built(recipe(weights_path=str(path)), list("abcd")[:num_classes], tmp_path)
    kept = num_classes == 3
    assert torch.equal(bias, weights["classifier.1.bias"] if kept else fresh(4))
    assert bool(told) == kept


def test_googlenet_goes_on_with_the_input_that_it_was_trained_with(tmp_path: Path) -> None:
    scratch = Recipe(family="test", architecture="googlenet")
    path = tmp_path / "own.safetensors"
    facts = {"recipe": scratch.to_json(), "classes": ["a", "b"]}
    save_weights(seeded_network(scratch, 2, seed=1).state_dict(), path, facts)

    chosen = scratch.model_copy(update={"weights_path": str(path)})
    followed = WeightsOrigin.of(path).followed_by(chosen)
    assert not seeded_network(followed, 2, seed=1).transform_input
    assert seeded_network(chosen, 2, seed=1).transform_input
