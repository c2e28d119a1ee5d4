"""A running endpoint over a workspace with small registered models, and a plain client of it."""

from __future__ import annotations

import asyncio
import http.client
import io
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import uvicorn
from PIL import Image

from designer_app.serving.server import EndpointServer, listen_at
from designer_app.serving.settings import EndpointSettings
from modules.artifacts import TrainedModel
from modules.models.build import seeded_network
from modules.models.recipe import Recipe
from modules.models.serialization import save_trained
from pipelines.registry.models import ModelRegistry, RegisteredVersion
from pipelines.runs.run_service import RunService
from tests.pipelines.registry.trained import trained_run
from tests.polling import wait_for

CLASSES = ("blue", "green", "red")
EDGE = 32


def save_small(
    folder: Path, seed: int = 1, *, broken: bool = False, rotated: bool = False
) -> TrainedModel:
    """A small network that resizes and crops; with random weights, as its skill is of no matter.

    A ``broken`` one gives NaN, a ``rotated`` one names another class for every picture.
    """
    recipe = Recipe(family="test", architecture="shufflenet_v2_x0_5", pretrained=False)
    network = seeded_network(recipe, len(CLASSES), seed=seed)
    if broken:
        next(network.parameters()).data.fill_(float("nan"))
    description: dict[str, Any] = {
        "recipe": recipe.to_json(),
        "classes": [*CLASSES[1:], CLASSES[0]] if rotated else list(CLASSES),
        "normalisation": {"mean": [0.5, 0.5, 0.5], "std": [0.2, 0.2, 0.2]},
        "inference_transformation": [
            {"operation": "resize", "size": EDGE},
            {"operation": "center_crop", "size": EDGE},
        ],
        "input_size": {"height": EDGE, "width": EDGE},
        "class_counts": {"blue": 10, "green": 20, "red": 70},
        "metrics": {},
    }
    return save_trained(folder, network, description, pd.DataFrame({"Valid loss": [1.0]}))


def register(runs: RunService, seed: int, name: str = "m", **how: bool) -> RegisteredVersion:
    """Register a small model of this seed as the next version."""
    registry = ModelRegistry(runs.database, runs.artifacts)
    run_id = trained_run(runs, seed, save=lambda folder: save_small(folder, seed, **how))
    [(_, artifact_id, port)] = registry.trained_by(run_id)
    return registry.register(artifact_id, port, name)


def picture(seed: int = 0, size: tuple[int, int] = (60, 44), kind: str = "JPEG") -> bytes:
    """A file of coloured noise."""
    numbers = np.random.default_rng(seed)
    coarse = numbers.integers(0, 255, (6, 8, 3), np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(coarse).resize(size).save(buffer, kind)
    return buffer.getvalue()


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        """The code of the error, and every error has a message and a cure."""
        error = self.json["error"]
        assert error["message"].endswith(".")
        assert error["cure"].endswith(".")
        return str(error["code"])


@dataclass
class Caller:
    """A program that calls an endpoint."""

    port: int
    key: str | None = None

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Reply:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key is not None:
            sent.setdefault("Authorization", f"Bearer {self.key}")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, found, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        return self.send("GET", path, None, **headers)

    def score(self, body: bytes, content_type: str = "image/jpeg", **headers: str) -> Reply:
        return self.send("POST", "/score", body, Content_Type=content_type, **headers)

    def post(self, path: str, content: object) -> Reply:
        body = json.dumps(content).encode()
        return self.send("POST", path, body, Content_Type="application/json")

    @property
    def is_ready(self) -> bool:
        return self.get("/health/ready").status == 200


class Running:
    """An endpoint in a thread of the test."""

    def __init__(self, settings: EndpointSettings) -> None:
        self.listening = listen_at("127.0.0.1", 0)
        self.settings = replace(settings, port=self.listening.getsockname()[1])
        self.server = EndpointServer(self.settings)
        self._uvicorn = uvicorn.Server(self.server._configuration())
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._uvicorn.serve([self.listening]))
        )
        self._thread.start()
        self.caller = Caller(self.settings.port)

    def stop(self) -> None:
        self._uvicorn.should_exit = True
        self._thread.join()
        self.listening.close()


@contextmanager
def running(settings: EndpointSettings, *, ready: bool = True) -> Iterator[Running]:
    """An endpoint for the duration of the block, by default once its model is loaded."""
    made = Running(settings)
    try:
        wait_for(lambda: made.caller.get("/health/live").status == 200)
        if ready:
            wait_for(lambda: made.caller.is_ready)
        yield made
    finally:
        made.stop()
