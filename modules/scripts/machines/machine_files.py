"""The folder for messages between the machines of a script, shared or mirrored.

    <attempt>/machines/node-<k>.json        connection data of machine k, and its reserved ports
                       start-<k>-<n>.json   a process that machine k must start
                       end-<n>.json         how that process ended
                       signal-<n>-<s>       a signal to send to it
                       shell.json           the start of the shell commands that mpirun requests
                       gather-<a>           the processes of attempt a have ended
                       made-<k>.json        files of machine k that the leader needs, if they share
                                            no folder: paths below the attempt's
                       given-<k>-<a>        they are transferred, those of attempt a too
                       over                 the leader starts nothing more

The first machine is the leader, which decides and supervises; the others are followers, which start
what it requests. Values of secrets are in none of these files: each machine adds them itself.
"""

from __future__ import annotations

import math
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from modules.context import Context, Machine
from modules.files.json_files import JsonObject, read_if_valid, write_whole
from modules.scripts.environment_files import BootstrapSettings

POLL_SECONDS = 0.05
ENDS_SECONDS = 0.25
"""Seconds between two listings of the folder for ends of processes, for any number of them."""
OVER, SHELL, GATHER = "over", "shell.json", "gather-"


@dataclass(frozen=True)
class Reached:
    """Connection data of a machine, for the others."""

    address: str
    interface: str | None
    """Network interface of that address; None if it was not found."""
    network: str | None
    """Network of that address, such as ``10.0.0.0/24``."""
    ports: list[int]
    """Ports that it reserves for its own processes."""
    root: str = ""
    """Prefix of its paths, if the machines share no folder."""


def reached_at(machine: Machine, ports: list[int]) -> Reached:
    """Return the connection data of this machine, and its reserved ports."""
    return Reached(machine.address, machine.interface, machine.network, ports, machine.root)


@dataclass(frozen=True)
class Request:
    """A process that a machine must start."""

    argv: list[str]
    variables: dict[str, str]
    """Variables besides those that each machine adds: its environment, its GPUs, secrets."""
    folder: str
    log: str
    told: BootstrapSettings | None = None
    """Settings of the bootstrap."""
    attempt: int = 1
    """Attempt of the launch."""

    def moved(self, old: str, new: str) -> Request:
        """Return the same with paths in another folder."""
        return Request(**_moved(asdict(self), f"{old}/", f"{new}/"))


class MachineFiles:
    """The folder of one attempt."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._recent: set[str] = set()
        self._listed_at = -math.inf

    @classmethod
    def of(cls, context: Context) -> MachineFiles:
        """Return the folder of a step, created by the first machine that needs it."""
        folder = (context.attempt_dir or context.staging_dir) / "machines"
        folder.mkdir(parents=True, exist_ok=True)
        return cls(folder.absolute())

    def names(self) -> set[str]:
        """Return the current names: listing the folder makes NFS refresh its cache."""
        return set(os.listdir(self.folder))

    def tell_reached(self, node: int, reached: Reached) -> None:
        """Report how a machine is reached."""
        write_whole(self.folder / f"node-{node}.json", asdict(reached))

    def reached(self, node: int) -> Reached | None:
        """Return how a machine is reached; None before it has reported it."""
        content = self._read(f"node-{node}.json")
        return None if content is None else Reached(**content)

    def ask(self, node: int, number: str, request: Request) -> None:
        """Request a process from a machine."""
        write_whole(self.folder / f"start-{node}-{number}.json", asdict(request))

    def asked(self, node: int, names: set[str]) -> dict[str, Request]:
        """Return the requests to a machine, by number."""
        begin = f"start-{node}-"
        mine = (name for name in names if name.startswith(begin) and name.endswith(".json"))
        requests = {name: self._read(name) for name in sorted(mine)}
        return {
            name.removeprefix(begin).removesuffix(".json"): Request(**request)
            for name, request in requests.items()
            if request is not None
        }

    def tell_end(self, number: str, code: int) -> None:
        """Report how a process ended."""
        write_whole(self.folder / f"end-{number}.json", {"code": code})

    def end(self, number: str) -> int | None:
        """Return the exit code of a process; None before its end is known."""
        name = f"end-{number}.json"
        content = self._read(name) if name in self._names_of_late() else None
        return None if content is None else int(content["code"])

    def _names_of_late(self) -> set[str]:
        """Return recent names, with one listing for all callers."""
        now = time.monotonic()
        if now - self._listed_at >= ENDS_SECONDS:
            self._recent, self._listed_at = self.names(), now
        return self._recent

    def signal(self, number: str, signal_number: int) -> None:
        """Request a signal to a process."""
        (self.folder / f"signal-{number}-{signal_number}").touch()

    def gather(self, attempt: int) -> None:
        """Request the results of an attempt from the other machines."""
        (self.folder / f"{GATHER}{attempt}").touch()

    def tell_made(self, node: int, attempt: str, paths: list[str]) -> None:
        """Report the results of a machine for the leader, and then that they are transferred."""
        write_whole(self.folder / f"made-{node}.json", {"paths": paths})
        (self.folder / f"given-{node}-{attempt}").touch()

    def have_given(self, count: int, attempt: int) -> bool:
        """Return True if all followers have transferred the results of an attempt."""
        return {f"given-{node}-{attempt}" for node in range(1, count)} <= self.names()

    def write_shell(self, like: Request) -> None:
        """Write the start of the shell commands that mpirun requests."""
        write_whole(self.folder / SHELL, asdict(like))

    def close(self) -> None:
        """Report that nothing more will be started."""
        (self.folder / OVER).touch()

    def _read(self, name: str) -> JsonObject | None:
        return read_if_valid(self.folder / name)


def _moved(content: Any, old: str, new: str) -> Any:
    if isinstance(content, dict):
        return {key: _moved(item, old, new) for key, item in content.items()}
    if isinstance(content, list):
        return [_moved(item, old, new) for item in content]
    return content.replace(old, new) if isinstance(content, str) else content
