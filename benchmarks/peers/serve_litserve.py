"""LitServe with ONNX Runtime: two workers, each with one thread, as for a small network on a CPU.

A request is a form with the file ``image``: LitServe reads forms and JSON, not the bare bytes.
It reads the annotation of a request as a class, so they are not postponed here.
"""

import io
import json
import sys
from pathlib import Path
from typing import Any

import litserve
import numpy as np
from fastapi import Request
from PIL import Image

SIZE, CROP = 256, 224
WORKERS = 2


class Classifier(litserve.LitAPI):
    """The same preparation and network as those of the bare app."""

    def __init__(self, folder: Path) -> None:
        super().__init__(api_path="/score")
        self.folder = folder

    def setup(self, device: str) -> None:  # noqa: ARG002 - always the CPU
        import onnxruntime

        facts = json.loads((self.folder / "facts.json").read_text(encoding="utf-8"))
        self.classes = facts["classes"]
        self.mean, self.std = (np.array(facts[name], np.float32) for name in ("mean", "std"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(
            str(self.folder / "network.onnx"), options, providers=["CPUExecutionProvider"]
        )

    def decode_request(self, request: Request) -> Any:
        with Image.open(io.BytesIO(request["image"].file.read())) as file:
            file.draft("RGB", (SIZE, SIZE))
            image = file.convert("RGB")
        width, height = image.size
        shorter = min(width, height)
        size = (int(SIZE * width / shorter), int(SIZE * height / shorter))
        image = image.resize(size, Image.Resampling.BILINEAR)
        left, top = round((size[0] - CROP) / 2), round((size[1] - CROP) / 2)
        pixels = np.asarray(image.crop((left, top, left + CROP, top + CROP)), np.float32) / 255
        return ((pixels - self.mean) / self.std).transpose(2, 0, 1)[None].astype(np.float32)

    def predict(self, images: Any) -> Any:
        [model_input] = self.session.get_inputs()
        logits = self.session.run(None, {model_input.name: images})[0][0]
        exponents = np.exp(logits - logits.max())
        return exponents / exponents.sum()

    def encode_response(self, probabilities: Any) -> dict[str, Any]:
        label = self.classes[int(np.argmax(probabilities))]
        values = map(float, probabilities)
        return {"label": label, "probabilities": dict(zip(self.classes, values, strict=True))}


if __name__ == "__main__":
    server = litserve.LitServer(
        Classifier(Path(sys.argv[1])),
        accelerator="cpu",
        workers_per_device=WORKERS,
        healthcheck_path="/health/ready",
    )
    server.run(
        host="127.0.0.1", port=int(sys.argv[2]), log_level="warning", generate_client_file=False
    )
