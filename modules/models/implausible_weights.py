"""Detection of implausible weights: not finite, too large, or negative variances.

A loss does not show them if the images never meet them: a kernel's outer taps over maps of one
pixel. With larger images the same model predicts nonsense.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from modules.models.weights_header import METADATA, read_header
from modules.sentences import models as say
from modules.sentences.sentence import Statement

if TYPE_CHECKING:
    import torch
    from torch import nn

LARGEST_WEIGHT = 1e6
"""Maximum magnitude of a parameter. If normalisation follows a layer, the norm of its weights grows
with the fourth root of the steps and the square root of the learning rate (Arora et al.,
arXiv:1812.03981; Salimans and Kingma, arXiv:1602.07868): a million steps at a rate of 1 stay
below 100. Otherwise, activations multiply by it in each layer, and the loss becomes infinite
first. Uninitialised memory was seen to contain 1e12 to 1e30.
"""
LARGEST_STATISTIC = LARGEST_WEIGHT**2
"""Maximum magnitude of a running mean or variance: a variance is in squares of activations, which
are products of weights and normalised images.
"""

VARIANCE = "running_var"
STATISTICS = ("running_mean", VARIANCE)
LEARNED_NAMES = ("weight", "bias", *STATISTICS)
"""Suffixes of tensors of a user's own network that are certainly learned: a mask among its buffers
may contain infinity.
"""
CHUNK_NUMBERS = 1 << 20
"""Numbers of a file in memory at once: 4 MB of fp32."""


class ImplausibleWeights(NamedTuple):
    """The first tensor with an implausible value."""

    tensor: str
    value: float
    """The largest magnitude in it; NaN if there is one; for a variance a negative value."""

    @property
    def facts(self) -> dict[str, str]:
        """Return the facts of the messages about it, as texts, as JSON has no NaN."""
        layer = self.tensor.rpartition(".")[0] or self.tensor
        return {"layer": layer, "tensor": self.tensor, "value": f"{self.value:.2g}"}

    @property
    def statement(self) -> Statement:
        """Return the message about a model or file that contains it, with a fix."""
        return say.IMPLAUSIBLE_WEIGHTS.about(self.facts)


def find_implausible(
    weights: Mapping[str, torch.Tensor], learned: Container[str]
) -> ImplausibleWeights | None:
    """Return the first of the ``learned`` tensors with implausible values, or None."""
    return _first(
        (name, _largest(name, tensor)) for name, tensor in weights.items() if name in learned
    )


def find_implausible_in(path: Path, *, is_own: bool) -> ImplausibleWeights | None:
    """Return the same for a safetensors file, without torch and with little memory.

    Args:
        path: The file.
        is_own: True for a user's own network, whose buffers may hold anything.

    Raises:
        ValueError: The file is damaged.
        OSError: The file cannot be read.
    """
    return _first(_largest_in(path, LEARNED_NAMES if is_own else ("",)))


def learned_tensors(model: nn.Module) -> set[str]:
    """Return the names of a model's parameters and running statistics."""
    statistics = {name for name, _ in model.named_buffers() if name.endswith(STATISTICS)}
    return statistics | {name for name, _ in model.named_parameters()}


def _first(largest: Iterable[tuple[str, float]]) -> ImplausibleWeights | None:
    for name, value in largest:
        bound = LARGEST_STATISTIC if name.endswith(STATISTICS) else LARGEST_WEIGHT
        if not value <= bound or value < 0:  # a NaN is neither
            return ImplausibleWeights(name, value)
    return None


def _largest(name: str, tensor: torch.Tensor) -> float:
    """Return the largest magnitude; NaN if there is one, 0 for whole numbers and empty tensors.

    For variances the least value if it is negative.
    """
    import torch

    if not tensor.is_floating_point() or not tensor.numel() or tensor.is_meta:
        return 0.0
    values = tensor.detach().float() if tensor.element_size() == 1 else tensor.detach()
    least, most = (float(extreme) for extreme in torch.aminmax(values))
    if math.isnan(least) or math.isnan(most):
        return math.nan
    return least if name.endswith(VARIANCE) and least < 0 else max(abs(least), abs(most))


class _Format(NamedTuple):
    """Numbers of a format as bits: without the sign they are in the order of their magnitudes."""

    bits: str
    magnitude: int
    """Mask of the bits without the sign."""
    shift: int
    """Shift from the format's bits to those of ``number``."""
    number: str

    def number_of(self, bits: int) -> float:
        """Return the number of a magnitude's bits."""
        import numpy as np

        number = np.dtype(self.number)
        return float(np.array(bits << self.shift, f"<u{number.itemsize}").view(number))


_FORMATS = {
    "F64": _Format("<u8", (1 << 63) - 1, 0, "<f8"),
    "F32": _Format("<u4", (1 << 31) - 1, 0, "<f4"),
    "F16": _Format("<u2", (1 << 15) - 1, 0, "<f2"),
    "BF16": _Format("<u2", (1 << 15) - 1, 16, "<f4"),
}


def _largest_in(path: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    header, start = read_header(path)
    with path.open("rb") as file:
        for name, facts in header.items():
            if name == METADATA or not name.endswith(endings):
                continue
            form, (first, end) = _place(facts)
            if form is not None:
                file.seek(start + first)
                largest, least = _extremes_of(file.read, form, end - first)
                yield name, least if name.endswith(VARIANCE) and least < 0 <= largest else largest


def _place(facts: Any) -> tuple[_Format | None, tuple[int, int]]:
    try:
        first, end = facts["data_offsets"]
        return _FORMATS.get(facts["dtype"]), (int(first), int(end))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("its header is damaged") from error


def _extremes_of(read: Any, form: _Format, num_bytes: int) -> tuple[float, float]:
    """Return the largest magnitude of the next bytes of a file, and the least number, at most 0."""
    import numpy as np

    bits, largest, least = np.dtype(form.bits), 0, 0
    while num_bytes > 0:
        content = read(min(num_bytes, CHUNK_NUMBERS * bits.itemsize))
        if not content or len(content) % bits.itemsize:
            raise ValueError("it ends too early")
        num_bytes -= len(content)
        numbers = np.frombuffer(content, bits)
        magnitudes = numbers & form.magnitude
        largest = max(largest, int(magnitudes.max()))
        least = max(least, int(magnitudes[numbers > form.magnitude].max(initial=0)))
    return form.number_of(largest), -form.number_of(least)
