"""Quantisation of a network to 8-bit integers, by the values seen on images of the training.

Shape letters: N images, C channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.export.network import IMAGES, strip

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import onnx

    Images = npt.NDArray[np.float32]

MAX_CALIBRATION_IMAGES = 100


def quantised(network: onnx.ModelProto, images: Iterable[Images], folder: Path) -> onnx.ModelProto:
    """Return the network with 8-bit weights, one scale per channel, and 8-bit activations.

    Args:
        network: The graph ``images`` to ``logits`` in float32.
        images: Prepared images (1, C, H, W) to measure the range of each activation.
        folder: An empty folder for temporary files.
    """
    import onnx
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Reader(CalibrationDataReader):  # type: ignore[misc]  # onnxruntime is untyped
        def __init__(self) -> None:
            self._images = iter(images)

        def get_next(self) -> Mapping[str, Any] | None:
            image = next(self._images, None)
            return None if image is None else {IMAGES: image}

    source, inferred, target = (folder / f"{name}.onnx" for name in ("float", "inferred", "int8"))
    onnx.save(network, str(source))
    quant_pre_process(str(source), str(inferred), skip_symbolic_shape=True)
    quantize_static(
        str(inferred),
        str(target),
        Reader(),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
    )
    result = onnx.load(str(target))
    strip(result)
    return result
