"""BentoML with an image as its input, as its documentation writes such a service.

For work on the CPU it recommends a worker for each core. Each worker calls the service in one
thread, its default, so the network has one thread as well. Adaptive batching is off, as by default.
The log of requests is off, as for the other servers.

A request is a form with the file ``image``. The bare bytes, which BentoML accepts too, take it
0.9 ms more CPU time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import bentoml
from PIL.Image import Image

from benchmarks.peers.onnx_classifier import WORKERS, OnnxClassifier


@bentoml.service(workers=WORKERS, logging={"access": {"enabled": False}})
class Classifier:
    """The network of the folder that is the argument ``folder``."""

    def __init__(self) -> None:
        self.classifier = OnnxClassifier.of_worker(Path(bentoml.use_arguments().folder))

    @bentoml.api
    def score(self, image: Image) -> dict[str, Any]:
        """Return the label and the probability of each class."""
        return self.classifier.answer(self.classifier.classify(self.classifier.prepare(image)))


def main() -> None:
    """Serve the network of a folder at a port, without sending statistics of use."""
    folder, port = Path(sys.argv[1]).resolve(), sys.argv[2]
    os.environ["BENTOML_HOME"] = str(folder / "bentoml")
    os.environ["BENTOML_DO_NOT_TRACK"] = "True"
    service = "benchmarks.peers.serve_bentoml:Classifier"
    options = ["--host", "127.0.0.1", "--port", port, "--arg", f"folder={folder}"]
    os.execv(sys.executable, [sys.executable, "-m", "bentoml", "serve", service, *options])


if __name__ == "__main__":
    main()
