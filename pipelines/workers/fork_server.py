"""The zygote: imports what modules need once, then forks a module host for each step.

Unless it holds torch, it forks the next host before it is needed: a spare, which loads the code of
the last step and waits for what to run. One that has loaded a user's file is for that file's steps
only, and no such file is ever loaded in the zygote itself. A light host says when all is done and
written, and is ended then: what it takes a process to end, which is longer than many a step, delays
nothing. (With torch the end itself matters: only then is the memory of a GPU free.)

``python -m pipelines.workers.fork_server --socket FD --preload WHAT``, started by the runner and
ended with it. It only imports: a child forked after any computation of OpenMP would hang, and one
forked after a touch of CUDA could not use it.

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
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from modules.loading import Origin
from modules.spec import Preload
from pipelines.workers.orphans import adopt_orphans, end_children
from pipelines.workers.processes import die_with_parent
from pipelines.workers.step_host import leave, rehearse, run_host

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


class Rehearsal(NamedTuple):
    """The step that a spare expects to run again."""

    spec_path: Path
    origin: Origin
    module_id: str

    def suits(self, origin: dict[str, Any] | None) -> bool:
        """True where a host that has loaded this one's code may run that of another origin."""
        return self.origin.kind == "import" or self.origin.to_json() == origin


class Zygote:
    """Forks hosts and reports their ends."""

    def __init__(self, connection: socket.socket, *, is_light: bool) -> None:
        self._connection = connection
        self._is_light = is_light
        self._unread = b""
        self._children: dict[int, str | None] = {}
        """The tokens of those not yet reaped; None where the end was reported already."""
        self._spare: Host | None = None
        self._rehearsal: Rehearsal | None = None
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
                        self._spare = self._fork(self._rehearsal)
                elif key.fileobj is self._wake_read:
                    os.read(self._wake_read, 4096)
                    self._reap()
                else:
                    self._hear(key.data)

    def _start(self, request: dict[str, Any]) -> None:
        origin = request.get("origin")
        if self._spare is not None and self._rehearsal and not self._rehearsal.suits(origin):
            self._dismiss(self._spare)
        host = self._spare or self._fork()
        self._spare = None
        self._children[host.pid] = request["start"]
        with suppress(OSError):  # it was killed: reaped below
            host.line.sendall(json.dumps(request).encode() + b"\n")
        self._selector.register(host.line, selectors.EVENT_READ, host)
        self._say({"started": request["start"], "pid": host.pid})
        self._rehearsal = None
        if origin is not None and self._is_light:
            self._rehearsal = Rehearsal(Path(request["spec"]), Origin(**origin), request["module"])

    def _dismiss(self, spare: Host) -> None:
        """End a spare that cannot be used; it is reaped like any host."""
        self._spare = None
        self._children[spare.pid] = None
        spare.line.close()
        with suppress(ProcessLookupError):
            os.kill(spare.pid, signal.SIGKILL)

    def _fork(self, rehearsal: Rehearsal | None = None) -> Host:
        """A host that waits for what to run; its line closes unused when it is not needed."""
        zygote = os.getpid()
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            ours.close()
            self._become_host(zygote, theirs, rehearsal)
        theirs.close()
        return Host(pid, ours)

    def _become_host(
        self, zygote: int, line: socket.socket, rehearsal: Rehearsal | None
    ) -> NoReturn:
        code = 1
        try:
            die_with_parent(zygote)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            adopt_orphans()
            self._close()
            if rehearsal is not None:
                rehearse(*rehearsal)
            with line.makefile() as file:
                request = json.loads(file.readline())
            code = run_host(Path(request["spec"]), request["node_rank"])
            end_children()
            if code == 0 and self._is_light:
                sys.stdout.flush()
                sys.stderr.flush()
                line.send(DONE)
        except BaseException as error:  # a forked child must never return into the loop
            print(f"host failed: {error!r}", file=sys.stderr, flush=True)
            end_children()
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
        ended = dict(self._ended())
        spare = [self._spare.pid] if self._spare else []
        end_children(keep={*self._children, *spare} - ended.keys())  # orphans of a killed host
        for pid, status in ended.items():
            if self._spare is not None and pid == self._spare.pid:
                self._spare.line.close()
                self._spare = None
            self._end(pid, os.waitstatus_to_exitcode(status))
            self._children.pop(pid, None)

    @staticmethod
    def _ended() -> Iterator[tuple[int, int]]:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG)) != (0, 0):
                yield ended

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
    parser = argparse.ArgumentParser(prog="pipelines.workers.fork_server")
    parser.add_argument("--socket", type=int, required=True)
    parser.add_argument("--preload", choices=PRELOADS, required=True)
    arguments = parser.parse_args()
    die_with_parent(os.getppid())
    adopt_orphans()
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
