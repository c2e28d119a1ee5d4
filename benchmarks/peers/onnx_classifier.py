"""Classifier of A8 that every server but ours calls: Pillow prepares, ONNX Runtime computes.

Shape letters: N images, K classes, C channels, H height, W width.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

SIZE, CROP = 256, 224
WORKERS = 2
"""Processes of a server that has workers: one for each of two cores, each with one thread."""


class OnnxClassifier:
    """A network of ONNX Runtime and the preparation of its images.

    Args:
        session: The network, for one image a call.
        classes: Names of the classes, in the order of its outputs.
        normalisation: ``mean`` and ``std`` of each channel, for pixels from 0 to 1.
    """

    def __init__(self, session: Any, classes: Sequence[str], normalisation: dict[str, Any]) -> None:
        self._session = session
        self._classes = classes
        self._mean = np.array(normalisation["mean"], np.float32)
        self._std = np.array(normalisation["std"], np.float32)

    @classmethod
    def of_worker(cls, folder: Path) -> OnnxClassifier:
        """Open ``network.onnx`` with one thread, and ``facts.json``."""
        import onnxruntime

        facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(
            str(folder / "network.onnx"), options, providers=["CPUExecutionProvider"]
        )
        return cls(session, facts["classes"], facts)

    def prepare(self, image: Image.Image) -> Any:
        """Return an opened, not yet decoded image as float32 of shape (1, C, H, W)."""
        image.draft("RGB", (SIZE, SIZE))
        image = image.convert("RGB")
        width, height = image.size
        shorter = min(width, height)
        size = (int(SIZE * width / shorter), int(SIZE * height / shorter))
        image = image.resize(size, Image.Resampling.BILINEAR)
        left, top = round((size[0] - CROP) / 2), round((size[1] - CROP) / 2)
        pixels = np.asarray(image.crop((left, top, left + CROP, top + CROP)), np.float32) / 255
        return ((pixels - self._mean) / self._std).transpose(2, 0, 1)[None].astype(np.float32)

    def classify(self, images_NCHW: Any) -> Any:
        """Return the probabilities (K,) of the only image."""
        [model_input] = self._session.get_inputs()
        logits_K = self._session.run(None, {model_input.name: images_NCHW})[0][0]
        exponents_K = np.exp(logits_K - logits_K.max())
        return exponents_K / exponents_K.sum()

    def label(self, probabilities_K: Any) -> str:
        """Return the class of the highest probability."""
        return self._classes[int(np.argmax(probabilities_K))]

    def answer(self, probabilities_K: Any) -> dict[str, Any]:
        """Return the label and the probability of each class, for JSON."""
        values = map(float, probabilities_K)
        return {
            "label": self.label(probabilities_K),
            "probabilities": dict(zip(self._classes, values, strict=True)),
        }
