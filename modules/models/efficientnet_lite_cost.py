"""Cost of an EfficientNet-Lite of which only the head is trained, computed without torch.

The first pipeline for own images has one: its forecast would otherwise wait until torch is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from modules.models.efficientnet_lite import HEAD_CHANNELS, STEM_CHANNELS, stages_of
from modules.models.network_cost import ModelCost

_BYTES_OF_FLOAT = 4


class _Convolution(NamedTuple):
    """A convolution without bias, followed by batch normalisation."""

    in_channels: int
    """Of a group."""
    out_channels: int
    kernel_size: int = 1
    stride: int = 1

    @property
    def num_weights(self) -> int:
        return self.in_channels * self.out_channels * self.kernel_size**2


def head_cost(architecture: str, num_classes: int, height: int, width: int) -> ModelCost:
    """Return what ``num_parameters_and_flops`` measures where all but the head is frozen."""
    head = (HEAD_CHANNELS + 1) * num_classes
    multiplications = HEAD_CHANNELS * num_classes
    num_parameters = head
    for convolution in _convolutions(architecture):
        height, width = (-(-length // convolution.stride) for length in (height, width))
        multiplications += height * width * convolution.num_weights
        num_parameters += convolution.num_weights + 2 * convolution.out_channels
    # A training step keeps only the features in front of the head.
    kept = HEAD_CHANNELS * _BYTES_OF_FLOAT
    return ModelCost(num_parameters, head, 2.0 * multiplications, kept)


def _convolutions(architecture: str) -> Iterator[_Convolution]:
    yield _Convolution(3, STEM_CHANNELS, kernel_size=3, stride=2)
    stages = stages_of(architecture)
    for stage in stages:
        for number in range(stage.num_blocks):
            in_channels, stride = stage.out_channels, 1
            if number == 0:
                in_channels, stride = stage.in_channels, stage.stride
            inner = in_channels * stage.expansion
            if stage.expansion > 1:
                yield _Convolution(in_channels, inner)
            yield _Convolution(1, inner, stage.kernel_size, stride)
            yield _Convolution(inner, stage.out_channels)
    yield _Convolution(stages[-1].out_channels, HEAD_CHANNELS)
