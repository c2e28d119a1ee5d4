"""The zygote: imports what modules need once, then forks a module host for each step.

Unless it holds torch, it forks the next host before it is needed: a spare, which waits for what
to run, and ends unused with the zygote. Such a light host says when all is done and written, and
is ended then: what it takes a process to end, which is longer than many a step, delays nothing.
(With torch the end itself matters: only then is the memory of a GPU free.)

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
from typing import Any, NamedTuple, NoReturn

from modules.spec import Module, Preload
from pipelines.host import leave, rehearse, run_host
from pipelines.processes import die_with_parent
from pipelines.user_code import UserCode

DONE = b"done"
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


class Host(NamedTuple):
    """A forked process, and the line on which it is told what to run and says that it is done."""

    pid: int
    line: socket.socket


class Zygote:
    """Forks hosts and reports their ends."""

    def __init__(self, connection: socket.socket, *, is_light: bool) -> None:
        self._connection = connection
        self._is_light = is_light
        self._unread = b""
        self._user_code = UserCode()
        self._children: dict[int, str | None] = {}
        """The tokens of those not yet reaped; None where the end was reported already."""
        self._spare: Host | None = None
        self._rehearsal: tuple[Path, Module] | None = None
        self._selector = selectors.DefaultSelector()
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
        self._selector.register(self._connection, selectors.EVENT_READ)
        self._selector.register(self._wake_read, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._connection:
                    received = self._connection.recv(65_536)
                    if not received:
                        return
                    *lines, self._unread = (self._unread + received).split(b"\n")
                    for line in lines:
                        self._start(json.loads(line))
                    if self._is_light and self._spare is None:
                        self._spare = self._fork()  # after users' files that were kept
                elif key.fileobj is self._wake_read:
                    os.read(self._wake_read, 4096)
                    self._reap()
                else:
                    self._hear(key.data)

    def _start(self, request: dict[str, Any]) -> None:
        host = self._spare or self._fork()
        self._spare = None
        self._children[host.pid] = request["start"]
        with suppress(OSError):  # it was killed: reaped below
            host.line.sendall(json.dumps(request).encode() + b"\n")
        self._selector.register(host.line, selectors.EVENT_READ, host)
        self._say({"started": request["start"], "pid": host.pid})
        module = self._user_code.keep(request.get("origin"), request.get("module"))
        self._rehearsal = (Path(request["spec"]), module) if module and self._is_light else None

    def _fork(self) -> Host:
        """A host that waits for what to run; its line closes unused when it is not needed."""
        zygote = os.getpid()
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            ours.close()
            self._become_host(zygote, theirs)
        theirs.close()
        return Host(pid, ours)

    def _become_host(self, zygote: int, line: socket.socket) -> NoReturn:
        code = 1
        try:
            die_with_parent(zygote)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            self._close()
            if self._rehearsal is not None:
                rehearse(*self._rehearsal)
            with line.makefile() as file:
                request = json.loads(file.readline())
            code = run_host(Path(request["spec"]), request["node_rank"])
            if code == 0 and self._is_light:
                sys.stdout.flush()
                sys.stderr.flush()
                line.send(DONE)
        except BaseException as error:  # a forked child must never return into the loop
            print(f"host failed: {error!r}", file=sys.stderr, flush=True)
        finally:
            leave(code)

    def _close(self) -> None:
        """Let go, in a child, of what is the zygote's own."""
        for key in self._selector.get_map().values():
            if isinstance(key.data, Host):
                key.data.line.close()
        self._selector.close()
        self._connection.close()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _hear(self, host: Host) -> None:
        """A host is done, or its line has closed because it ends."""
        is_done = False
        with suppress(OSError):
            is_done = host.line.recv(len(DONE)) == DONE
        self._selector.unregister(host.line)
        host.line.close()
        if is_done and host.pid in self._children:
            self._end(host.pid, 0)
            self._children[host.pid] = None

    def _reap(self) -> None:
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            if self._spare is not None and pid == self._spare.pid:
                self._spare.line.close()
                self._spare = None
            self._end(pid, os.waitstatus_to_exitcode(status))
            self._children.pop(pid, None)

    def _end(self, pid: int, code: int) -> None:
        """Kill what a host's module left behind, and report the end unless that is done."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        token = self._children.get(pid)
        if token is not None:
            self._say({"ended": token, "code": code})

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
    zygote = Zygote(connection, is_light=arguments.preload != "torch")
    zygote.preload(PRELOADS[arguments.preload])
    try:
        zygote.serve()
    finally:
        leave(0)


if __name__ == "__main__":
    main()
