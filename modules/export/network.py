"""The network of a trained model, traced for other programs.

Shape letters: N images, K classes, C channels, H height, W width.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from modules.artifacts import TrainedModel
from modules.errors import ModelNotExportedError
from modules.export.preparation import Preparation
from modules.models.logits import logits_of
from modules.models.serialization import load_trained
from modules.sentences import export as say
from modules.sentences.sentence import said_by

if TYPE_CHECKING:
    import onnx
    import torch
    from torch import nn

    from modules.image_loading.sizes import Size

IMAGES, LOGITS = "images", "logits"
"""Input and output of the network's graph."""
ONNX_BYTES = 2_000_000_000
"""Limit of one ONNX file, which is one protobuf message of at most 2 GiB."""
_TRACED_IMAGES = 2
"""Images with which a batch of any size is traced: sizes 0 and 1 count as fixed."""


def load_network(model: TrainedModel) -> nn.Module:
    """Return the network in float32 on the CPU, in inference mode, with logits as its output."""
    from torch import nn

    class Logits(nn.Module):
        def __init__(self, network: nn.Module) -> None:
            super().__init__()
            self.network = network

        def forward(self, images_NCHW: torch.Tensor) -> torch.Tensor:
            return logits_of(self.network, images_NCHW)

    return Logits(load_trained(model).float()).eval()


def check_onnx_size(network: nn.Module) -> None:
    """Raise 3105 if the weights do not fit into one ONNX file."""
    num_bytes = sum(tensor.numel() * tensor.element_size() for tensor in network.parameters())
    if num_bytes > ONNX_BYTES:
        raise ModelNotExportedError(say.TOO_LARGE, gigabytes=num_bytes / 1e9)


def onnx_network(model: TrainedModel, network: nn.Module, size: Size, *, batch: bool) -> Any:
    """Return the network as an ONNX model: ``images`` (N, C, H, W) to ``logits`` (N, K).

    Args:
        model: The model, for error messages.
        network: Its network, from ``load_network``.
        size: Height and width of the images in pixels.
        batch: True for any number of images, False for exactly one.

    Raises:
        ModelNotExportedError: The network cannot be traced (3105).
    """
    import torch

    check_onnx_size(network)
    shapes = {"images_NCHW": {0: torch.export.Dim("images", min=1)}} if batch else None
    example = torch.rand(_TRACED_IMAGES if batch else 1, 3, *size)
    with _quiet(), _traced(model):
        program = torch.onnx.export(
            network,
            (example,),
            dynamo=True,
            verbose=False,
            input_names=[IMAGES],
            output_names=[LOGITS],
            dynamic_shapes=shapes,
        )
    assert program is not None
    exported: onnx.ModelProto = program.model_proto
    strip(exported)
    return exported


def torch_program(model: TrainedModel, network: nn.Module, preparation: Preparation) -> Any:
    """Return a ``torch.export`` program: bytes (N, H, W, C) to probabilities (N, K) and labels."""
    import torch
    from torch import nn

    normalisation = preparation.normalisation

    class FromBytes(nn.Module):
        scale: torch.Tensor
        shift: torch.Tensor

        def __init__(self) -> None:
            super().__init__()
            self.network = network
            pairs = list(zip(normalisation.mean, normalisation.std, strict=True))
            scale = torch.tensor([1 / (255 * std) for _, std in pairs])
            shift = torch.tensor([-mean / std for mean, std in pairs])
            self.register_buffer("scale", scale[:, None, None])
            self.register_buffer("shift", shift[:, None, None])

        def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            images_NCHW = pixels.permute(0, 3, 1, 2).float()
            images_NCHW = images_NCHW * self.scale + self.shift
            probabilities_NK = self.network(images_NCHW).softmax(dim=1)
            return probabilities_NK, probabilities_NK.argmax(dim=1)

    shapes = {"pixels": {0: torch.export.Dim("images", min=1)}}
    example = torch.zeros(_TRACED_IMAGES, *preparation.size, 3, dtype=torch.uint8)
    with _quiet(), _traced(model):
        program = torch.export.export(FromBytes().eval(), (example,), dynamic_shapes=shapes)
    for node in program.graph.nodes:
        node.meta.pop("stack_trace", None)  # contains paths of this machine
    return program


def strip(exported: onnx.ModelProto) -> None:
    """Remove stack traces, which contain paths of this machine, and inferred shapes."""
    graph = exported.graph
    del graph.value_info[:]
    del exported.metadata_props[:]
    _strip_nodes(graph.node)
    for function in exported.functions:
        _strip_nodes(function.node)
        del function.metadata_props[:], function.value_info[:]
    for part in (*graph.initializer, *graph.input, *graph.output):
        del part.metadata_props[:]
        part.doc_string = ""
    del graph.metadata_props[:]


def _strip_nodes(nodes: Any) -> None:
    for node in nodes:
        del node.metadata_props[:]
        node.doc_string = ""
        for attribute in node.attribute:
            _strip_nodes(attribute.g.node)
            for graph in attribute.graphs:
                _strip_nodes(graph.node)


@contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # hides the exporter's own deprecation warnings
        yield


@contextmanager
def _traced(model: TrainedModel) -> Iterator[None]:
    """Raise 3105 for any failure of tracing, which runs the network's code on symbols."""
    try:
        yield
    except Exception as error:  # torch has no common class for failures of tracing
        cause = error
        while cause.__cause__ is not None and isinstance(cause.__cause__, Exception):
            cause = cause.__cause__
        architecture = str(model.recipe.get("architecture", "")).partition(":")[2]
        architecture = architecture or str(model.recipe.get("architecture", ""))
        raise ModelNotExportedError(
            say.NETWORK_NOT_TRACED, architecture=architecture, error=said_by(cause, 300)
        ) from error
