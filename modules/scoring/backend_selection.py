"""Selection of the fastest runtime for scoring a model on this machine: measured once, cached.

Shape letters: N images of a batch, K classes, C channels, H height, W width.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.files.json_files import read_if_valid, remember
from modules.formatting import format_rate
from modules.scoring.backends import (
    Runtime,
    TorchRuntime,
    can_compile,
    compiled,
    exported,
    installed_runtimes,
    open_exported,
    versions_of,
)

if TYPE_CHECKING:
    import torch

WORTH_TRYING_SECONDS = 20.0
"""Minimum remaining seconds: an export takes 4 to 8 s and may halve the rest."""
WORTH_COMPILING_SECONDS = 240.0
"""torch.compile takes 6 to 36 s on two cores and saves a fifth."""
TOLERANCES = {"fp32": 1e-4, "bf16": 2e-2, "fp16": 2e-2}
"""Maximum deviation of a probability from torch's, by the number format of the model."""
_REPEATS = 3


@dataclass
class BackendChoice:
    """The selected runtime, and the measurements of all that were tried."""

    runtime: Runtime
    rates: dict[str, float] = field(default_factory=dict)
    """Images/s by name."""
    refused: dict[str, str] = field(default_factory=dict)
    """Reasons why runtimes were rejected, by name."""

    def __str__(self) -> str:
        measured = ", ".join(
            f"{name} {format_rate(rate, 'images')}" for name, rate in self.rates.items()
        )
        reasons = "".join(f"; {name}: {reason}" for name, reason in self.refused.items())
        return f"{self.runtime.name} scores ({measured}){reasons}"


class BackendSelector:
    """Selection of runtimes on a real batch, cached in ``folder`` by machine and model."""

    def __init__(self, folder: Path | None, facts: dict[str, Any], threads: int) -> None:
        """Create the selector; ``facts`` describe the model, packages and machine are added."""
        self.threads = threads
        installed = versions_of(installed_runtimes())
        text = json.dumps([*_machine(), installed, can_compile(), threads, facts], sort_keys=True)
        self.key = hashlib.sha256(text.encode()).hexdigest()[:32]
        """Hash of everything that the choice depends on, except for the weights."""
        self._path = folder / "runtimes" / f"{self.key}.json" if folder else None

    def choose(
        self, torch_runtime: TorchRuntime, images_NCHW: torch.Tensor, seconds_left: float
    ) -> BackendChoice:
        """Return the fastest runtime whose probabilities match torch's within the tolerance."""
        known = self._remembered()
        if seconds_left < WORTH_TRYING_SECONDS or known == torch_runtime.name:
            return BackendChoice(torch_runtime)
        choice = BackendChoice(
            torch_runtime, {torch_runtime.name: rate_of(torch_runtime, images_NCHW)}
        )
        expected_NK = torch_runtime(images_NCHW).softmax(dim=1)
        for runtime in self._candidates(torch_runtime, images_NCHW, seconds_left, known, choice):
            _compare(choice, runtime, images_NCHW, expected_NK, torch_runtime.precision.name)
        if len(choice.rates) + len(choice.refused) > 1:
            self._remember(choice)
        return choice

    def follow(
        self, name: str, torch_runtime: TorchRuntime, images_NCHW: torch.Tensor
    ) -> BackendChoice:
        """Return the runtime that another process chose; torch if it is wrong here."""
        choice = BackendChoice(torch_runtime)
        expected_NK = torch_runtime(images_NCHW).softmax(dim=1)
        for runtime in self._candidates(torch_runtime, images_NCHW, 0.0, name, choice):
            if _is_right(choice, runtime, images_NCHW, expected_NK, torch_runtime.precision.name):
                choice.runtime = runtime
        return choice

    def _candidates(
        self,
        torch_runtime: TorchRuntime,
        images_NCHW: torch.Tensor,
        seconds_left: float,
        known: str | None,
        choice: BackendChoice,
    ) -> Iterator[Runtime]:
        names = [name for name in installed_runtimes() if known in (None, name)]
        content = None
        for name in names:
            try:
                content = content or exported(torch_runtime.model, images_NCHW)
                batch_size, precision = len(images_NCHW), torch_runtime.precision
                yield open_exported(name, content, batch_size, self.threads, precision)
            except Exception as error:  # exporters fail in many ways on operators they do not know
                choice.refused[name] = f"{type(error).__name__}: {str(error)[:200]}"
        is_worth_it = known == "torch.compile" or (
            known is None and seconds_left > WORTH_COMPILING_SECONDS
        )
        if is_worth_it and can_compile():
            yield compiled(torch_runtime)

    def _remembered(self) -> str | None:
        known = read_if_valid(self._path) if self._path else None
        return str(known["runtime"]) if known and "runtime" in known else None

    def _remember(self, choice: BackendChoice) -> None:
        if self._path is not None:
            remember(self._path, {"runtime": choice.runtime.name, "rates": choice.rates})


def rate_of(runtime: Runtime, images_NCHW: torch.Tensor, budget_seconds: float = math.inf) -> float:
    """Return the images/s on this batch, usually without the first call, which prepares.

    Except for the first, no call is started that would end after the budget.
    """
    times: list[float] = []
    for _ in range(1 + _REPEATS):
        began = time.perf_counter()
        runtime(images_NCHW).sum().item()  # waits for the device
        times.append(time.perf_counter() - began)
        if sum(times) + times[-1] > budget_seconds:
            break
    return len(images_NCHW) / max(statistics.median(times[1:] or times), 1e-9)


def _compare(
    choice: BackendChoice,
    runtime: Runtime,
    images_NCHW: torch.Tensor,
    expected_NK: torch.Tensor,
    precision: str,
) -> None:
    """Select ``runtime`` if it is faster than the current choice and correct."""
    if not _is_right(choice, runtime, images_NCHW, expected_NK, precision):
        return
    choice.rates[runtime.name] = rate_of(runtime, images_NCHW)
    if choice.rates[runtime.name] > choice.rates[choice.runtime.name]:
        choice.runtime = runtime


def _is_right(
    choice: BackendChoice,
    runtime: Runtime,
    images_NCHW: torch.Tensor,
    expected_NK: torch.Tensor,
    precision: str,
) -> bool:
    difference = largest_difference(runtime, images_NCHW, expected_NK)
    is_right = difference <= TOLERANCES[precision]
    if not is_right:
        choice.refused[runtime.name] = f"its probabilities differ by up to {difference:.2g}"
    return is_right


def largest_difference(
    runtime: Runtime, images_NCHW: torch.Tensor, expected_NK: torch.Tensor
) -> float:
    """Return the largest difference of a probability from the expected ones; it may be NaN."""
    return float((runtime(images_NCHW).softmax(dim=1) - expected_NK).abs().max())


def _machine() -> tuple[str, ...]:
    return (platform.machine(), platform.processor(), str(os.cpu_count()), platform.node())
