"""Files through which the agents of a step and its runner communicate.

    attempt-<n>/agents/order.json           versions to compare and settings to use
                       machines.json        machines of the step, if the runner chooses them
                       lease                touched by the runner, if agents need a lease
                       held-<k>             node k has locked its machine
                       node-<k>.json        facts of node k
                       agreement.json       all nodes are compatible: hosts may start
                       meeting.json         address of the rendezvous
                       alive-<k>            heartbeat of the agent of node k
                       end-<k>.json         exit code of node k's host
                       over                 the attempt is abandoned: every agent ends

The folder is shared by all nodes or mirrored to each.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from modules.files.json_files import JsonObject, read_if_valid, write_whole

HEARTBEAT_INTERVAL_SECONDS = 2.0
REPORT_TIMEOUT_SECONDS = 120.0
"""Timeout for the machines of a step, which their engine allocates together, to report."""
HEARTBEAT_TIMEOUT_SECONDS = 15.0
"""A node whose agent has sent no heartbeat for this long is lost."""
LONGEST_INTERVAL_SECONDS = 2.0
"""Upper limit of the silence counted between two checks: the folder itself may have hung."""


class NodeFacts(TypedDict):
    """Facts of a node, which it writes for the others."""

    host: str
    pid: int
    networks: dict[str, str]
    """Its external IPv4 networks: interface to ``address/bits``."""
    cores: int
    gpus: int
    time: float
    software: dict[str, str]
    lack: dict[str, str] | None
    """Reason why its local folder cannot be used: ``folder`` and ``why``."""
    skew: NotRequired[float]
    """Seconds that its clock is ahead of the shared folder's; added by ``AgentFiles.node``."""


@dataclass(frozen=True)
class Order:
    """Order to the agents of an attempt, in addition to the step's specification."""

    software: dict[str, str]
    """Required versions by package name, equal on every node."""
    preload: str = "nothing"
    gpus: int = 0
    """Required GPUs of each node."""
    interface: str | None = None
    secrets: list[str] = field(default_factory=list)
    """Names of secrets: their values are read from the workspace."""
    workspace: str = ""
    lease_seconds: float = 0.0
    """The agents end after this time without a runner; 0: something else ends them."""
    report_seconds: float = REPORT_TIMEOUT_SECONDS
    """Timeout of the first node for the facts of all others."""


class AgentFiles:
    """Files of the agents of one attempt."""

    def __init__(self, attempt_dir: Path) -> None:
        self.folder = attempt_dir / "agents"
        self._seen = {"order.json"}
        self.is_unreachable: Callable[[], bool] = bool
        """Predicate: other nodes' files cannot be read now; their silence does not count."""

    def create(self, order: Order) -> None:
        """Create the folder and write the order."""
        self.folder.mkdir(exist_ok=True)
        write_whole(self.folder / "order.json", asdict(order))

    def order(self) -> Order:
        """Return the order. Raises ``OSError`` if there is none."""
        facts = read_if_valid(self.folder / "order.json")
        if facts is None:
            raise FileNotFoundError(self.folder / "order.json")
        return Order(**facts)

    def names(self) -> set[str]:
        """Return the names of the files that exist; listing the folder makes NFS refresh its cache.

        Empty if the folder was removed; the last known names if it cannot be read.
        """
        try:
            self._seen = set(os.listdir(self.folder))
        except FileNotFoundError:
            return set()
        except OSError:
            pass
        return self._seen

    def read(self, name: str) -> JsonObject | None:
        """Return the content of a JSON file; None if it does not exist yet."""
        return read_if_valid(self.folder / name)

    def node(self, rank: int) -> NodeFacts | None:
        """Return the facts of a node with ``skew``, the seconds that its clock is ahead of this
        folder's; None if it has not reported.
        """
        name = f"node-{rank}.json"
        facts = self.read(name)
        if facts is None:
            return None
        skew = facts["time"] - (self.folder / name).stat().st_mtime
        return cast("NodeFacts", {**facts, "skew": skew})

    def write(self, name: str, content: Mapping[str, object]) -> None:
        """Write a file atomically."""
        write_whole(self.folder / name, content)

    def beat(self, node_rank: int) -> None:
        """Touch this node's heartbeat file; ignore a full disk."""
        path = self.folder / f"alive-{node_rank}"
        with suppress(OSError):
            path.touch()

    def renew_lease(self) -> None:
        """Renew the runner's lease on the step."""
        with suppress(OSError):
            (self.folder / "lease").touch()

    def last_touch(self, name: str) -> int | None:
        """Return a value that changes with each touch of a file; None before the first."""
        try:
            return os.stat(self.folder / name).st_mtime_ns
        except OSError:
            return None

    def ends(self, names: Iterable[str]) -> dict[int, int | None]:
        """Return the exit codes of those nodes in ``names`` that have ended."""
        ended = [name for name in names if name.startswith("end-") and name.endswith(".json")]
        return {int(name[4:-5]): (self.read(name) or {}).get("code") for name in ended}


@dataclass
class Silence:
    """Time since a file was last touched, measured by the observer's clock."""

    files: AgentFiles
    name: str
    seconds: float = 0.0
    was_heard: bool = False
    _last: int | None = None

    def listen(self, passed: float) -> float:
        """Return the duration of the silence, given the seconds since the last check."""
        last = self.files.last_touch(self.name)
        is_same = last is None or last == self._last
        self.seconds = self.seconds + passed if is_same else 0.0
        if last is not None:
            self._last, self.was_heard = last, True
        return self.seconds


class Heartbeats:
    """Heartbeats of other nodes, timed by the observer's clock."""

    def __init__(self, files: AgentFiles, nodes: Iterable[int]) -> None:
        self._files = files
        self._nodes = {node: Silence(files, f"alive-{node}") for node in nodes}
        self._clock = _Clock()

    def silent(self, ended: Iterable[int] = ()) -> int | None:
        """Return a node whose heartbeat has timed out; nodes that have ended do not count."""
        passed, ended_nodes = self._clock.passed(), set(ended)
        if self._files.is_unreachable():
            passed = 0.0
        for node, silence in self._nodes.items():
            is_long = silence.listen(passed) > HEARTBEAT_TIMEOUT_SECONDS
            if is_long and silence.was_heard and node not in ended_nodes:
                return node
        return None


class Lease:
    """Lease by which a runner keeps a step alive, timed by the node's clock."""

    def __init__(self, files: AgentFiles, seconds: float, name: str = "lease") -> None:
        self._longest = seconds
        self._silence = Silence(files, name)
        self._clock = _Clock()

    def has_ended(self) -> bool:
        """Return whether the lease has expired; a lease of 0 seconds never does."""
        return 0 < self._longest < self._silence.listen(self._clock.passed())


class _Clock:
    def __init__(self) -> None:
        self._observed = time.monotonic()

    def passed(self) -> float:
        """Return the seconds since the last call, up to ``LONGEST_INTERVAL_SECONDS``."""
        now = time.monotonic()
        passed, self._observed = min(now - self._observed, LONGEST_INTERVAL_SECONDS), now
        return passed


def end_agents(attempt_dir: Path) -> None:
    """Abandon an attempt: its agents end within seconds, and late ones at once."""
    folder = AgentFiles(attempt_dir).folder
    with suppress(OSError):  # the run was deleted or the disk is full: the engine ends them
        folder.mkdir(exist_ok=True)
        (folder / "over").touch()
