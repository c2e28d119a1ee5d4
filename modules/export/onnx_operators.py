"""The preparation of images as ONNX operators, from bytes (H, W, 3) to the network's input.

Resizing computes as Pillow does, which scoring uses: one pass over columns, one over rows, with
weights of 22 bits after the point, each pass rounded to bytes. ``Resize`` of ONNX rounds halves
differently, and serves only images whose weighted pixels would need much memory.
``keep_aspect_ratio_policy`` and ``CenterCropPad`` of ONNX round sizes differently and shift the
image. Shape letters: N images, C = 3 channels, H height, W width, T edge after a resize, K weights
of a pixel.
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
EXACT_PIXELS = 2_000_000
"""Pixels up to which images are resized exactly as by Pillow, in about 100 bytes per pixel."""
WEIGHT_BITS = 22
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
        """Add a conversion to a number format, such as ``FLOAT`` or ``INT64``."""
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
    """Resize to ``target``, height and width, shape (2,)."""
    from onnx import TensorProto, helper

    pixels = graph.add("ReduceProd", [_edges(graph, value)], keepdims=0)
    is_small = graph.add("LessOrEqual", [pixels, graph.constant(EXACT_PIXELS)])
    branches = {}
    for name, resize in (("then_branch", _resize_exactly), ("else_branch", _resize_roughly)):
        inner = Operators(f"{graph.prefix}/{name}_{len(graph.nodes)}")
        result = resize(inner, value, target)
        output = helper.make_tensor_value_info(result, TensorProto.FLOAT, [1, 3, None, None])
        branches[name] = helper.make_graph(inner.nodes, name, [], [output], inner.constants)
    return graph.add("If", [is_small], **branches)


def _resize_exactly(graph: Operators, value: str, target: str) -> str:
    value = graph.cast(value, "INT32")
    for axis in (3, 2):
        place = axis - 2
        edge = graph.add("Shape", [value], start=axis, end=axis + 1)
        wanted = graph.add("Slice", [target, graph.constant([place]), graph.constant([place + 1])])
        index_TK, weights_TK = _weighted_pixels(graph, edge, wanted)
        gathered = graph.add("Gather", [value, index_TK], axis=axis)
        if axis == 2:
            weights_TK = graph.add("Unsqueeze", [weights_TK, graph.constant([2])])  # over W
        products = graph.add("Mul", [gathered, weights_TK])
        summed = graph.add("ReduceSum", [products, graph.constant([axis + 1])], keepdims=0)
        raised = graph.add("Add", [summed, graph.constant(1 << (WEIGHT_BITS - 1), "int32")])
        value = graph.cast(_shifted(graph, raised, WEIGHT_BITS), "INT32")
    return graph.cast(value, "FLOAT")


def _shifted(graph: Operators, value: str, bits: int) -> str:
    """Return integers without their last bits, as doubles.

    Not by a division of integers, for which OpenVINO keeps the fraction.
    """
    factor = graph.constant(2.0**-bits, "float64")
    return graph.add("Floor", [graph.add("Mul", [graph.cast(value, "DOUBLE"), factor])])


def _weighted_pixels(graph: Operators, edge: str, wanted: str) -> tuple[str, str]:
    """Return the indices of the pixels behind each resized one, and their weights, (T, K).

    Weights are integers in 1/2^22, of a triangle that covers at least two pixels.
    """
    one, half = graph.constant(1.0, "float64"), graph.constant(0.5, "float64")
    length = graph.cast(edge, "DOUBLE")
    scale = graph.add("Div", [length, graph.cast(wanted, "DOUBLE")])
    reach = graph.add("Max", [scale, one])
    shifted_T = graph.add("Add", [_range(graph, graph.cast(wanted, "DOUBLE")), half])
    center_T = graph.add("Mul", [shifted_T, scale])
    starts_T = graph.add("Add", [graph.add("Sub", [center_T, reach]), half])
    first_T = graph.add("Floor", [graph.add("Max", [starts_T, graph.constant(0.0, "float64")])])
    ends_T = graph.add("Add", [graph.add("Add", [center_T, reach]), half])
    last_T = graph.add("Min", [graph.add("Floor", [ends_T]), length])
    columns = graph.constant([1])
    center_T1, first_T1, last_T1 = (
        graph.add("Unsqueeze", [value, columns]) for value in (center_T, first_T, last_T)
    )
    num_taps = graph.add(
        "Add", [graph.add("Mul", [graph.add("Ceil", [reach]), graph.constant(2.0, "float64")]), one]
    )
    index_TK = graph.add("Add", [first_T1, _range(graph, num_taps)])
    distance_TK = graph.add("Add", [graph.add("Sub", [index_TK, center_T1]), half])
    relative_TK = graph.add("Mul", [distance_TK, graph.add("Div", [one, reach])])
    triangle_TK = graph.add("Sub", [one, graph.add("Abs", [relative_TK])])
    none = graph.constant(0.0, "float64")
    is_inside_TK = graph.add("Less", [index_TK, last_T1])
    weights_TK = graph.add("Where", [is_inside_TK, graph.add("Max", [triangle_TK, none]), none])
    total_T1 = graph.add("ReduceSum", [weights_TK, columns], keepdims=1)
    share_TK = graph.add("Div", [weights_TK, total_T1])
    bits = graph.add("Mul", [share_TK, graph.constant(float(1 << WEIGHT_BITS), "float64")])
    fixed_TK = graph.cast(graph.add("Floor", [graph.add("Add", [bits, half])]), "INT32")
    farthest = graph.add("Sub", [length, one])
    return graph.cast(graph.add("Min", [index_TK, farthest]), "INT64"), fixed_TK


def _range(graph: Operators, count: str) -> str:
    """Return 0, 1, ... below a count of shape (1,), as doubles."""
    limit = graph.add("Squeeze", [count, graph.constant([0])])
    bounds = [graph.constant(0.0, "float64"), limit, graph.constant(1.0, "float64")]
    return graph.add("Range", bounds)


def _resize_roughly(graph: Operators, value: str, target: str) -> str:
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
    grey = graph.cast(_shifted(graph, rounded, 16), "FLOAT")
    return graph.add("Expand", [grey, graph.constant([1, 3, 1, 1])])


def _normalise(graph: Operators, value: str, normalisation: Normalisation, output: str) -> None:
    """Scale and shift each channel in float32, in the order of ``Normalisation``."""
    import numpy as np

    pairs = list(zip(normalisation.mean, normalisation.std, strict=True))
    scale_C = np.array([1 / (255 * std) for _, std in pairs], np.float32)
    shift_C = np.array([-mean / std for mean, std in pairs], np.float32)
    scaled = graph.add("Mul", [value, graph.constant(scale_C[None, :, None, None], "float32")])
    graph.add("Add", [scaled, graph.constant(shift_C[None, :, None, None], "float32")], output)
