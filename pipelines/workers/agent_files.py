"""The files by which the agents of a step, and who follows them, know of each other.

    attempt-<n>/agents/order.json           what the agents are to compare and to use
                       machines.json        where they are to run, if the runner decides that
                       lease                touched by the runner where they need one
                       held-<k>             node k has its machine for itself
                       node-<k>.json        what node k is and has
                       agreement.json       all nodes fit: hosts may start
                       meeting.json         where ranks meet
                       alive-<k>            touched while the agent of node k lives
                       end-<k>.json         the exit code of node k's host
                       over                 the attempt is given up: whoever sees it ends

They lie in a folder that all nodes share, or that is mirrored to each.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from modules.files.json_files import read_if_valid, write_whole

BEAT_SECONDS = 2.0
REPORT_SECONDS = 120.0
"""In which the machines of a step come together that their engine has given at once."""
SILENT_SECONDS = 15.0
"""A node whose agent has not beaten for so long is lost."""
LONGEST_INTERVAL_SECONDS = 2.0
"""Of the time between two looks no more counts as silence: the folder itself may have hung."""


@dataclass(frozen=True)
class Order:
    """What agents are told beside the step's specification."""

    software: dict[str, str]
    """Versions that each node must have."""
    preload: str = "nothing"
    gpus: int = 0
    """That each node must have."""
    interface: str | None = None
    secrets: list[str] = field(default_factory=list)
    """Names: the values are read where the workspace keeps them."""
    workspace: str = ""
    lease_seconds: float = 0.0
    """Without a sign of the runner for so long the agents end; 0: something else sees to them."""
    report_seconds: float = REPORT_SECONDS
    """For how long the first node waits for the facts of all others."""


class AgentFiles:
    """The folder of one attempt."""

    def __init__(self, attempt_dir: Path) -> None:
        self.folder = attempt_dir / "agents"
        self._seen = {"order.json"}
        self.is_deaf: Callable[[], bool] = bool
        """Whether what others write is not seen just now: their silence does not count then."""

    def begin(self, order: Order) -> None:
        """Make the folder, with the order."""
        self.folder.mkdir(exist_ok=True)
        write_whole(self.folder / "order.json", asdict(order))

    def order(self) -> Order:
        """What was ordered. Raises ``OSError`` where there is nothing."""
        found = read_if_valid(self.folder / "order.json")
        if found is None:
            raise FileNotFoundError(self.folder / "order.json")
        return Order(**found)

    def names(self) -> set[str]:
        """What there is now: reading the folder is what makes NFS look anew.

        Empty where the folder is gone; what was there last where it cannot be read just now.
        """
        try:
            self._seen = set(os.listdir(self.folder))
        except FileNotFoundError:
            return set()
        except OSError:
            pass
        return self._seen

    def read(self, name: str) -> dict[str, Any] | None:
        """A file of JSON; None where it is not there yet."""
        return read_if_valid(self.folder / name)

    def node(self, rank: int) -> dict[str, Any] | None:
        """What a node is, and ``skew``: by how many seconds its clock is ahead of this folder's;
        None before it has said so."""
        name = f"node-{rank}.json"
        facts = self.read(name)
        if facts is None:
            return None
        return {**facts, "skew": facts["time"] - (self.folder / name).stat().st_mtime}

    def write(self, name: str, content: dict[str, Any]) -> None:
        """Make a file that nobody reads half of."""
        write_whole(self.folder / name, content)

    def beat(self, node_rank: int) -> None:
        """Say that a node lives; a full disk does not matter to that."""
        path = self.folder / f"alive-{node_rank}"
        with suppress(OSError):
            path.touch()

    def renew_lease(self) -> None:
        """Say that the runner still wants the step."""
        with suppress(OSError):
            (self.folder / "lease").touch()

    def last_touch(self, name: str) -> int | None:
        """Something that changes whenever a file is touched; None before the first time."""
        try:
            return os.stat(self.folder / name).st_mtime_ns
        except OSError:
            return None

    def ends(self, names: Iterable[str]) -> dict[int, int | None]:
        """Of ``names`` those of nodes that have ended, and their exit codes."""
        ended = [name for name in names if name.startswith("end-") and name.endswith(".json")]
        return {int(name[4:-5]): (self.read(name) or {}).get("code") for name in ended}


@dataclass
class Silence:
    """For how long a file has not been touched, by the clock of who looks at it."""

    files: AgentFiles
    name: str
    seconds: float = 0.0
    was_heard: bool = False
    _last: int | None = None

    def listen(self, passed: float) -> float:
        """How long it has lasted, so many seconds after the last look."""
        last = self.files.last_touch(self.name)
        is_same = last is None or last == self._last
        self.seconds = self.seconds + passed if is_same else 0.0
        if last is not None:
            self._last, self.was_heard = last, True
        return self.seconds


class Heartbeats:
    """Which nodes have fallen silent, by the clock of who listens."""

    def __init__(self, files: AgentFiles, nodes: Iterable[int]) -> None:
        self._files = files
        self._nodes = {node: Silence(files, f"alive-{node}") for node in nodes}
        self._clock = _Clock()

    def silent(self, ended: Iterable[int] = ()) -> int | None:
        """A node that has beaten once, and then not for too long; those that ended are not."""
        passed, gone = self._clock.passed(), set(ended)
        if self._files.is_deaf():
            passed = 0.0
        for node, silence in self._nodes.items():
            is_long = silence.listen(passed) > SILENT_SECONDS
            if is_long and silence.was_heard and node not in gone:
                return node
        return None


class Lease:
    """Whether a runner still wants a step, by the clock of a node."""

    def __init__(self, files: AgentFiles, seconds: float, name: str = "lease") -> None:
        self._longest = seconds
        self._silence = Silence(files, name)
        self._clock = _Clock()

    def has_ended(self) -> bool:
        """True once it has not been renewed for as long as it lasts; 0 seconds last for ever."""
        return 0 < self._longest < self._silence.listen(self._clock.passed())


class _Clock:
    def __init__(self) -> None:
        self._observed = time.monotonic()

    def passed(self) -> float:
        """Seconds since the last call, as far as they count."""
        now = time.monotonic()
        passed, self._observed = min(now - self._observed, LONGEST_INTERVAL_SECONDS), now
        return passed


def end_agents(attempt_dir: Path) -> None:
    """Give an attempt up: its agents end within seconds, and those that come later at once."""
    folder = AgentFiles(attempt_dir).folder
    with suppress(OSError):  # the run is gone, or there is no room: its engine ends them then
        folder.mkdir(exist_ok=True)
        (folder / "over").touch()
