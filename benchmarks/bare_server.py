"""The least that serves a model: ONNX Runtime behind Starlette, one image a call, no checks."""

from __future__ import annotations

import asyncio
import io
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import uvicorn
from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from benchmarks.peers.onnx_classifier import CROP, OnnxClassifier
from modules.artifacts import TrainedModel
from modules.models.serialization import load_trained
from modules.scoring.backends import exported


def main() -> None:
    """Serve the model of a folder at a port."""
    import onnxruntime
    import torch

    model = TrainedModel(Path(sys.argv[1]))
    content = exported(load_trained(model), torch.zeros(1, 3, CROP, CROP))
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    classifier = OnnxClassifier(session, model.classes, model.description["normalisation"])
    threads = ThreadPoolExecutor(2)

    def scored(body: bytes) -> dict[str, Any]:
        with Image.open(io.BytesIO(body)) as image:
            return classifier.answer(classifier.classify(classifier.prepare(image)))

    async def score(request: Request) -> JSONResponse:
        body = await request.body()
        loop = asyncio.get_running_loop()
        return JSONResponse(await loop.run_in_executor(threads, scored, body))

    async def ready(_request: Request) -> JSONResponse:
        return JSONResponse({"ready": True})

    routes = [Route("/score", score, methods=["POST"]), Route("/health/ready", ready)]
    app = Starlette(routes=routes)
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
