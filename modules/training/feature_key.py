"""Key of a frozen network's features: everything that decides them, apart from the image."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from modules.compute.precision import Precision
from modules.image_loading.decoding import PIXELS_VERSION
from modules.image_loading.normalisation import Normalisation
from modules.models.recipe import Recipe
from modules.transforms.operations import Operations

if TYPE_CHECKING:
    import torch
    from torch import nn

FORMAT_VERSION = 3
VIEWS_VERSION = 1
"""Version of the views other than the images themselves."""


@dataclass(frozen=True)
class FeatureView:
    """The preparation of images and the computation of their features."""

    operations: Operations
    """Operations on each image; none is random."""
    normalisation: Normalisation
    precision: Precision
    exact: tuple[Any, ...] = ()
    """Further facts (JSON) of a reproducible training, whose features must not differ by a bit:
    they depend on threads, batches, and the images of a batch.
    """
    in_full: bool = False
    """True if large JPEG files were decoded at their full size instead of a reduced one."""
    view: str = ""
    """View of the prepared images (``feature_views``); empty for the images themselves."""


def feature_key(backbone: nn.Module, recipe: Recipe, view: FeatureView, device: str) -> str:
    """Return a hash of the network, its weights, the preparation, and the libraries.

    Args:
        backbone: The network without its head.
        recipe: The recipe that it was built from; where its weights came from does not count.
        view: The preparation of images.
        device: Type of the device that computes.
    """
    network = [recipe.architecture, dict(recipe.arguments), recipe.code]
    facts = [
        [FORMAT_VERSION, PIXELS_VERSION, *_libraries(), device],
        network,
        [dict(operation) for operation in view.operations],
        asdict(view.normalisation),
        asdict(view.precision),
        view.exact,
        *(["in full"] if view.in_full else []),
        *([["view", view.view, VIEWS_VERSION]] if view.view else []),
    ]
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    _add_weights(digest, backbone.state_dict())
    return digest.hexdigest()[:32]


def _add_weights(digest: hashlib._Hash, weights: Mapping[str, torch.Tensor]) -> None:
    for name, tensor in weights.items():
        digest.update(name.encode())
        digest.update(tensor.cpu().contiguous().view(-1).numpy().data)


def _libraries() -> Sequence[str]:
    """Return the versions of the libraries that turn files into features."""
    import PIL
    import torch
    import torchvision

    return [str(library.__version__) for library in (PIL, torch, torchvision)]
