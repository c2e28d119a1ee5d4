"""The KServe protocol, version 2 (Open Inference Protocol), as far as images need it.

An input is a tensor of type BYTES (image files, base64 in JSON) or UINT8 (height x width x 3, or
several of one size). Tensors may also follow the JSON as binary data, as Triton's clients send
them; answers are always JSON.
"""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from designer_app.errors import ApiError
from designer_app.serving import sentences
from designer_app.serving.request_pictures import bad_json, decoded, parsed_json

if TYPE_CHECKING:
    from designer_app.serving.served_model import Floats, ServedModel

JSON_LENGTH_HEADER = "inference-header-content-length"
MAX_TENSOR_BYTES = 256 * 2**20


def files_of(body: bytes, headers: Mapping[str, str]) -> tuple[list[bytes], str | None]:
    """Return the image files of an inference request, and its id; raises ``ApiError``."""
    content, binary = _parts(body, headers.get(JSON_LENGTH_HEADER))
    inputs = content.get("inputs") if isinstance(content, dict) else None
    if not isinstance(inputs, list) or len(inputs) != 1 or not isinstance(inputs[0], dict):
        raise bad_json("inputs must contain one tensor")
    request_id = content.get("id")
    if request_id is not None and not isinstance(request_id, str):
        raise bad_json("id must be text")
    return _files(inputs[0], binary), request_id


def _parts(body: bytes, json_length: str | None) -> tuple[Any, bytes]:
    if json_length is None:
        return parsed_json(body), b""
    if not json_length.isdecimal() or not 0 < int(json_length) <= len(body):
        raise bad_json("Inference-Header-Content-Length is wrong")
    length = int(json_length)
    return parsed_json(body[:length]), body[length:]


def _files(tensor: Mapping[str, Any], binary: bytes) -> list[bytes]:
    shape, kind = tensor.get("shape"), tensor.get("datatype")
    if not isinstance(shape, list) or not all(
        isinstance(size, int) and not isinstance(size, bool) and 0 < size < 2**31 for size in shape
    ):
        raise _unreadable("shape must be a list of numbers")
    parameters = tensor.get("parameters")
    num_binary = parameters.get("binary_data_size") if isinstance(parameters, dict) else None
    if num_binary is not None and num_binary != len(binary):
        raise _unreadable("binary_data_size is wrong")
    if kind == "BYTES":
        return _bytes_elements(tensor, shape, binary if num_binary is not None else None)
    if kind == "UINT8":
        return _pixel_files(tensor, shape, binary if num_binary is not None else None)
    raise _unreadable("datatype must be BYTES or UINT8")


def _bytes_elements(
    tensor: Mapping[str, Any], shape: Sequence[int], binary: bytes | None
) -> list[bytes]:
    if binary is None:
        texts = _flat(tensor.get("data"))
        if not all(isinstance(text, str) for text in texts):
            raise _unreadable("data must be base64 texts")
        files = [decoded(text, number) for number, text in enumerate(texts, 1)]
    else:
        files = []
        start = 0
        while start + 4 <= len(binary):
            (length,) = struct.unpack_from("<I", binary, start)
            files.append(binary[start + 4 : start + 4 + length])
            start += 4 + length
        if start != len(binary):
            raise _unreadable("its binary data is cut off")
    if len(files) != math.prod(shape):
        raise _unreadable("shape and data differ")
    return files


def _pixel_files(
    tensor: Mapping[str, Any], shape: Sequence[int], binary: bytes | None
) -> list[bytes]:
    """Return pixels as lossless image files, which are then read like any other."""
    import numpy as np
    from PIL import Image

    if len(shape) not in (3, 4) or shape[-1] != 3 or math.prod(shape) > MAX_TENSOR_BYTES:
        raise _unreadable("shape must be height, width, 3")
    if binary is None:
        numbers = _flat(tensor.get("data"))
        if not all(type(number) is int and 0 <= number <= 255 for number in numbers):
            raise _unreadable("data must be numbers from 0 to 255")
        binary = bytes(numbers)
    if len(binary) != math.prod(shape):
        raise _unreadable("shape and data differ")
    images_NHWC = np.frombuffer(binary, np.uint8).reshape(-1, *shape[-3:])
    files = []
    for pixels_HWC in images_NHWC:
        buffer = io.BytesIO()
        Image.fromarray(pixels_HWC).save(buffer, "PNG", compress_level=1)
        files.append(buffer.getvalue())
    return files


def _flat(data: Any) -> list[Any]:
    """Return the elements of nested lists in order."""
    if not isinstance(data, list):
        raise _unreadable("data must be a list")
    elements = data
    while elements and isinstance(elements[0], list):
        if not all(isinstance(item, list) for item in elements):
            raise _unreadable("data is nested unevenly")
        elements = [item for inner in elements for item in inner]
    return elements


def _unreadable(why: str) -> ApiError:
    return ApiError(422, "bad_tensor", sentences.NO_TENSOR, why=why)


def answer_of(model: ServedModel, probabilities_NK: Floats, request_id: str | None) -> Any:
    """Return the response to an inference request."""
    num_images, num_classes = probabilities_NK.shape
    labels = [model.scorer.classes[index] for index in probabilities_NK.argmax(axis=1)]
    return {
        "model_name": model.name,
        "model_version": str(model.version),
        **({} if request_id is None else {"id": request_id}),
        "outputs": [
            {"name": "label", "datatype": "BYTES", "shape": [num_images], "data": labels},
            {
                "name": "probabilities",
                "datatype": "FP32",
                "shape": [num_images, num_classes],
                "data": [float(value) for value in probabilities_NK.reshape(-1)],
            },
        ],
    }


def metadata_of(model: ServedModel) -> Any:
    """Return the description of the model's tensors."""
    height, width = model.scorer.size
    return {
        "name": model.name,
        "versions": [str(model.version)],
        "platform": "pipeline_designer",
        "inputs": [{"name": "image", "datatype": "BYTES", "shape": [-1]}],
        "outputs": [
            {"name": "label", "datatype": "BYTES", "shape": [-1]},
            {
                "name": "probabilities",
                "datatype": "FP32",
                "shape": [-1, len(model.scorer.classes)],
                "parameters": {"labels": list(model.scorer.classes)},
            },
        ],
        "parameters": {"input_height": height, "input_width": width},
    }
