"""Client of the process that answers questions about models and images with torch."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

from modules.operating_system.spawning import spawn
from pipelines.errors import InspectionError
from pipelines.inspection.questions import A, Question, WorkerReply
from pipelines.sentences import refusals

MAX_REMEMBERED = 32
ANSWER_SECONDS = 240.0
"""Timeout: on a busy machine the first answer waits minutes for torch."""


class Inspector:
    """One child process for all callers; started on demand, restarted after it has ended."""

    def __init__(self, log_path: Path, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._log_path = log_path
        self._answer_seconds = answer_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._lock = threading.Lock()
        self._is_closed = False
        self._answers: dict[str, WorkerReply] = {}
        self._pool = ThreadPoolExecutor(4, "inspection")

    def start(self) -> None:
        """Start the process now, so that the first answer comes sooner."""
        if self._lock.acquire(blocking=False):
            try:
                self._running()
            finally:
                self._lock.release()

    def submit(self, question: Question[A], **facts: Any) -> Future[A]:
        """Return a future for the answer of ``ask``."""
        return self._pool.submit(lambda: self.ask(question, **facts))

    def ask(self, question: Question[A], **facts: Any) -> A:
        """Return the answer to a question. Raises ``InspectionError``.

        Outputs never change, so recent answers are cached.
        """
        request = {"question": question.name, **facts}
        key = json.dumps(request, sort_keys=True)
        with self._lock:
            answer = self._answers.pop(key, None) or self._answer(request)
            if "answer" in answer:
                self._answers[key] = answer
            if len(self._answers) > MAX_REMEMBERED:
                del self._answers[next(iter(self._answers))]
        if "error" in answer:
            raise InspectionError.of_answer(answer["error"])
        return cast("A", answer["answer"])

    def close(self) -> None:
        """Stop the process for good; waiting questions fail."""
        self._is_closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        self.stop()

    def stop(self) -> None:
        """Stop the process; the next question starts it again."""
        process, self._process = self._process, None
        line, self._line = self._line, None
        if process is not None:
            process.kill()
            process.wait()
        if line is not None:
            line.close()

    def _answer(self, request: Mapping[str, Any]) -> WorkerReply:
        text = json.dumps(request).encode() + b"\n"
        for _ in range(2):  # an idle one may exit at this moment
            if self._is_closed:
                break
            line = self._running()
            try:
                response = _exchange(line, text)
            except OSError:  # it was stopped meanwhile, or takes too long
                response = b""
            if response.endswith(b"\n"):
                answer: WorkerReply = json.loads(response)
                return answer
            self.stop()
        raise InspectionError(refusals.NO_ANSWER, log=self._log_path)

    def _running(self) -> socket.socket:
        process, line = self._process, self._line
        if process is None or line is None or process.poll() is not None:
            self.stop()
            with self._log_path.open("ab") as log:
                process, line = spawn("pipelines.inspection.worker", output=log)
            self._process, self._line = process, line
            line.settimeout(self._answer_seconds)
        return line


def _exchange(line: socket.socket, text: bytes) -> bytes:
    """Return the response line, incomplete if the process has exited. Raises ``OSError``."""
    line.sendall(text)
    response = bytearray()
    while not response.endswith(b"\n") and (received := line.recv(1 << 20)):
        response += received
    return bytes(response)
