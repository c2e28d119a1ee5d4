"""The tensors that a script wrote, under the names that the network has for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from modules.errors import InvalidModelDirectoryError
from modules.foreign_model import ForeignModel
from modules.models.build import copy_weights, seeded_network
from modules.models.pickled_models import tensors_of_pickled_model
from modules.models.recipe import TRANSFORMING, Recipe
from modules.models.structure import head_name
from modules.models.weights import read_weights
from modules.sentences import own_python as say

if TYPE_CHECKING:
    import torch
    from torch import nn

    Weights = Mapping[str, torch.Tensor]

WRAPPERS = ("module.", "_orig_mod.", "model.", "network.", "net.")
"""What distributed training, compiling and Lightning put before the names of a network's own."""
AUXILIARY = ("AuxLogits.", "aux1.", "aux2.")
"""Heads that GoogLeNet and Inception train with and never predict with."""


def state_dict_of(model: ForeignModel, name: str | None) -> tuple[Path, Weights]:
    """A file of the model, its main one without a name, and the tensors in it.

    Raises 0159 where there is none, and for what only running code could read.
    """
    path = _file_of(model, name)
    pickled = tensors_of_pickled_model(path)
    if pickled:
        return path, pickled
    said = (say.UNUSABLE_STATE_DICT, "state_dict")
    return path, read_weights(path, *said, shown=path.relative_to(model.path / "files").as_posix())


def _file_of(model: ForeignModel, name: str | None) -> Path:
    root = model.path / "files"
    files = sorted(each.relative_to(root).as_posix() for each in root.rglob("*") if each.is_file())
    if not files:
        raise InvalidModelDirectoryError(say.EMPTY_MODEL, port="model")
    wanted = str(model.description["main"]) if name is None else name
    if wanted not in files:
        said = say.NO_MODEL_FILE.about({"file": wanted[:200], "files": files})
        raise InvalidModelDirectoryError(said, parameter="state_dict")
    return root / wanted


def network_with(recipe: Recipe, weights: Weights, classes: Sequence[str], file: str) -> nn.Module:
    """The recipe's network with these tensors; 0159 where they are another network's."""
    model = seeded_network(recipe, len(classes), seed=0)
    named = _named_as(weights, model.state_dict().keys())
    if recipe.architecture in TRANSFORMING:
        named = {name: each for name, each in named.items() if not name.startswith(AUXILIARY)}
    _check_head(named, model, classes, file)
    facts = {"architecture": recipe.architecture, "file": file}
    copy_weights(model, named, say.STATE_DICT_DOES_NOT_FIT, facts, frozenset(), "state_dict")
    return model


def _named_as(weights: Weights, own: Iterable[str]) -> Weights:
    """The tensors without what was wrapped around the network that has names of its ``own``."""
    foreign = [each for each in WRAPPERS if not any(name.startswith(each) for name in own)]
    return {_unwrapped(name, foreign): tensor for name, tensor in weights.items()}


def _unwrapped(name: str, wrappers: Sequence[str]) -> str:
    wrapper = next((each for each in wrappers if name.startswith(each)), None)
    return name if wrapper is None else _unwrapped(name.removeprefix(wrapper), wrappers)


def _check_head(weights: Weights, model: nn.Module, classes: Sequence[str], file: str) -> None:
    """Say that the classes are others, before it is said that tensors have other shapes."""
    name = f"{head_name(model)}.weight"
    given, own = weights.get(name), model.state_dict().get(name)
    if given is None or own is None or given.ndim != own.ndim or len(given) == len(own):
        return
    facts = {"file": file, "outputs": len(given), "count": len(classes), "classes": list(classes)}
    raise InvalidModelDirectoryError(say.OTHER_HEAD.about(facts), port="images")
