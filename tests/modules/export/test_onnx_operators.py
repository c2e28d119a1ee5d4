"""The preparation inside an exported file against the one of scoring, pixel by pixel."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper
from PIL import Image

from modules.artifacts import TrainedModel
from modules.errors import InvalidTransformationDirectoryError, ModelNotExportedError
from modules.export import onnx_operators
from modules.export import preparation as preparing
from modules.export.onnx_operators import prepare_any_size, prepare_batch
from modules.export.preparation import Preparation
from modules.image_loading.normalisation import Normalisation
from modules.transforms.operations import apply_prefix
from tests.modules.export.pictures import SIZES, lively_model, soft_picture

AS_BYTES = Normalisation((0.0, 0.0, 0.0), (1 / 255, 1 / 255, 1 / 255))
"""Leaves the pixels as they are."""
RESIZE, CROP = {"operation": "resize", "size": 40}, {"operation": "center_crop", "size": 33}
SMALL_CROP = {"operation": "center_crop", "size": 50}
PAD, GREY = {"operation": "pad", "padding": 3}, {"operation": "grayscale"}


def prepared(preparation: Preparation, pixels: Any, *, batch: bool = False) -> Any:
    """Run the operators in ONNX Runtime; returns (N, H, W, C)."""
    session = onnxruntime.InferenceSession(prepare_model(preparation, pixels.ndim, batch=batch))
    return session.run(None, {"pixels": pixels})[0].transpose(0, 2, 3, 1)


def prepare_model(preparation: Preparation, ndim: int, *, batch: bool = False) -> bytes:
    """A model of the operators alone."""
    build = prepare_batch if batch else prepare_any_size
    operators = build(preparation, "pixels", "images")
    graph = helper.make_graph(
        operators.nodes,
        "prepare",
        [helper.make_tensor_value_info("pixels", TensorProto.UINT8, [None] * ndim)],
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, [None] * 4)],
        operators.constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content


def of(*operations: dict[str, Any]) -> Preparation:
    return Preparation(operations, (), AS_BYTES, (33, 33))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "operations",
    [(RESIZE, CROP), (RESIZE, SMALL_CROP), (CROP,), (PAD, RESIZE), (RESIZE,), (GREY, CROP), (PAD,)],
    ids=lambda operations: "-".join(operation["operation"] for operation in operations),
)
def test_pixels_are_those_of_scoring(
    size: tuple[int, int], operations: tuple[dict[str, Any], ...]
) -> None:
    image = soft_picture(*size, seed=sum(size))
    wanted = np.asarray(apply_prefix(image, operations), np.int16)
    got = prepared(of(*operations), np.asarray(image))[0]
    assert got.shape == wanted.shape
    difference = np.abs(got - wanted)
    assert difference.max() < 0.01  # of the normalisation


@pytest.mark.parametrize("operations", [(RESIZE, CROP), (GREY, RESIZE, SMALL_CROP)])
def test_openvino_prepares_nearly_the_same_pixels(operations: tuple[dict[str, Any], ...]) -> None:
    openvino = pytest.importorskip("openvino")
    core = openvino.Core()
    settings = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    content = prepare_model(of(*operations), 3)
    model = core.compile_model(core.read_model(content), "CPU", settings)
    image = soft_picture(97, 61, 1)
    wanted = np.asarray(apply_prefix(image, operations), np.int16)
    difference = np.abs(model(np.asarray(image))[0].transpose(0, 2, 3, 1)[0] - wanted)
    assert difference.max() <= 1.01
    assert (difference > 0.01).mean() < 0.01  # it computes in float32


@pytest.mark.parametrize("pixels", [1, 130, 1000])
@pytest.mark.parametrize("size", SIZES)
def test_large_images_are_resized_in_blocks(
    size: tuple[int, int], pixels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx_operators, "BLOCK_PIXELS", pixels)
    image = soft_picture(*size, seed=sum(size))
    wanted = np.asarray(apply_prefix(image, (RESIZE, CROP)), np.int16)
    difference = np.abs(prepared(of(RESIZE, CROP), np.asarray(image))[0] - wanted)
    assert difference.max() < 0.01


def test_a_batch_is_only_normalised_and_made_grey() -> None:
    pixels = np.stack([np.asarray(soft_picture(33, 33, seed)) for seed in range(3)])
    assert np.abs(prepared(of(RESIZE, CROP), pixels, batch=True) - pixels).max() < 1e-3
    grey = [np.asarray(Image.fromarray(item).convert("L").convert("RGB")) for item in pixels]
    assert np.abs(prepared(of(GREY, CROP), pixels, batch=True) - np.stack(grey)).max() < 1e-3


def test_normalisation_is_that_of_scoring() -> None:
    import torch

    normalisation = Normalisation((0.48, 0.45, 0.4), (0.22, 0.23, 0.25))
    pixels = np.asarray(soft_picture(33, 33, 1))
    wanted = normalisation(torch.from_numpy(pixels.copy())[None], channels_last=False)
    got = prepared(Preparation((), (), normalisation, (33, 33)), pixels)
    assert np.array_equal(got.transpose(0, 3, 1, 2), wanted.numpy())


@pytest.mark.parametrize(
    ("operations", "input_size", "sizes"),
    [
        ([], (32, 32), [(32, 32), (64, 48), (20, 90)]),
        ([PAD], (46, 46), [(40, 40), (64, 48)]),
        ([PAD], (46, 56), [(50, 40), (64, 48)]),
        ([RESIZE], (40, 53), [(80, 60), (31, 90), (40, 40)]),
        ([RESIZE, CROP], (33, 33), [(80, 60), (7, 7)]),
    ],
)
def test_any_size_fits_and_accepted_sizes_are_unchanged(
    tmp_path: Any,
    operations: list[dict[str, Any]],
    input_size: tuple[int, int],
    sizes: list[tuple[int, int]],
) -> None:
    model = described(tmp_path, operations, input_size)
    preparation = Preparation.of(model)
    for width, height in sizes:
        image = soft_picture(width, height, 3)
        got = prepared(preparation, np.asarray(image))[0]
        assert got.shape == (*input_size, 3)
    accepted = soft_picture(*sizes[0], seed=4)
    wanted = np.asarray(apply_prefix(accepted, operations), np.int16)
    assert wanted.shape[:2] == input_size
    assert np.abs(prepared(preparation, np.asarray(accepted))[0] - wanted).max() < 0.01


def described(
    folder: Any, operations: list[dict[str, Any]], input_size: tuple[int, int]
) -> TrainedModel:
    model = lively_model(folder / "model", "mobilenet_v3_small", 32, operations)
    height, width = input_size
    model.description["input_size"] = {"height": height, "width": width}
    model.description["normalisation"] = {"mean": AS_BYTES.mean, "std": AS_BYTES.std}
    return model


def test_what_a_file_cannot_contain_is_refused(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = described(tmp_path, [GREY], (32, 32))
    with monkeypatch.context() as patch:
        patch.setattr(preparing, "EXPORTED", frozenset({"resize"}))
        with pytest.raises(ModelNotExportedError, match="grayscale"):
            Preparation.of(model)
    model.description["inference_transformation"] = [{"operation": "swirl"}]
    with pytest.raises(InvalidTransformationDirectoryError):
        Preparation.of(model)
    model.description["inference_transformation"] = []
    model.description["input_size"] = None
    with pytest.raises(ModelNotExportedError, match="size"):
        Preparation.of(model)
