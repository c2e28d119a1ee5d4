"""Runtimes for a trained model's forward pass: torch, or other installed ones.

Shape letters: N images of a batch, K classes, C channels, H height, W width.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from modules.compute.precision import Precision
from modules.models.logits import logits_of

if TYPE_CHECKING:
    import torch
    from torch import nn


class Runtime(Protocol):
    """A model ready to be called."""

    @property
    def name(self) -> str: ...

    def __call__(self, images_NCHW: torch.Tensor) -> torch.Tensor:
        """Return the logits in float32, shape (N, K)."""


@dataclass(frozen=True)
class TorchRuntime:
    """The model run by torch."""

    model: nn.Module
    precision: Precision
    name: str = "torch"

    def __call__(self, images_NCHW: torch.Tensor) -> torch.Tensor:
        """Return the logits of a batch, computed in halves if it does not fit into GPU memory."""
        import torch

        try:
            with self.precision.autocast():
                return logits_of(self.model, images_NCHW)
        except torch.OutOfMemoryError:
            if len(images_NCHW) == 1:
                raise
        torch.cuda.empty_cache()
        half = len(images_NCHW) // 2
        return torch.cat([self(images_NCHW[:half]), self(images_NCHW[half:])])


@dataclass(frozen=True)
class ExportedRuntime:
    """An exported model; one of a fixed batch size gets smaller batches padded."""

    name: str
    batch_size: int | None
    """The only size it accepts; None: any."""
    run: Callable[[Any], Any]
    """Function from a numpy batch (N, C, H, W) to the logits (N, K)."""

    def __call__(self, images_NCHW: torch.Tensor) -> torch.Tensor:
        import torch

        num = len(images_NCHW)
        missing = 0 if self.batch_size is None else self.batch_size - num
        if missing:
            filling = images_NCHW[:1].expand(missing, -1, -1, -1)
            images_NCHW = torch.cat([images_NCHW, filling])
        logits_NK = self.run(images_NCHW.contiguous().numpy())
        return torch.from_numpy(logits_NK)[:num].float()


PACKAGES = {"OpenVINO": "openvino", "ONNX Runtime": "onnxruntime"}
"""Import names of the runtimes other than torch, usually the fastest first."""
EXPORTERS = ("onnx", "onnxscript")


def installed_runtimes() -> tuple[str, ...]:
    """Return the runtimes other than torch that are installed."""
    if not all(map(find_spec, EXPORTERS)):
        return ()
    return tuple(name for name, package in PACKAGES.items() if find_spec(package))


def versions_of(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of torch and of these runtimes, on which speed and results depend."""
    return {
        package: _version(package) for package in ("torch", *(PACKAGES[name] for name in names))
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # installed under another name, for example for another device
        return ""


def can_compile() -> bool:
    """Return True if torch.compile finds the C++ compiler it needs."""
    return any(map(shutil.which, ("c++", "g++", "clang++")))


def compiled(torch_runtime: TorchRuntime) -> TorchRuntime:
    """Return the same model, compiled at its first call."""
    import torch

    network: Any = torch.compile(torch_runtime.model)
    return TorchRuntime(network, torch_runtime.precision, "torch.compile")


def exported(model: nn.Module, images_NCHW: torch.Tensor) -> bytes:
    """Export the model to the ONNX format, for batches of this shape."""
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # hides the exporter's own deprecation warnings
        program = torch.onnx.export(model, (images_NCHW.contiguous(),), dynamo=True, verbose=False)
    assert program is not None
    content: bytes = program.model_proto.SerializeToString()
    return content


def open_exported(
    name: str, content: bytes, batch_size: int, threads: int, precision: Precision
) -> Runtime:
    """Open an exported model in the runtime of this name, for one scoring after the other."""
    opened = _in_openvino if name == "OpenVINO" else _in_onnx_runtime
    return ExportedRuntime(name, batch_size, opened(content, threads, precision))


def open_for_requests(name: str, content: bytes, threads: int, precision: Precision) -> Runtime:
    """Open a model that was exported for batches of any size, next to threads that decode.

    ONNX Runtime's threads do not spin: with 50 ms between requests, spinning took 76 instead of 37
    ms of CPU time for ResNet-18 at 224 pixels on two cores. Without pauses both were as fast.
    """
    if name == "OpenVINO":
        return ExportedRuntime(name, None, _in_openvino(content, threads, precision))
    return ExportedRuntime(name, None, _in_onnx_runtime(content, threads, precision, spins=False))


def _in_openvino(content: bytes, threads: int, precision: Precision) -> Callable[[Any], Any]:
    import openvino

    core = openvino.Core()
    settings = {
        # The throughput hint would use one core for one request.
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_NUM_THREADS": threads,
        "INFERENCE_PRECISION_HINT": "f32" if precision.name == "fp32" else "bf16",
    }
    model = core.compile_model(core.read_model(content), "CPU", settings)
    return lambda images: model(images)[0]


def _in_onnx_runtime(
    content: bytes,
    threads: int,
    precision: Precision,  # noqa: ARG001 - it computes as exported
    *,
    spins: bool = True,
) -> Callable[[Any], Any]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    if not spins:
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    [model_input] = session.get_inputs()
    return lambda images: session.run(None, {model_input.name: images})[0]
