"""Process that predicts the pictures of a camera: a line of JSON and a picture in, one line out.

It keeps the last model in memory. ``pipelines.inspection.live`` starts it; it exits when it is idle
or its parent has exited.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from modules.artifacts import TrainedModel
from modules.context import Context
from modules.errors import ModuleError
from modules.operating_system.spawning import connection_to_parent
from pipelines.errors import InspectionError
from pipelines.inspection.questions import WorkerReply
from pipelines.problems import error_to_json
from pipelines.sentences import places

if TYPE_CHECKING:
    from modules.compute.distributed import ProcessGroup
    from modules.scoring.live_model import LiveModel

IDLE_TIMEOUT_SECONDS = 300.0
HEAT_MAP_EDGE = 320


class LiveModels:
    """The model in memory: the one of the last picture."""

    def __init__(self, group: ProcessGroup) -> None:
        self._group = group
        self._folder = ""
        self._model: LiveModel | None = None

    def of(self, folder: str) -> LiveModel:
        """Return the model in a folder, loaded unless it is the last one."""
        from modules.scoring.live_model import LiveModel

        if self._model is None or folder != self._folder:
            self._model = LiveModel(TrainedModel(Path(folder)), self._group)
            self._folder = folder
        return self._model


def answer(models: LiveModels, request: Mapping[str, Any], picture: bytes) -> WorkerReply:
    """Return the answer, or the error of the question."""
    try:
        return {"answer": _predicted(models.of(request["model"]), picture, heat=request["heat"])}
    except ModuleError as error:
        return error_to_json(error.code, error)
    except Exception as error:  # whatever a damaged file causes, the process continues
        raised = f"{type(error).__name__}: {error}"[:470]
        return error_to_json(InspectionError.code, InspectionError(places.NOT_SHOWN, error=raised))


def _predicted(model: LiveModel, picture: bytes, *, heat: bool) -> Mapping[str, object]:
    from modules.explain.samples import as_jpeg

    began = time.perf_counter()
    pixels = model.pixels(picture)
    shares = model.probabilities(pixels)
    overlay = model.heat_map(pixels, max(shares, key=shares.__getitem__)) if heat else None
    return {
        "classes": [{"name": name, "probability": share} for name, share in shares.items()],
        "overlay": None
        if overlay is None
        else b64encode(as_jpeg(overlay, HEAT_MAP_EDGE)).decode("ascii"),
        "milliseconds": round(1000 * (time.perf_counter() - began), 2),
    }


def main() -> None:
    """Answer until the parent exits or no picture arrives for a while."""
    with connection_to_parent(sys.argv[1]) as line:
        _serve(line)


def _serve(line: socket.socket) -> None:
    from modules.compute.distributed import process_group

    line.settimeout(IDLE_TIMEOUT_SECONDS)
    with (
        TemporaryDirectory(prefix="designer-live-") as scratch,
        process_group(Context(Path(scratch))) as group,
        line.makefile("rb") as requests,
        suppress(OSError),
    ):
        models = LiveModels(group)
        while text := requests.readline():
            request = json.loads(text)
            picture = requests.read(request["bytes"])
            line.sendall(json.dumps(answer(models, request, picture)).encode() + b"\n")


if __name__ == "__main__":
    main()
