"""The tensors that a script wrote, under the names of the network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from modules.errors import InvalidModelDirectoryError
from modules.foreign_model import ForeignModel
from modules.models.build import seeded_network
from modules.models.pickled_models import tensors_of_pickled_model
from modules.models.recipe import TRANSFORMING, Recipe
from modules.models.structure import head_name
from modules.models.tensor_names import AUXILIARY_HEADS, name_as
from modules.models.weight_copying import WeightMismatch, copy_weights
from modules.models.weights import StoredWeights, read_stored, warn_of_unused
from modules.sentences import own_python as say
from modules.sentences.sentence import Statement

if TYPE_CHECKING:
    import torch
    from torch import nn

    Weights = Mapping[str, torch.Tensor]


def state_dict_of(model: ForeignModel, name: str | None) -> tuple[Path, StoredWeights]:
    """Return a file of the model, by default its main one, and the tensors in it.

    Raises 0159 if there is none, or if reading it requires running code.
    """
    path = _file_of(model, name)
    pickled = tensors_of_pickled_model(path)
    if pickled:
        return path, StoredWeights(pickled)
    said = (say.UNUSABLE_STATE_DICT, "state_dict")
    return path, read_stored(path, *said, shown=path.relative_to(model.path / "files").as_posix())


def _file_of(model: ForeignModel, name: str | None) -> Path:
    root = model.path / "files"
    files = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    if not files:
        raise InvalidModelDirectoryError(say.EMPTY_MODEL, port="model")
    wanted = str(model.description["main"]) if name is None else name
    if wanted not in files:
        said = say.NO_MODEL_FILE.about({"file": wanted[:200], "files": files})
        raise InvalidModelDirectoryError(said, parameter="state_dict")
    return root / wanted


def network_with(
    recipe: Recipe,
    stored: StoredWeights,
    classes: Sequence[str],
    file: str,
    warn: Callable[[Statement], None],
) -> nn.Module:
    """Return the recipe's network with the tensors of a file.

    Args:
        recipe: The network.
        stored: The tensors, under names that may have prefixes.
        classes: One for each output of the network, in their order.
        file: The name of the file in messages.
        warn: Receives the unused contents of the file.

    Raises:
        InvalidModelDirectoryError: The tensors are another network's (0159).
    """
    model = seeded_network(recipe, len(classes), seed=0)
    named = name_as(model.state_dict().keys(), stored.tensors)
    weights = named.weights
    if recipe.architecture in TRANSFORMING:
        weights = {k: tensor for k, tensor in weights.items() if not k.startswith(AUXILIARY_HEADS)}
    _check_head(weights, model, classes, file)
    facts = {"architecture": recipe.architecture, "file": file}
    names = stored.tensors.keys()
    copy_weights(
        model, weights, WeightMismatch(say.STATE_DICT_DOES_NOT_FIT, facts, "state_dict", names)
    )
    warn_of_unused(stored, named, file, warn)
    return model


def _check_head(weights: Weights, model: nn.Module, classes: Sequence[str], file: str) -> None:
    """Report different classes before tensors of different shapes are reported."""
    name = f"{head_name(model)}.weight"
    stored_head, own = weights.get(name), model.state_dict().get(name)
    if (
        stored_head is None
        or own is None
        or stored_head.ndim != own.ndim
        or len(stored_head) == len(own)
    ):
        return
    facts = {
        "file": file,
        "outputs": len(stored_head),
        "count": len(classes),
        "classes": list(classes),
    }
    raise InvalidModelDirectoryError(say.OTHER_HEAD.about(facts), port="images")
