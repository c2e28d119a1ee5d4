"""EfficientNet-Lite0 to Lite2 (Tan et al. 2020): EfficientNet with ReLU6, without excitation.

Squeeze-and-excitation is left out; stem and head have the same width in all of them. Built from
torchvision's blocks; convolutions pad like TensorFlow, where the weights were trained.

Shape letters: N images, C channels, H height, W width, K classes.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import torch
    from torch import nn

STEM_CHANNELS = 32
HEAD_CHANNELS = 1280
EPSILON = 1e-3
"""TensorFlow's epsilon of batch normalisation; the default of torch is a hundredth of it."""
STOCHASTIC_DEPTH = 0.2
"""Probability of skipping the last block in training; it grows linearly from 0 at the first."""


class Stage(NamedTuple):
    """Equal blocks one after another; only the first one has the stride."""

    kernel_size: int
    stride: int
    expansion: int
    in_channels: int
    out_channels: int
    num_blocks: int


class Variant(NamedTuple):
    """Factors of channels and blocks, relative to Lite0, and the dropout before the head."""

    width: float
    depth: float
    dropout: float


VARIANTS = {
    "efficientnet_lite0": Variant(1.0, 1.0, 0.2),
    "efficientnet_lite1": Variant(1.0, 1.1, 0.2),
    "efficientnet_lite2": Variant(1.1, 1.2, 0.3),
}
CHANNEL_STEP = 8

STAGES = (
    Stage(3, 1, 1, 32, 16, 1),
    Stage(3, 2, 6, 16, 24, 2),
    Stage(5, 2, 6, 24, 40, 2),
    Stage(3, 2, 6, 40, 80, 3),
    Stage(5, 1, 6, 80, 112, 3),
    Stage(5, 2, 6, 112, 192, 4),
    Stage(3, 1, 6, 192, 320, 1),
)
"""Stages of Lite0."""


def stages_of(architecture: str) -> tuple[Stage, ...]:
    """Return the stages of a variant; the first and the last one have one block in all of them."""
    variant = VARIANTS[architecture]
    stages = []
    for position, stage in enumerate(STAGES):
        is_fixed = position in (0, len(STAGES) - 1)
        factor = 1.0 if is_fixed else variant.depth
        in_channels = STEM_CHANNELS if position == 0 else _scaled(stage.in_channels, variant)
        stages.append(
            stage._replace(
                in_channels=in_channels,
                out_channels=_scaled(stage.out_channels, variant),
                num_blocks=math.ceil(factor * stage.num_blocks),
            )
        )
    return tuple(stages)


def _scaled(channels: int, variant: Variant) -> int:
    """Return a multiple of eight near the scaled number, at least 90 % of it."""
    wanted = channels * variant.width
    nearest = int(wanted + CHANNEL_STEP / 2) // CHANNEL_STEP * CHANNEL_STEP
    return nearest if nearest >= 0.9 * wanted else nearest + CHANNEL_STEP


def efficientnet_lite(architecture: str, num_classes: int = 1000) -> nn.Module:
    """Return a variant with random weights, its parts named as in EfficientNet."""
    from torch import nn

    stages = stages_of(architecture)
    head = _convolution(stages[-1].out_channels, HEAD_CHANNELS, kernel_size=1)
    dropout = nn.Dropout(VARIANTS[architecture].dropout)
    network = nn.Sequential(
        OrderedDict(
            features=nn.Sequential(_strided(3, STEM_CHANNELS, 3, 2), *_blocks(stages), head),
            avgpool=nn.AdaptiveAvgPool2d(1),
            flatten=nn.Flatten(),
            classifier=nn.Sequential(dropout, nn.Linear(HEAD_CHANNELS, num_classes)),
        )
    )
    for part in network.modules():
        _initialise(part)
    return network


def same_padding(length: int, kernel_size: int, stride: int) -> tuple[int, int]:
    """Return the padding SAME of TensorFlow before and after an axis, in pixels.

    With stride 2 and an even length there is more after the axis than before it.
    """
    num_outputs = -(-length // stride)
    missing = max((num_outputs - 1) * stride + kernel_size - length, 0)
    return missing // 2, missing - missing // 2


class _Layers(NamedTuple):
    padding: Any
    block: Any


@lru_cache(maxsize=1)
def _layers() -> _Layers:
    """Return the classes of layers; created once, as torch is loaded late."""
    from torch import nn
    from torch.nn.functional import pad
    from torchvision.ops import StochasticDepth

    class SamePadding(nn.Module):
        def __init__(self, kernel_size: int, stride: int) -> None:
            super().__init__()
            self.kernel_size, self.stride = kernel_size, stride

        def forward(self, images_NCHW: torch.Tensor) -> torch.Tensor:
            height, width = images_NCHW.shape[-2:]
            rows = same_padding(height, self.kernel_size, self.stride)
            columns = same_padding(width, self.kernel_size, self.stride)
            return pad(images_NCHW, (*columns, *rows))

    class LiteBlock(nn.Module):
        def __init__(self, layers: nn.Module, skip_probability: float, is_residual: bool) -> None:
            super().__init__()
            self.layers, self.is_residual = layers, is_residual
            self.stochastic_depth = StochasticDepth(skip_probability, "row")

        def forward(self, features_NCHW: torch.Tensor) -> torch.Tensor:
            outputs_NCHW: torch.Tensor = self.layers(features_NCHW)
            if not self.is_residual:
                return outputs_NCHW
            kept_NCHW: torch.Tensor = self.stochastic_depth(outputs_NCHW)
            return kept_NCHW + features_NCHW

    return _Layers(SamePadding, LiteBlock)


def _convolution(in_channels: int, out_channels: int, kernel_size: int, **more: Any) -> nn.Module:
    """Return torchvision's convolution with batch normalisation and, by default, ReLU6."""
    from torch import nn
    from torchvision.ops.misc import Conv2dNormActivation

    norm = partial(nn.BatchNorm2d, eps=EPSILON)
    arguments = {"norm_layer": norm, "activation_layer": nn.ReLU6} | more
    layers: nn.Module = Conv2dNormActivation(in_channels, out_channels, kernel_size, **arguments)
    return layers


def _strided(
    in_channels: int, out_channels: int, kernel_size: int, stride: int, groups: int = 1
) -> nn.Module:
    """Return a convolution with TensorFlow's padding; with stride 1 it is also torch's."""
    from torch import nn

    make = partial(_convolution, in_channels, out_channels, kernel_size, groups=groups)
    if stride == 1:
        return make()
    return nn.Sequential(_layers().padding(kernel_size, stride), make(stride=stride, padding=0))


def _blocks(stages: Sequence[Stage]) -> list[nn.Module]:
    from torch import nn

    num_blocks = sum(stage.num_blocks for stage in stages)
    parts: list[nn.Module] = []
    first = 0
    for stage in stages:
        numbers = range(first, first + stage.num_blocks)
        skipped = [STOCHASTIC_DEPTH * number / num_blocks for number in numbers]
        blocks = [
            _block(stage, share, is_first=number == first)
            for number, share in zip(numbers, skipped, strict=True)
        ]
        parts.append(nn.Sequential(*blocks))
        first += stage.num_blocks
    return parts


def _block(stage: Stage, skip_probability: float, *, is_first: bool) -> nn.Module:
    """Return an inverted residual block: expansion, depthwise convolution, projection."""
    from torch import nn

    in_channels = stage.in_channels if is_first else stage.out_channels
    stride = stage.stride if is_first else 1
    width = in_channels * stage.expansion
    layers: OrderedDict[str, nn.Module] = OrderedDict()
    if stage.expansion > 1:
        layers["expand"] = _convolution(in_channels, width, kernel_size=1)
    layers["depthwise"] = _strided(width, width, stage.kernel_size, stride, groups=width)
    layers["project"] = _convolution(width, stage.out_channels, 1, activation_layer=None)
    is_residual = stride == 1 and in_channels == stage.out_channels
    block: nn.Module = _layers().block(nn.Sequential(layers), skip_probability, is_residual)
    return block


def _initialise(part: nn.Module) -> None:
    """Draw random weights as torchvision does for EfficientNet; batch normalisation is ready."""
    from torch import nn

    if isinstance(part, nn.Conv2d):
        nn.init.kaiming_normal_(part.weight, mode="fan_out")
    elif isinstance(part, nn.Linear):
        bound = 1 / math.sqrt(part.out_features)
        nn.init.uniform_(part.weight, -bound, bound)
        nn.init.zeros_(part.bias)


_PUBLISHED_LAYERS = {
    "expand": ("_expand_conv", "_bn0"),
    "depthwise": ("_depthwise_conv", "_bn1"),
    "project": ("_project_conv", "_bn2"),
}
"""Names of a block's convolution and batch normalisation in published weights."""


def renamed(architecture: str, published: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return published weights, named as in TensorFlow, under the names of ``efficientnet_lite``.

    Tensors of unknown names keep them.
    """
    layers = _published_layers(stages_of(architecture))
    weights = {}
    for name, tensor in published.items():
        layer, _, rest = name.rpartition(".")
        weights[f"{layers[layer]}.{rest}" if layer in layers else name] = tensor
    return weights


def _published_layers(stages: Sequence[Stage]) -> dict[str, str]:
    """Return the name in ``efficientnet_lite`` for each published layer."""
    layers = {"_conv_stem": "features.0.1.0", "_bn0": "features.0.1.1"}
    head = f"features.{len(stages) + 1}"
    layers |= {"_conv_head": f"{head}.0", "_bn1": f"{head}.1", "_fc": "classifier.1"}
    number = 0
    for position, stage in enumerate(stages, start=1):
        for index in range(stage.num_blocks):
            has_padding = stage.stride > 1 and index == 0
            for part, published in _PUBLISHED_LAYERS.items():
                place = f"features.{position}.{index}.layers.{part}"
                place += ".1" if part == "depthwise" and has_padding else ""
                for kind, name in enumerate(published):
                    layers[f"_blocks.{number}.{name}"] = f"{place}.{kind}"
            number += 1
    return layers
