"""The preparation of images as ONNX operators, from bytes (H, W, 3) to the network's input.

Resizing computes as Pillow does, which scoring uses: one pass over columns, one over rows, with
weights of 22 bits after the point, each pass rounded to bytes. ``Resize`` of ONNX rounds halves
differently; its ``keep_aspect_ratio_policy`` and ``CenterCropPad`` round sizes differently and
shift the image. Shape letters: N images, C = 3 channels, H height, W width, T edge after a resize,
K weights of a pixel, B blocks of R rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from modules.export.preparation import Preparation
from modules.image_loading.normalisation import Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt
    import onnx

PREFIX = "prepare"
BLOCK_PIXELS = 2_000_000
"""Pixels of the blocks in which an image is resized; each takes about 100 bytes at that time."""
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
    """Resize to ``target``, height and width, shape (2,): columns in blocks of rows, then rows."""
    value = graph.cast(value, "INT32")
    down, across = (
        graph.add("Slice", [target, graph.constant([place]), graph.constant([place + 1])])
        for place in (0, 1)
    )
    index_TK, weights_TK = _weighted_pixels(graph, _edge(graph, value, 3), across)
    value = _in_blocks(
        graph, value, across, lambda inner, block: _summed(inner, block, 3, index_TK, weights_TK)
    )
    index_TK, weights_TK = _weighted_pixels(graph, _edge(graph, value, 2), down)
    weights_TK1 = graph.add("Unsqueeze", [weights_TK, graph.constant([2])])  # over W
    return graph.cast(_summed(graph, value, 2, index_TK, weights_TK1), "FLOAT")


def _edge(graph: Operators, value: str, axis: int) -> str:
    """Return one edge, shape (1,)."""
    return graph.add("Shape", [value], start=axis, end=axis + 1)


def _summed(graph: Operators, value: str, axis: int, index_TK: str, weights: str) -> str:
    """Return the rounded weighted sums of the pixels along an axis, as INT32."""
    gathered = graph.add("Gather", [value, index_TK], axis=axis)
    products = graph.add("Mul", [gathered, weights])
    summed = graph.add("ReduceSum", [products, graph.constant([axis + 1])], keepdims=0)
    raised = graph.add("Add", [summed, graph.constant(1 << (WEIGHT_BITS - 1), "int32")])
    return graph.cast(_shifted(graph, raised, WEIGHT_BITS), "INT32")


def _in_blocks(
    graph: Operators, value: str, width: str, resize: Callable[[Operators, str], str]
) -> str:
    """Apply a function of rows to blocks of them, so that its intermediate values fit in memory.

    Args:
        graph: Graph under construction.
        value: Image (1, C, H, W).
        width: Width of the result, shape (1,).
        resize: Function of an inner graph and a block (1, C, R, W).
    """
    from onnx import TensorProto, helper

    height = _edge(graph, value, 2)
    height_double, width_double = (
        graph.cast(edge, "DOUBLE") for edge in (height, _edge(graph, value, 3))
    )
    most = graph.add("Div", [graph.constant([float(BLOCK_PIXELS)], "float64"), width_double])
    fitting = graph.add("Max", [graph.add("Floor", [most]), graph.constant([1.0], "float64")])
    rows_double = graph.add("Min", [fitting, height_double])
    num_blocks = graph.add("Ceil", [graph.add("Div", [height_double, rows_double])])
    rows, blocks = graph.cast(rows_double, "INT64"), graph.cast(num_blocks, "INT64")
    last = graph.add("Sub", [height, rows])  # blocks have one size: the last one overlaps

    inner = Operators(f"{graph.prefix}/block_{len(graph.nodes)}")
    number, goes_on = f"{inner.prefix}/number", f"{inner.prefix}/goes_on"
    start = inner.add("Min", [inner.add("Mul", [number, rows]), last])
    end = inner.add("Add", [start, rows])
    block = resize(inner, inner.add("Slice", [value, start, end, inner.constant([2])]))
    body = helper.make_graph(
        [helper.make_node("Identity", [goes_on], [f"{goes_on}_next"]), *inner.nodes],
        "block",
        [
            helper.make_tensor_value_info(number, TensorProto.INT64, []),
            helper.make_tensor_value_info(goes_on, TensorProto.BOOL, []),
        ],
        [
            helper.make_tensor_value_info(f"{goes_on}_next", TensorProto.BOOL, []),
            helper.make_tensor_value_info(block, TensorProto.INT32, [1, 3, None, None]),
        ],
        inner.constants,
    )
    count = graph.add("Squeeze", [blocks, graph.constant([0])])
    always = graph.constant(True, "bool")
    resized_B1CRT = graph.add("Loop", [count, always], body=body)
    joined_1CBRT = graph.add("Transpose", [resized_B1CRT], perm=[1, 2, 0, 3, 4])
    shape = graph.add("Concat", [graph.constant([1, 3, -1]), width], axis=0)
    joined = graph.add("Reshape", [joined_1CBRT, shape])
    whole = graph.add("Mul", [graph.add("Sub", [blocks, graph.constant([1])]), rows])
    overlap = graph.add("Sub", [graph.add("Mul", [blocks, rows]), height])
    row_H = graph.cast(_range(graph, height_double), "INT64")
    later_H = graph.add("Add", [row_H, overlap])
    place_H = graph.add("Where", [graph.add("Less", [row_H, whole]), row_H, later_H])
    return graph.add("Gather", [joined, place_H], axis=2)


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
