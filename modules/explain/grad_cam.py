"""Heat maps of a model: Grad-CAM of its last feature map (Selvaraju et al., ICCV 2017).

Shape letters: N images, C channels, H height, W width.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory, TrainedModel
from modules.errors import InvalidModelDirectoryError
from modules.explain.samples import for_inference, normalised, statistics
from modules.image_loading.normalisation import Normalisation
from modules.models.logits import logits_of
from modules.models.serialization import load_trained
from modules.sentences import all_families

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch
    from torch import nn

    from modules.explain.samples import Pixels, TensorChannel

OPACITY = 0.5
SMALLEST_MAP = 4
"""Minimum edge of a feature map: smaller ones do not localise anything."""


@dataclass(frozen=True)
class Explanation:
    """A prediction and its heat map."""

    seen: Pixels
    """The image as the model sees it, (H, W, 3)."""
    tensor: list[TensorChannel]
    probabilities: dict[str, float]
    explained: str
    """The class the heat map is for."""
    layer: str | None
    overlay: Pixels | None
    """The image under its heat map; None if the network has no feature map."""


def explain(
    model: TrainedModel, dataset: ImageDirectory, index: int, class_name: str | None
) -> Explanation:
    """Predict one image, and compute a heat map for a class or the predicted one."""
    attached = dataset.transformation
    stored: Any = model.description.get("inference_transformation", [])
    pixels = for_inference(dataset, index, attached.operations if attached else stored)
    network = load_trained(model).requires_grad_(True)
    tensor_NCHW = normalised(pixels, normalisation_of(model))
    layer, probabilities = _watched_prediction(network, tensor_NCHW)
    named = dict(zip(model.classes, probabilities, strict=True))
    explained = class_name if class_name in named else max(named, key=named.__getitem__)
    target = model.classes.index(explained)
    heat_HW = None if layer is None else _grad_cam(network, layer, tensor_NCHW, target)
    return Explanation(
        seen=pixels,
        tensor=statistics(tensor_NCHW),
        probabilities=named,
        explained=explained,
        layer=layer,
        overlay=None if heat_HW is None else _overlay(pixels, heat_HW),
    )


def overlay_of(
    network: nn.Module, pixels: Pixels, normalisation: Normalisation, target: int
) -> Pixels | None:
    """Return an image under the heat map of a class; None if the network has no feature map.

    Args:
        network: The trained network in fp32, whose parameters require gradients.
        pixels: The image as the model sees it, (H, W, 3).
        normalisation: Normalisation of the model.
        target: Index of the class.
    """
    tensor_NCHW = normalised(pixels, normalisation)
    layer, _ = _watched_prediction(network, tensor_NCHW)
    if layer is None:
        return None
    return _overlay(pixels, _grad_cam(network, layer, tensor_NCHW, target))


def normalisation_of(model: TrainedModel) -> Normalisation:
    """Return the normalisation of a trained model. Raises ``InvalidModelDirectoryError``."""
    try:
        return Normalisation.from_json(model.description["normalisation"])
    except (KeyError, TypeError) as error:
        raise InvalidModelDirectoryError(all_families.NO_NORMALISATION) from error


def _watched_prediction(
    network: nn.Module, tensor_NCHW: torch.Tensor
) -> tuple[str | None, list[float]]:
    """Return the last layer that outputs a feature map (N, C, H, W), and the probabilities."""
    import torch

    seen: list[str] = []
    hooks = [
        part.register_forward_hook(_noter(name, seen)) for name, part in network.named_modules()
    ]
    try:
        with torch.no_grad():
            probabilities = logits_of(network, tensor_NCHW).softmax(dim=1)[0].tolist()
    finally:
        for hook in hooks:
            hook.remove()
    # a layer that is used repeatedly outputs several maps, none of which is unique
    once = [name for name in seen if seen.count(name) == 1]
    return (once[-1] if once else None), probabilities


def _noter(name: str, seen: list[str]) -> Any:
    def note(_part: nn.Module, _inputs: object, output: Any) -> None:
        is_map = getattr(output, "ndim", 0) == 4 and min(output.shape[2:]) >= SMALLEST_MAP
        if is_map and name:
            seen.append(name)

    return note


def _grad_cam(
    network: nn.Module, layer: str, tensor_NCHW: torch.Tensor, target: int
) -> npt.NDArray[np.float32]:
    """Return the contribution of each position to the class, 0 to 1, in the size of the image."""
    from captum.attr import LayerAttribution, LayerGradCam

    for part in network.modules():
        if getattr(part, "inplace", False):
            setattr(part, "inplace", False)  # noqa: B010 - else the gradient's input is overwritten
    watched = LayerGradCam(partial(logits_of, network), network.get_submodule(layer))
    attribution = watched.attribute(tensor_NCHW, target=target, relu_attributions=True)
    size = tuple(int(edge) for edge in tensor_NCHW.shape[2:])
    heat_HW = LayerAttribution.interpolate(attribution, size, "bilinear")[0, 0].detach().numpy()
    highest = float(heat_HW.max())
    scaled: npt.NDArray[np.float32] = heat_HW / highest if highest > 0 else heat_HW
    return scaled


def _overlay(pixels: Pixels, heat_HW: npt.NDArray[np.float32]) -> Pixels:
    """Return the image in grey under the heat map: black over red and yellow to white."""
    import numpy as np

    grey_HW = pixels.mean(axis=2) / 255
    colours_HWC = np.stack([np.clip(3 * heat_HW - step, 0, 1) for step in (0, 1, 2)], axis=2)
    strength_HW1 = OPACITY * np.clip(2 * heat_HW, 0, 1)[..., None]
    mixed = (1 - strength_HW1) * grey_HW[..., None] + strength_HW1 * colours_HWC
    result: Pixels = (255 * mixed.clip(0, 1)).round().astype(np.uint8)
    return result
