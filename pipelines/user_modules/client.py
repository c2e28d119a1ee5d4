"""Client for questions to users' module files, which never run in this process.

Each file has a child process that reads it at the first question: with a time limit, a memory
limit, no secrets, and none of this process's files. A child that hangs or exits is reported as that
file's problem; the next question starts another one.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import socket
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from modules.loading import ModuleOrigin
from modules.operating_system.forking import can_fork
from modules.operating_system.processes import descendants, kill_all
from modules.operating_system.spawning import spawn
from pipelines.sentences import user_code
from pipelines.user_modules.errors import CodeEndedError, answer_of, ended, hangs

ANSWER_TIMEOUT_SECONDS = 10.0
START_TIMEOUT_SECONDS = 60.0
"""Timeout for the fork server, which is our own code: on a busy machine its imports take long."""
END_GRACE_SECONDS = 3.0
STOP_TIMEOUT_SECONDS = 2.0
MAX_ANSWER_BYTES = 8 << 20
MAX_REMEMBERED = 256

PASSED_ON = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR|TERM|VIRTUAL_ENV|CONDA_PREFIX"
    r"|PYTHON[A-Z]+|LD_LIBRARY_PATH|DYLD_[A-Z_]+|(OMP|MKL|OPENBLAS)_NUM_THREADS"
    r"|SYSTEM(ROOT|DRIVE)|WINDIR|COMSPEC|PATHEXT|TE?MP|USERPROFILE|(LOCAL)?APPDATA"
    r"|(CUDA|NVIDIA)_VISIBLE_DEVICES|XDG_(CACHE|CONFIG|DATA)_HOME"
)
"""Variables that users' code needs; secrets have other names."""


class _Child:
    """Process that holds a file, and the connection to it."""

    def __init__(
        self, pid: int, line: socket.socket, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        """Create a child; ``process`` is set if it was spawned here on a system without fork."""
        self.pid, self._line, self._process = pid, line, process

    def exchange(self, question: bytes) -> bytes:
        """Return the response line, incomplete if the child has exited. Raises ``TimeoutError``."""
        answer, deadline = bytearray(), time.monotonic() + ANSWER_TIMEOUT_SECONDS
        with suppress(BrokenPipeError, ConnectionResetError):
            self._line.settimeout(max(deadline - time.monotonic(), 0.001))
            self._line.sendall(question)
            while not answer.endswith(b"\n") and len(answer) < MAX_ANSWER_BYTES:
                self._line.settimeout(max(deadline - time.monotonic(), 0.001))
                received = self._line.recv(1 << 20)
                if not received:
                    break
                answer += received
        return bytes(answer)

    def close(self) -> None:
        self._line.close()

    def end(self, grace: float) -> int | None:
        """Return the exit code of a spawned process, killed after the grace period."""
        assert self._process is not None
        try:
            return self._process.wait(grace)
        except subprocess.TimeoutExpired:
            kill_all(descendants(self.pid))
            self._process.kill()
            return self._process.wait()


class UserCode:
    """Thread-safe client; one question at a time for each file."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: socket.socket | None = None
        self._children: dict[ModuleOrigin, _Child] = {}
        self._hung: dict[tuple[ModuleOrigin, str], CodeEndedError] = {}

    def ask(self, origin: ModuleOrigin, question: str, **facts: Any) -> Any:
        """Return the answer of the file's process (``pipelines.user_modules.answers``).

        Raises ``CodeEndedError``, and the errors of ``user_modules.errors.answer_of``. A hook that
        hung is not called again with the same question; a description reads the file again.
        """
        # The text of the question also identifies a hook that hung: another call would cost another
        # ten seconds each time.
        text = json.dumps({"question": question, **facts}, sort_keys=True)
        with self._turns[origin.location]:
            earlier = self._hung.get((origin, text))
            if earlier is not None:
                raise earlier
            try:
                self._forget(origin, everything=question == "describe")
                answer = self._ask(origin, text.encode() + b"\n")
            except CodeEndedError as error:
                if error.hangs and question != "describe":
                    self._remember((origin, text), error)
                raise
        return answer_of(answer)

    def close(self) -> None:
        """Stop all processes; the next question starts them again."""
        with self._lock:
            self._stop()

    def _ask(self, origin: ModuleOrigin, question: bytes) -> bytes:
        # A child is removed from the pool during a question and returned with its answer: whatever
        # fails in between, the next question finds none and starts another.
        idle = self._children.pop(origin, None)
        child = idle or self._started(origin)
        try:
            answer = child.exchange(question)
            if idle is not None and not answer:  # it was idle for long and has exited
                self._end(child)
                child = self._started(origin)
                answer = child.exchange(question)
        except TimeoutError:
            self._end(child)
            raise hangs(ANSWER_TIMEOUT_SECONDS) from None
        if not answer.endswith(b"\n"):
            raise ended(None if answer else self._end(child, END_GRACE_SECONDS))
        self._children[origin] = child
        return answer

    def _forget(self, origin: ModuleOrigin, *, everything: bool) -> None:
        """Stop children with an older state of the same file, or with ``everything`` all."""
        for other in [child for child in list(self._children) if child.location == origin.location]:
            if everything or other != origin:
                self._end(self._children.pop(other))

    def _remember(self, key: tuple[ModuleOrigin, str], error: CodeEndedError) -> None:
        self._hung[key] = error
        if len(self._hung) > MAX_REMEMBERED:
            del self._hung[next(iter(self._hung))]

    def _started(self, origin: ModuleOrigin) -> _Child:
        if not can_fork():
            origin_facts = json.dumps(asdict(origin))
            process, line = _spawn("pipelines.user_modules.spawned", origin_facts)
            return _Child(process.pid, line, process)
        ours, theirs = socket.socketpair()
        with theirs:
            reply = self._command({"fork": asdict(origin)}, theirs)
        return _Child(reply["pid"], ours)

    def _end(self, child: _Child, grace: float = 0.0) -> int | None:
        child.close()
        if not can_fork():
            return child.end(grace)
        code: int | None = self._command({"end": child.pid, "grace": grace})["code"]
        return code

    def _command(self, command: Mapping[str, object], line: socket.socket | None = None) -> Any:
        """Return the fork server's response; start the server if needed."""
        lines = [line.fileno()] if line else []
        with self._lock:
            for _ in range(2):  # it may have been killed since: retry once with a new one
                connection = self._running()
                try:
                    socket.send_fds(connection, [json.dumps(command).encode() + b"\n"], lines)
                    answer = connection.recv(65_536)
                except OSError:
                    answer = b""
                if answer:
                    return json.loads(answer)
                self._stop()
        raise CodeEndedError(user_code.NOT_NOW)

    def _running(self) -> socket.socket:
        if self._connection is None:
            self._process, self._connection = _spawn("pipelines.user_modules.server")
            self._connection.settimeout(START_TIMEOUT_SECONDS)
        return self._connection

    def _stop(self) -> None:
        if self._connection is not None:
            self._connection.close()  # which ends the process
            self._connection = None
        if self._process is not None:
            try:
                self._process.wait(STOP_TIMEOUT_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        for child in self._children.values():
            child.close()
        self._children.clear()


def _spawn(program: str, *arguments: str) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Spawn a child. Output of users' code stays off this process's standard output."""
    return spawn(program, *arguments, env=_environment(), output=2, start_new_session=True)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)}


USER_CODE = UserCode()
"""Client of this process, shared by all catalogs."""
atexit.register(USER_CODE.close)
