"""Number format, memory layout and determinism, chosen by device and user."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modules.context import Context
from modules.operating_system.kernel import processor_description
from modules.sentences import compute as say

if TYPE_CHECKING:
    import torch

SMALL_EDGE = 48
"""Pixels; on a CPU, channels-last needs larger images, or a network of few weights."""
FEW_WEIGHTS = 10_000_000
"""Maximum weights for channels-last, as a CPU reorders all weights in each step: DenseNet-121 (8
million) at 32 pixels is a quarter faster in channels-last than in channels-first, ResNet-18 (11
million) a quarter slower.
"""

FAST_BF16 = frozenset({"avx512_bf16", "amx_bf16", "bf16"})
"""Names of bf16 support in x86 (the first two) and ARM; torch and Linux use the same."""
VOLTA, AMPERE = (7, 0), (8, 0)
"""The first NVIDIA architectures whose tensor cores multiply fp16, and bf16."""


@dataclass(frozen=True)
class Precision:
    """The way a model computes."""

    name: str
    """fp32, bf16 or fp16."""
    device_type: str
    channels_last: bool

    def autocast(self) -> AbstractContextManager[Any]:
        """Return the context manager for forward passes."""
        import torch

        if self.name == "fp32":
            return nullcontext()
        dtype = torch.bfloat16 if self.name == "bf16" else torch.float16
        return torch.autocast(self.device_type, dtype)

    @property
    def scales_losses(self) -> bool:
        """Return True if ``scaler`` returns a scaler."""
        return self.name == "fp16"

    def scaler(self) -> torch.amp.GradScaler | None:
        """Return the loss scaler of fp16 gradients; None for the other formats."""
        import torch

        return torch.amp.GradScaler(self.device_type) if self.scales_losses else None


def choose_precision(
    wanted: str,
    device: torch.device,
    size: tuple[int, int],
    num_weights: int,
    context: Context,
    *,
    reproducible: bool = False,
    is_autotuned: bool = False,
) -> Precision:
    """Return the requested format, or with ``auto`` the fastest one of equal quality.

    ``size`` is the height and width of the images in pixels. ``is_autotuned``: convolutions are
    computed in the faster way, for which channels-last suits all sizes.
    """
    if wanted == "auto":
        wanted = "fp32" if reproducible else fastest_format(device)
    if wanted == "fp16" and device.type == "cpu":
        context.warn(say.FP16_NEEDS_GPU)
        wanted = "fp32"
    gains_from_layout = is_autotuned or min(size) >= SMALL_EDGE or num_weights < FEW_WEIGHTS
    return Precision(wanted, device.type, device.type != "cpu" or gains_from_layout)


def fastest_format(device: torch.device) -> str:
    """Return the format that the device multiplies fastest in hardware: bf16, fp16 or fp32."""
    import torch

    if device.type != "cuda":
        return "bf16" if FAST_BF16 & cpu_abilities() else "fp32"
    ability = torch.cuda.get_device_capability(device)
    return "bf16" if ability >= AMPERE else "fp16" if ability >= VOLTA else "fp32"


def cpu_abilities() -> set[str]:
    """Return the processor's features from torch, or from Linux if torch does not report them."""
    import torch

    if hasattr(torch.cpu, "get_capabilities"):
        return {name for name, ability in torch.cpu.get_capabilities().items() if ability}
    return abilities_in(processor_description())


def abilities_in(description: str) -> set[str]:
    """Return the CPU features that Linux reports: ``flags`` of x86, ``Features`` of ARM."""
    lines = (line.partition(":") for line in description.splitlines())
    return {
        ability
        for name, _, abilities in lines
        if name.strip() in ("flags", "Features")
        for ability in abilities.split()
    }
