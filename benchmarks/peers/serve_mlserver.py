"""MLServer with a custom runtime, as its documentation writes one.

Its pool has one worker by default. More of them are its documented way past Python's lock, and a
worker classifies one image at a time, so there is one for each core, each with one thread.
Adaptive batching is off, as by default.

A request is JSON of the V2 inference protocol with the image in base64, which the content type
``base64`` is for: over HTTP MLServer reads nothing but JSON. That makes the body a third longer,
and takes 0.3 ms of CPU time to read for an image of 95 kB. The answer has the outputs ``label``
and ``probabilities``.
"""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

from mlserver import MLModel
from mlserver.codecs import Base64Codec, NumpyCodec, StringCodec
from mlserver.types import InferenceRequest, InferenceResponse
from PIL import Image

from benchmarks.peers.onnx_classifier import WORKERS, OnnxClassifier


class Classifier(MLModel):
    """The network of the folder that is the model's ``uri``."""

    async def load(self) -> bool:
        self.classifier = OnnxClassifier.of_worker(Path(self.settings.parameters.uri))
        return True

    async def predict(self, payload: InferenceRequest) -> InferenceResponse:
        [content] = self.decode(payload.inputs[0], default_codec=Base64Codec)
        with Image.open(io.BytesIO(content)) as image:
            probabilities_K = self.classifier.classify(self.classifier.prepare(image))
        label = self.classifier.label(probabilities_K)
        outputs = [
            StringCodec.encode_output("label", [label]),
            NumpyCodec.encode_output("probabilities", probabilities_K[None]),
        ]
        return InferenceResponse(model_name=self.name, outputs=outputs)


def main() -> None:
    """Serve the network of a folder at a port, with settings from files as `mlserver start` does.

    Port 0 gives gRPC and metrics, which nobody asks here, any free port.
    """
    folder, port = Path(sys.argv[1]).resolve(), int(sys.argv[2])
    repository = folder / "mlserver"
    repository.mkdir(exist_ok=True)
    server = {
        "host": "127.0.0.1",
        "http_port": port,
        "grpc_port": 0,
        "metrics_port": 0,
        "metrics_dir": str(repository / "metrics"),
        "parallel_workers": WORKERS,
    }
    model = {
        "name": "net",
        "implementation": "benchmarks.peers.serve_mlserver.Classifier",
        "parameters": {"uri": str(folder)},
    }
    for name, settings in (("settings", server), ("model-settings", model)):
        (repository / f"{name}.json").write_text(json.dumps(settings), encoding="utf-8")
    command = Path(sys.executable).with_name("mlserver")
    os.execv(command, [str(command), "start", str(repository)])


if __name__ == "__main__":
    main()
