"""The runner's side of its zygotes: started when needed, asked for forks, heard when hosts end."""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modules.spec import Preload
from pipelines.workers.orphans import MARK

TORCH_ENVIRONMENT = {
    # glibc keeps freed blocks instead of unmapping them: +10-15 % training, 2.3x eager scoring
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "17179869184",
    "MALLOC_TOP_PAD_": "67108864",
    # GNU OpenMP's threads may spin for a few milliseconds at a barrier before they sleep: alone
    # 1.2 to 1.4 times as fast as after 1,000 spins. modules/compute/openmp_spin.py sees to it that
    # they spin briefly while others want the cores.
    "GOMP_SPINCOUNT": "100000",
}
"""Set before torch is loaded; the measurements behind them are those of the speed notes."""


@dataclass(frozen=True)
class Ended:
    """A host has ended: exit code, minus the signal, or None when nobody could tell."""

    token: str
    code: int | None


@dataclass(frozen=True)
class Started:
    """A host was forked."""

    token: str
    pid: int


class Zygote:
    """One zygote process and the hosts forked from it."""

    def __init__(self, preload: Preload, *, log_path: Path, mark: str = "") -> None:
        """``mark`` tells whatever comes of it as a workspace's own."""
        ours, theirs = socket.socketpair()
        arguments = [
            sys.executable,
            "-m",
            "pipelines.workers.fork_server",
            "--socket",
            str(theirs.fileno()),
        ]
        environment = {**os.environ, MARK: mark}
        arguments += ["--preload", preload]
        if preload == "torch":
            environment = {**TORCH_ENVIRONMENT, **environment}
        with log_path.open("ab") as log:
            self.process = subprocess.Popen(
                arguments,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
            )
        theirs.close()
        self.connection = ours
        self.is_open = True
        self._buffer = b""
        self._tokens: set[str] = set()

    def start(
        self, token: str, spec_path: Path, node_rank: int, **module: dict[str, Any] | str
    ) -> None:
        """Ask for a host; ``Started`` and ``Ended`` messages follow under the same token.

        ``module`` may say what it will run (``origin``, ``module``), to be kept for later hosts.
        """
        self._tokens.add(token)
        request = {"start": token, "spec": str(spec_path), "node_rank": node_rank, **module}
        try:
            self.connection.sendall(json.dumps(request).encode() + b"\n")
        except OSError:
            self.is_open = False

    def messages(self) -> Iterator[Started | Ended]:
        """What has arrived; a zygote that died ends all its hosts."""
        try:
            received = self.connection.recv(65_536, socket.MSG_DONTWAIT)
            self.is_open = self.is_open and bool(received)
        except BlockingIOError:
            received = b""
        except OSError:
            received, self.is_open = b"", False
        *lines, self._buffer = (self._buffer + received).split(b"\n")
        for line in lines:
            yield from self._parse(json.loads(line))
        if not self.is_open:
            lost, self._tokens = self._tokens, set()
            yield from (Ended(token, None) for token in lost)

    def _parse(self, message: dict[str, Any]) -> Iterator[Started | Ended]:
        if "started" in message:
            yield Started(message["started"], message["pid"])
        elif "ended" in message:
            self._tokens.discard(message["ended"])
            yield Ended(message["ended"], message["code"])

    def stop(self) -> None:
        """End it; its hosts end with it."""
        self.connection.close()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Zygotes:
    """One zygote for each thing to preload, started at its first use and again after a death."""

    def __init__(self, log_path: Path, mark: str = "") -> None:
        self._log_path = log_path
        self._mark = mark
        self._by_kind: dict[Preload, Zygote] = {}
        self._selector = selectors.DefaultSelector()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        self._selector.register(self._wake_read, selectors.EVENT_READ, None)
        self._unheard: deque[Started | Ended] = deque()

    def get(self, preload: Preload) -> Zygote:
        """The zygote that holds this; the less it holds, the quicker its forks."""
        zygote = self._by_kind.get(preload)
        if zygote is None or not zygote.is_open:
            zygote = Zygote(preload, log_path=self._log_path, mark=self._mark)
            self._by_kind[preload] = zygote
            self._selector.register(zygote.connection, selectors.EVENT_READ, preload)
        return zygote

    def wait(self, timeout_seconds: float) -> list[Started | Ended]:
        """Messages of all zygotes, waiting a little for the first."""
        for key, _ in self._selector.select(timeout_seconds):
            if key.data is None:
                os.read(self._wake_read, 4096)
                continue
            zygote = self._by_kind[key.data]
            self._unheard.extend(zygote.messages())
            if not zygote.is_open:
                self._selector.unregister(zygote.connection)
                del self._by_kind[key.data]
                zygote.stop()
        messages = list(self._unheard)
        self._unheard.clear()
        return messages

    def wake(self) -> None:
        """End a wait at once; for other threads."""
        with suppress(OSError):  # full of wakes that were not heard yet, or closed by now
            os.write(self._wake_write, b"w")

    def stop(self) -> None:
        """End every zygote and with them every host."""
        for zygote in self._by_kind.values():
            zygote.stop()
        self._by_kind.clear()
        self._selector.close()
        for descriptor in (self._wake_read, self._wake_write):
            os.close(descriptor)
