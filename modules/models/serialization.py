"""Writing and reading trained models: safetensors and JSON, nothing pickled."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.artifacts import TrainedModel, write_json
from modules.errors import InvalidModelDirectoryError
from modules.files.whole_files import replacing
from modules.models.build import seeded_network
from modules.models.implausible_weights import find_implausible_in
from modules.models.origin import header_texts
from modules.models.recipe import recipe_of
from modules.models.weight_copying import WeightMismatch, copy_weights
from modules.models.weights_header import sort_texts
from modules.sentences import models as say
from modules.sentences.sentence import said_by

if TYPE_CHECKING:
    import pandas as pd
    import torch
    from torch import nn


def versions() -> dict[str, str]:
    """Return the versions that a model depends on, by distribution name."""
    by_package = {"python": platform.python_version()}
    for name in ("torch", "torchvision", "pipeline-designer"):
        try:
            by_package[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            by_package[name] = "not installed as a package"
    return by_package


def save_trained(
    folder: Path, model: nn.Module, description: Mapping[str, Any], history: pd.DataFrame
) -> TrainedModel:
    """Write the artifact in ``folder``: weights, ``model.json``, one row of history per epoch.

    ``description`` must contain ``recipe`` (JSON) and ``classes``; versions are added if missing.
    The model must be the plain network, not wrapped for compilation or other processes.
    """
    missing = {"recipe", "classes"} - description.keys()
    if missing:
        raise ValueError(f"The description lacks {sorted(missing)}. Add them.")
    stored = {"role": TrainedModel.role, **description}
    stored.setdefault("versions", versions())
    weights = {name: tensor.detach().cpu() for name, tensor in model.state_dict().items()}
    trained = TrainedModel(folder)
    with replacing(trained.weights_path) as path:
        save_weights(weights, path, stored)
    with replacing(folder / "history.parquet") as path:
        history.to_parquet(path, index=False)
    with replacing(folder / "model.json") as path:
        write_json(path, stored)
    return trained


def save_weights(
    weights: Mapping[str, torch.Tensor], path: Path, description: Mapping[str, Any]
) -> None:
    """Write a safetensors file with the origin of its weights (``WeightsOrigin``).

    Equal models are equal files, byte for byte.
    """
    from safetensors.torch import save_file

    # Clones, because safetensors rejects tensors that share memory.
    cloned = {name: tensor.contiguous().clone() for name, tensor in weights.items()}
    save_file(cloned, path, header_texts(description))
    sort_texts(path)


def require_plausible_weights(trained: TrainedModel) -> None:
    """Raise 0159 if the model is damaged or its weights contain implausible values, such as NaN.

    The file is read in parts, without torch.
    """
    recipe = recipe_of(trained)
    try:
        fault = find_implausible_in(trained.weights_path, is_own=recipe.is_own)
    except (OSError, ValueError) as error:
        damage = said_by(error)
        raise InvalidModelDirectoryError(say.TRAINED_MODEL_DAMAGED, error=damage) from error
    if fault is not None:
        raise InvalidModelDirectoryError(fault.statement)


def load_trained(trained: TrainedModel) -> nn.Module:
    """Return the network in inference mode with the trained weights; works offline.

    Parameters that are not among its weights are drawn as in the training. Raises
    ``InvalidModelDirectoryError`` (0159) if the artifact is damaged or not a trained model.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    recipe = recipe_of(trained)
    try:
        num_classes = len(trained.classes)
        weights = load_file(trained.weights_path)
    except (OSError, KeyError, TypeError, ValueError, SafetensorError) as error:
        damage = str(error)[:200]
        raise InvalidModelDirectoryError(say.TRAINED_MODEL_DAMAGED, error=damage) from error
    parameters = trained.description.get("training_parameters") or {}
    model = seeded_network(recipe, num_classes, seed=parameters.get("random_seed", 0))
    copy_weights(model, weights, WeightMismatch(say.TRAINED_WEIGHTS_DO_NOT_FIT, {}))
    return model.eval().requires_grad_(False)
