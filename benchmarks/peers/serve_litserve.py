"""LitServe: a worker for each core, each with one thread, as for a small network on a CPU.

A request is a form with the file ``image``: LitServe reads forms and JSON, not the bare bytes.
It reads the annotation of a request as a class, so they are not postponed here.
"""

import sys
from pathlib import Path
from typing import Any

import litserve
from fastapi import Request
from PIL import Image

from benchmarks.peers.onnx_classifier import WORKERS, OnnxClassifier


class Classifier(litserve.LitAPI):
    """The network of a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(api_path="/score")
        self.folder = folder

    def setup(self, device: str) -> None:  # noqa: ARG002 - always the CPU
        self.classifier = OnnxClassifier.of_worker(self.folder)

    def decode_request(self, request: Request) -> Any:
        with Image.open(request["image"].file) as image:
            return self.classifier.prepare(image)

    def predict(self, images: Any) -> Any:
        return self.classifier.classify(images)

    def encode_response(self, probabilities: Any) -> dict[str, Any]:
        return self.classifier.answer(probabilities)


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
