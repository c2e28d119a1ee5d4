"""The preparation of images as ONNX operators, from bytes (H, W, 3) to the network's input.

Resizing follows Pillow, which scoring uses: one pass over columns, one over rows, each rounded to
bytes. ``keep_aspect_ratio_policy`` and ``CenterCropPad`` of ONNX round sizes differently and shift
the image. Shape letters: N images, C = 3 channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from modules.export.preparation import Preparation
from modules.image_loading.normalisation import Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt
    import onnx

PREFIX = "prepare"
LUMA = (19595, 38470, 7471)
"""Weights of red, green and blue of Pillow's conversion to grey, in 1/65536."""


@dataclass
class Operators:
    """Nodes and constants of a graph under construction; each value has a unique name."""

    prefix: str
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def add(self, kind: str, inputs: Sequence[str], output: str = "", **attributes: Any) -> str:
        """Add a node and return the name of its output."""
        from onnx import helper

        name = f"{self.prefix}/{kind}_{len(self.nodes)}"
        output = output or f"{name}_output"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], name, **attributes))
        return output

    def constant(self, values: npt.ArrayLike, kind: str = "int64") -> str:
        """Add a constant and return its name."""
        import numpy as np
        from onnx import numpy_helper

        name = f"{self.prefix}/constant_{len(self.constants)}"
        array = np.asarray(values, dtype=kind)
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def cast(self, value: str, kind: str) -> str:
        """Add a conversion to a number format: ``FLOAT``, ``INT32`` or ``INT64``."""
        from onnx import TensorProto

        return self.add("Cast", [value], to=getattr(TensorProto, kind))


def prepare_any_size(preparation: Preparation, pixels: str, output: str) -> Operators:
    """Return operators from bytes (H, W, C) of any size to the input (1, C, H, W)."""
    graph = Operators(PREFIX)
    value = graph.cast(pixels, "FLOAT")
    value = graph.add("Transpose", [value], perm=[2, 0, 1])
    value = graph.add("Unsqueeze", [value, graph.constant([0])])
    for operation in preparation.operations:
        match operation["operation"]:
            case "resize":
                value = _resize_shorter_edge(graph, value, int(operation["size"]))
            case "center_crop":
                value = _crop(graph, value, int(operation["size"]), int(operation["size"]))
            case "crop_to":
                value = _crop(graph, value, int(operation["height"]), int(operation["width"]))
            case "stretch":
                edges = graph.constant([operation["height"], operation["width"]])
                value = _resize(graph, value, edges)
            case "pad":
                value = _pad(graph, value, int(operation["padding"]))
            case "grayscale":
                value = _grayscale(graph, value)
    _normalise(graph, value, preparation.normalisation, output)
    return graph


def prepare_batch(preparation: Preparation, pixels: str, output: str) -> Operators:
    """Return operators from a batch of bytes (N, H, W, C) in the input's size to (N, C, H, W)."""
    graph = Operators(PREFIX)
    value = graph.cast(pixels, "FLOAT")
    value = graph.add("Transpose", [value], perm=[0, 3, 1, 2])
    if preparation.has_grayscale:  # grey images stay as they are
        value = _grayscale(graph, value)
    _normalise(graph, value, preparation.normalisation, output)
    return graph


def _edges(graph: Operators, value: str) -> str:
    """Return height and width, shape (2,)."""
    return graph.add("Shape", [value], start=2, end=4)


def _resize_shorter_edge(graph: Operators, value: str, size: int) -> str:
    """Resize so that the shorter edge is ``size``; the other one is rounded down, at least 1."""
    edges = _edges(graph, value)
    shorter = graph.add("ReduceMin", [edges], keepdims=1)
    scaled = graph.add("Mul", [edges, graph.constant([size])])
    target = graph.add("Div", [scaled, shorter])  # of integers
    return _resize(graph, value, graph.add("Max", [target, graph.constant([1])]))


def _resize(graph: Operators, value: str, target: str) -> str:
    channels = graph.constant([1, 3])
    edges = _edges(graph, value)
    height = graph.add("Slice", [edges, graph.constant([0]), graph.constant([1])])
    width = graph.add("Slice", [target, graph.constant([1]), graph.constant([2])])
    across = graph.add("Concat", [channels, height, width], axis=0)
    down = graph.add("Concat", [channels, target], axis=0)
    return _resize_pass(graph, _resize_pass(graph, value, across), down)


def _resize_pass(graph: Operators, value: str, sizes: str) -> str:
    resized = graph.add(
        "Resize",
        [value, "", "", sizes],
        mode="linear",
        antialias=1,
        exclude_outside=1,  # as Pillow: weights outside the image would darken its edges
        coordinate_transformation_mode="half_pixel",
    )
    raised = graph.add("Add", [resized, graph.constant(0.5, "float32")])
    return graph.add("Floor", [raised])  # Round would round half to even


def _crop(graph: Operators, value: str, height: int, width: int) -> str:
    """Keep the middle; add black where the image is smaller, the odd pixel to the far side."""
    value = _pad_to(graph, value, height, width)
    edges, target = _edges(graph, value), graph.constant([height, width])
    excess = graph.cast(graph.add("Sub", [edges, target]), "FLOAT")
    half = graph.add("Mul", [excess, graph.constant(0.5, "float32")])
    start = graph.cast(graph.add("Round", [half]), "INT64")  # half to even, as torchvision rounds
    end = graph.add("Add", [start, target])
    return graph.add("Slice", [value, start, end, graph.constant([2, 3])])


def _pad_to(graph: Operators, value: str, height: int, width: int) -> str:
    edges, target = _edges(graph, value), graph.constant([height, width])
    none = graph.constant([0, 0])
    missing = graph.add("Max", [graph.add("Sub", [target, edges]), none])
    near = graph.add("Div", [missing, graph.constant([2])])
    far = graph.add("Sub", [missing, near])
    return graph.add("Pad", [value, graph.add("Concat", [none, near, none, far], axis=0)])


def _pad(graph: Operators, value: str, padding: int) -> str:
    return graph.add("Pad", [value, graph.constant([0, 0, padding, padding] * 2)])


def _grayscale(graph: Operators, value: str) -> str:
    import numpy as np

    weights_1C11 = np.array(LUMA)[None, :, None, None]
    weighted = graph.add("Mul", [graph.cast(value, "INT32"), graph.constant(weights_1C11, "int32")])
    summed = graph.add("ReduceSum", [weighted, graph.constant([1])], keepdims=1)
    rounded = graph.add("Add", [summed, graph.constant(1 << 15, "int32")])
    grey = graph.cast(graph.add("Div", [rounded, graph.constant(1 << 16, "int32")]), "FLOAT")
    return graph.add("Expand", [grey, graph.constant([1, 3, 1, 1])])


def _normalise(graph: Operators, value: str, normalisation: Normalisation, output: str) -> None:
    """Scale and shift each channel in float32, in the order of ``Normalisation``."""
    import numpy as np

    pairs = list(zip(normalisation.mean, normalisation.std, strict=True))
    scale_C = np.array([1 / (255 * std) for _, std in pairs], np.float32)
    shift_C = np.array([-mean / std for mean, std in pairs], np.float32)
    scaled = graph.add("Mul", [value, graph.constant(scale_C[None, :, None, None], "float32")])
    graph.add("Add", [scaled, graph.constant(shift_C[None, :, None, None], "float32")], output)
