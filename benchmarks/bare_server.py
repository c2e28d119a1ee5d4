"""The least that serves a model: ONNX Runtime behind Starlette, one image a call, no checks."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import uvicorn
from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from modules.artifacts import TrainedModel
from modules.models.serialization import load_trained
from modules.scoring.backends import exported

SIZE, CROP = 256, 224


def main() -> None:
    """Serve the model of a folder at a port."""
    import onnxruntime
    import torch

    model = TrainedModel(Path(sys.argv[1]))
    facts = json.loads((model.path / "model.json").read_text(encoding="utf-8"))
    mean, std = (np.array(facts["normalisation"][name], np.float32) for name in ("mean", "std"))
    content = exported(load_trained(model), torch.zeros(1, 3, CROP, CROP))
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    [model_input] = session.get_inputs()
    threads = ThreadPoolExecutor(2)

    def scored(body: bytes) -> list[float]:
        with Image.open(io.BytesIO(body)) as file:
            file.draft("RGB", (SIZE, SIZE))
            image = file.convert("RGB")
        width, height = image.size
        shorter = min(width, height)
        size = (int(SIZE * width / shorter), int(SIZE * height / shorter))
        image = image.resize(size, Image.Resampling.BILINEAR)
        left, top = round((size[0] - CROP) / 2), round((size[1] - CROP) / 2)
        pixels = np.asarray(image.crop((left, top, left + CROP, top + CROP)), np.float32) / 255
        batch = ((pixels - mean) / std).transpose(2, 0, 1)[None].astype(np.float32)
        logits = session.run(None, {model_input.name: batch})[0][0]
        exponents = np.exp(logits - logits.max())
        return [float(value) for value in exponents / exponents.sum()]

    async def score(request: Request) -> JSONResponse:
        body = await request.body()
        loop = asyncio.get_running_loop()
        probabilities = await loop.run_in_executor(threads, scored, body)
        label = model.classes[int(np.argmax(probabilities))]
        named = dict(zip(model.classes, probabilities, strict=True))
        return JSONResponse({"label": label, "probabilities": named})

    async def ready(_request: Request) -> JSONResponse:
        return JSONResponse({"ready": True})

    routes = [Route("/score", score, methods=["POST"]), Route("/health/ready", ready)]
    app = Starlette(routes=routes)
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
