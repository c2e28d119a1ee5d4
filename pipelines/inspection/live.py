"""Client of the process that predicts the pictures of a camera, the newest first.

A camera delivers more pictures than a small machine predicts. So there is no queue: of the pictures
that wait, only the newest one is predicted, and the others are answered as skipped.
"""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TypedDict, cast

from modules.operating_system.spawning import spawn
from pipelines.errors import InspectionError
from pipelines.inspection.questions import LikelyClass, WorkerReply
from pipelines.sentences import refusals

ANSWER_SECONDS = 240.0
"""Timeout: on a busy machine the first answer waits minutes for torch."""
REMEMBERED_MODELS = 16


class LiveAnswer(TypedDict):
    """Prediction of one picture, or ``skipped`` because a newer one arrived."""

    classes: list[LikelyClass]
    """In the order of the model."""
    overlay: str | None
    """JPEG of the heat map in base64, if it was requested."""
    milliseconds: float
    skipped: bool


SKIPPED: LiveAnswer = {"classes": [], "overlay": None, "milliseconds": 0.0, "skipped": True}


class LivePredictor:
    """One child process for all tabs; started on demand, restarted after it has ended."""

    def __init__(self, log_path: Path) -> None:
        self._log_path = log_path
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._answers: IO[bytes] | None = None
        self._lock = threading.Lock()
        self._counting = threading.Lock()
        self._newest = 0
        self._is_closed = False
        self._models: dict[str, Path] = {}

    def start(self) -> None:
        """Start the process now, so that the first prediction comes sooner."""
        if not self._is_closed and self._lock.acquire(blocking=False):
            try:
                self._running()
            finally:
                self._lock.release()

    def known_model(self, run_id: str, find: Callable[[], Path]) -> Path:
        """Return the folder of a run's trained model, found once: a camera asks many times."""
        known = self._models.get(run_id)
        if known is None or not known.is_dir():
            known = find()
            self._models[run_id] = known
            if len(self._models) > REMEMBERED_MODELS:
                del self._models[next(iter(self._models))]
        return known

    def predict(self, model: Path, picture: bytes, *, heat: bool = False) -> LiveAnswer:
        """Return the prediction of a picture by the model in a folder. Raises ``InspectionError``.

        Args:
            model: Folder of the trained model.
            picture: Encoded image.
            heat: Compute the heat map of the most probable class, too.
        """
        with self._counting:
            self._newest += 1
            ticket = self._newest
        with self._lock:
            if ticket != self._newest:
                return SKIPPED
            answer = self._answer({"model": str(model), "heat": heat}, picture)
        if "error" in answer:
            raise InspectionError.of_answer(answer["error"])
        return cast("LiveAnswer", {**answer["answer"], "skipped": False})

    def close(self) -> None:
        """Stop the process for good."""
        self._is_closed = True
        self._stop()

    def _answer(self, request: Mapping[str, object], picture: bytes) -> WorkerReply:
        head = json.dumps({**request, "bytes": len(picture)}).encode() + b"\n"
        for _ in range(2):  # an idle one may exit at this moment
            if self._is_closed:
                break
            line, answers = self._running()
            try:
                line.sendall(head + picture)
                response = answers.readline()
            except OSError:  # it was stopped meanwhile, or takes too long
                response = b""
            if response.endswith(b"\n"):
                answer: WorkerReply = json.loads(response)
                return answer
            self._stop()
        raise InspectionError(refusals.NO_ANSWER, log=self._log_path)

    def _running(self) -> tuple[socket.socket, IO[bytes]]:
        process, line, answers = self._process, self._line, self._answers
        if process is None or line is None or answers is None or process.poll() is not None:
            self._stop()
            with self._log_path.open("ab") as log:
                process, line = spawn("pipelines.inspection.live_worker", output=log)
            line.settimeout(ANSWER_SECONDS)
            answers = line.makefile("rb")
            self._process, self._line, self._answers = process, line, answers
        return line, answers

    def _stop(self) -> None:
        process, self._process = self._process, None
        line, self._line = self._line, None
        answers, self._answers = self._answers, None
        if process is not None:
            process.kill()
            process.wait()
        for file in (answers, line):
            if file is not None:
                file.close()
