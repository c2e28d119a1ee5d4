"""A checked ONNX file that Export Model wrote, opened for predictions.

Only such files are opened: their inputs, outputs and metadata are known, and their graph is the
preparation, the network and a softmax. Shape letters: K classes, H height, W width, C = 3 channels.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.artifacts import read_json
from modules.errors import InvalidModelDirectoryError
from modules.export.formats import check_packages
from modules.export.network import ONNX_BYTES
from modules.export.onnx_file import CARD_KEY, LABEL, LABELS_KEY, PIXELS, PROBABILITIES, PRODUCER
from modules.models.abstention import threshold_in
from modules.sentences import export as say
from modules.sentences.sentence import Sentence, Statement, said_by

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import onnx

    from modules.image_loading.sizes import Size

    Floats = npt.NDArray[np.float32]
    Pixels = npt.NDArray[np.uint8]

MAX_CLASSES = 100_000
SUM_TOLERANCE = 1e-3
"""Largest deviation of the sum of the probabilities of an image from 1."""
_UINT8, _FLOAT, _INT64 = "tensor(uint8)", "tensor(float)", "tensor(int64)"


@dataclass(frozen=True)
class OnnxClassifier:
    """An opened file. ``probabilities`` may be called in several threads at once."""

    name: str
    classes: tuple[str, ...]
    card: Mapping[str, Any]
    size: Size | None
    """Height and width of the images of the batch form; None: one image of any size."""
    session: Any

    @classmethod
    def open(cls, path: Path, threads: int = 1, *, shown_as: str | None = None) -> OnnxClassifier:
        """Open and check a file.

        Args:
            path: ONNX file.
            threads: Threads of one prediction.
            shown_as: Name of the file in messages, if it is a copy of another one.

        Raises:
            InvalidModelDirectoryError: The file is damaged, or not from Export Model (0159).
            ModelNotExportedError: Packages are missing (3105).
        """
        check_packages("onnx")
        name = shown_as or path.name
        content = _content(path, name)
        model = _parsed(content, name)
        metadata = {entry.key: entry.value for entry in model.metadata_props}
        if model.producer_name != PRODUCER:
            raise _foreign(name, say.OTHER_PRODUCER, producer=model.producer_name[:80] or "?")
        classes, card = _labels(metadata, name), _card(metadata, name)
        if any(_external(model)):
            raise _foreign(name, say.EXTERNAL_WEIGHTS)
        del model
        session = _session(content, name, threads)
        return cls(name, classes, card, _checked_ports(session, len(classes), name), session)

    @property
    def threshold(self) -> float | None:
        """Return the smallest accepted probability; None for a model that always answers."""
        return threshold_in(self.card)

    def probabilities(self, pixels_HWC: Pixels) -> Floats:
        """Return the probabilities (K,) of one image.

        Raises ``InvalidModelDirectoryError`` if they are none, or if the file fails on the image.
        """
        import numpy as np

        pixels = pixels_HWC if self.size is None else pixels_HWC[None]
        try:
            [result] = self.session.run([PROBABILITIES], {PIXELS: pixels})
        except Exception as error:  # ONNX Runtime has no common class for failures of operators
            raise InvalidModelDirectoryError(
                say.ONNX_FAILED, file=self.name, error=said_by(error, 300)
            ) from error
        probabilities_K: Floats = result if self.size is None else result[0]
        total = float(probabilities_K.sum(dtype=np.float64))
        if not (abs(total - 1) <= SUM_TOLERANCE and (probabilities_K >= 0).all()):  # nor for NaN
            raise InvalidModelDirectoryError(say.NOT_PROBABILITIES, file=self.name)
        return probabilities_K


def card_in(folder: Path) -> Mapping[str, Any]:
    """Return the card next to an exported file; empty if it cannot be read."""
    try:
        card = read_json(folder / "card.json")
    except (OSError, ValueError):
        return {}
    return card if isinstance(card, dict) else {}


def _foreign(name: str, why: Sentence, **facts: Any) -> InvalidModelDirectoryError:
    return InvalidModelDirectoryError(say.FOREIGN_ONNX, file=name, why=why.about(facts))


def _damaged(name: str, why: Statement | str) -> InvalidModelDirectoryError:
    return InvalidModelDirectoryError(say.DAMAGED_ONNX, file=name, error=why)


def _content(path: Path, name: str) -> bytes:
    try:
        num_bytes = path.stat().st_size
        if num_bytes > ONNX_BYTES + ONNX_BYTES // 20:
            raise _foreign(name, say.OVER_TWO_GIGABYTES, gigabytes=num_bytes / 1e9)
        content = path.read_bytes()
    except OSError as error:
        raise _damaged(name, said_by(error, 300)) from error
    if not content:
        raise _damaged(name, say.EMPTY_ONNX.about({}))
    return content


def _parsed(content: bytes, name: str) -> onnx.ModelProto:
    import onnx

    try:
        model = onnx.load_model_from_string(content)
    except Exception as error:  # protobuf raises its own class, or others for hostile nesting
        raise _damaged(name, said_by(error, 300)) from error
    if not model.graph.node:
        raise _damaged(name, say.NO_GRAPH.about({}))
    return model


def _labels(metadata: Mapping[str, str], name: str) -> tuple[str, ...]:
    labels = _json(metadata.get(LABELS_KEY))
    if not isinstance(labels, list) or not 1 <= len(labels) <= MAX_CLASSES:
        raise _foreign(name, say.NO_LABELS_INSIDE)
    if not all(isinstance(label, str) and label for label in labels):
        raise _foreign(name, say.NO_LABELS_INSIDE)
    if len(set(labels)) < len(labels):
        raise _foreign(name, say.EQUAL_LABELS)
    return tuple(labels)


def _card(metadata: Mapping[str, str], name: str) -> Mapping[str, Any]:
    card = _json(metadata.get(CARD_KEY))
    if not isinstance(card, dict):
        raise _foreign(name, say.NO_CARD_INSIDE)
    return card


def _json(text: str | None) -> Any:
    try:
        return json.loads(text or "")
    except (ValueError, RecursionError):
        return None


def _external(model: onnx.ModelProto) -> Iterator[bool]:
    """Yield True for each tensor in another file, which could be any file of this machine."""
    from onnx import TensorProto
    from onnx.external_data_helper import _get_all_tensors

    for tensor in _get_all_tensors(model):
        yield tensor.data_location == TensorProto.EXTERNAL


def _session(content: bytes, name: str, threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # a class for each of its status codes, without a common one
        raise _damaged(name, said_by(error, 300)) from error


def _checked_ports(session: Any, num_classes: int, name: str) -> Size | None:
    """Return the size of the images of the batch form; raise for inputs that are not ours."""
    inputs = session.get_inputs()
    outputs = {output.name: output for output in session.get_outputs()}
    if [port.name for port in inputs] != [PIXELS] or inputs[0].type != _UINT8:
        raise _foreign(name, say.OTHER_INPUT)
    shape = list(inputs[0].shape)
    if len(shape) not in (3, 4) or shape[-1] != 3:
        raise _foreign(name, say.OTHER_INPUT)
    probabilities, label = outputs.get(PROBABILITIES), outputs.get(LABEL)
    if probabilities is None or label is None:
        raise _foreign(name, say.OTHER_OUTPUTS)
    if (probabilities.type, label.type) != (_FLOAT, _INT64):
        raise _foreign(name, say.OTHER_OUTPUTS)
    if list(probabilities.shape)[-1:] != [num_classes]:
        facts = {"labels": num_classes, "outputs": list(probabilities.shape)[-1:]}
        raise _foreign(name, say.OTHER_NUMBER_OF_LABELS, **facts)
    if len(shape) == 3:
        return None
    height, width = shape[1:3]
    if not isinstance(height, int) or not isinstance(width, int):
        raise _foreign(name, say.OTHER_INPUT)
    return height, width
