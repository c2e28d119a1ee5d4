"""The zygote: imports what modules need once, then forks a module host for each step.

Unless it holds torch, it forks the next host before it is needed: a spare, which waits for what
to run, and ends unused with the zygote.

``python -m pipelines.zygote --socket FD --preload WHAT``, started by the runner and ended with it.
It only imports: a child forked after any computation of OpenMP would hang, and one forked after a
touch of CUDA could not use it.

Lines of JSON on the socket: it says ``{"ready": seconds}``, takes
``{"start": token, "spec": path, "node_rank": n, "origin": {...}, "module": id}``, answers
``{"started": token, "pid": n}`` and,
when that child has ended, ``{"ended": token, "code": exit code or minus the signal}``.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from modules.spec import Preload
from pipelines.host import leave, run_host
from pipelines.processes import die_with_parent
from pipelines.user_code import UserCode

PANDAS_IMPORTS = ("numpy", "pandas", "pyarrow.parquet", "PIL.Image")
TORCH_IMPORTS = (
    "torch",
    "torch._dynamo",
    "torch.distributed",
    "torch.nn.parallel",
    "torch.optim",
    "torchvision",
    "torchvision.transforms.v2",
    "safetensors.torch",
)
PRELOADS: dict[Preload, tuple[str, ...]] = {
    "nothing": (),
    "pandas": PANDAS_IMPORTS,
    "torch": PANDAS_IMPORTS + TORCH_IMPORTS,
}


class Zygote:
    """Forks hosts and reports their ends."""

    def __init__(self, connection: socket.socket, *, keeps_spare: bool) -> None:
        self._connection = connection
        self._keeps_spare = keeps_spare
        self._unread = b""
        self._user_code = UserCode()
        self._children: dict[int, str] = {}
        self._spare: tuple[int, int] | None = None
        """Its pid, and the pipe that it reads from what to run."""
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)

    def preload(self, names: tuple[str, ...]) -> None:
        """Import, so that the children need not."""
        started = time.perf_counter()
        for name in names:
            importlib.import_module(name)
        _preload_modules()
        gc.collect()
        gc.freeze()  # or the collector's marks would copy every page in every child
        self._say({"ready": time.perf_counter() - started})

    def serve(self) -> None:
        """Fork and reap until the runner closes the socket."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        selector = selectors.DefaultSelector()
        selector.register(self._connection, selectors.EVENT_READ)
        selector.register(self._wake_read, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is self._connection:
                    received = self._connection.recv(65_536)
                    if not received:
                        return
                    *lines, self._unread = (self._unread + received).split(b"\n")
                    for line in lines:
                        self._start(json.loads(line))
                    if self._keeps_spare and self._spare is None:
                        self._spare = self._fork()  # after users' files that were kept
                else:
                    os.read(self._wake_read, 4096)
                    self._reap()

    def _start(self, request: dict[str, Any]) -> None:
        pid, pipe = self._spare or self._fork()
        self._spare = None
        self._children[pid] = request["start"]
        with suppress(BrokenPipeError), open(pipe, "w") as file:  # it was killed: reaped below
            json.dump(request, file)
        self._say({"started": request["start"], "pid": pid})
        self._user_code.keep(request.get("origin"), request.get("module"))

    def _fork(self) -> tuple[int, int]:
        """A host that reads what to run from a pipe, which closes unused when it is not needed."""
        zygote = os.getpid()
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(writing)
            self._become_host(zygote, reading)
        os.close(reading)
        return pid, writing

    def _become_host(self, zygote: int, reading: int) -> NoReturn:
        code = 1
        try:
            die_with_parent(zygote)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            for descriptor in (self._connection.fileno(), self._wake_read, self._wake_write):
                os.close(descriptor)
            with open(reading) as file:
                request = json.load(file)
            code = run_host(Path(request["spec"]), request["node_rank"])
        except BaseException as error:  # a forked child must never return into the loop
            print(f"host failed: {error!r}", file=sys.stderr, flush=True)
        finally:
            leave(code)

    def _reap(self) -> None:
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            token = self._children.pop(pid, None)
            if self._spare is not None and pid == self._spare[0]:
                os.close(self._spare[1])
                self._spare = None
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)  # what its module started and left behind
            if token is not None:
                self._say({"ended": token, "code": os.waitstatus_to_exitcode(status)})

    def _say(self, message: dict[str, Any]) -> None:
        self._connection.sendall(json.dumps(message).encode() + b"\n")


def _preload_modules() -> None:
    from modules.catalog import builtin_catalog

    builtin_catalog()


def main() -> None:
    """Serve the runner at the other end of an inherited socket."""
    parser = argparse.ArgumentParser(prog="pipelines.zygote")
    parser.add_argument("--socket", type=int, required=True)
    parser.add_argument("--preload", choices=PRELOADS, required=True)
    arguments = parser.parse_args()
    die_with_parent(os.getppid())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = socket.socket(fileno=arguments.socket)
    zygote = Zygote(connection, keeps_spare=arguments.preload != "torch")
    zygote.preload(PRELOADS[arguments.preload])
    try:
        zygote.serve()
    finally:
        leave(0)


if __name__ == "__main__":
    main()
