"""Who takes part in the training benchmarks, and what a training of each is started with."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from subprocess import Popen
from sys import executable
from typing import Any

from benchmarks.harness import Contender, Report, Sample
from benchmarks.peers.training import Work
from benchmarks.processes import ScriptFacts, run_ours, run_peer, run_plain
from pipelines.workers.preloads import TORCH_ENVIRONMENT

OURS, PLAIN, STEPS = "Pipeline Designer", "torchvision's loop", "steps on images in memory"
PEERS = {
    "timm": "timm",
    "lightning": "Lightning",
    "fastai": "fastai",
    "ultralytics": "Ultralytics",
}
RANKS = f"{OURS}, 2 ranks"
ADVISED = ", our environment"
"""Behind the name of a peer that is given the variables that this project sets for itself."""

Start = Callable[..., ScriptFacts]


@dataclass
class Trainings:
    """Trainings of the same work, each in a process and a folder of its own."""

    work: Work
    report: Report
    first_seed: int = 0
    rounds: dict[str, int] = field(default_factory=dict)
    """The seed of each contender's next training."""

    def __post_init__(self) -> None:
        self._numbers = itertools.count()

    def run(
        self,
        name: str,
        start: Start,
        script: str,
        environment: Mapping[str, str] | None = None,
        **changes: Any,
    ) -> ScriptFacts:
        """The facts of one training; its seed is the round that it belongs to."""
        seed = self.rounds.get(name, self.first_seed)
        self.rounds[name] = seed + 1
        folder = self.work.folder / f"{script}-{next(self._numbers)}"
        work = replace(self.work, folder=folder, seed=seed, **changes)
        more = {} if environment is None else {"environment": environment}
        facts = start(script, *work.to_arguments(), **more)
        shutil.rmtree(folder)
        self.report.note_versions(facts)
        return facts

    def ours(self, columns: Mapping[str, str], script: str = "ours_training") -> Contender:
        """This project's; ``columns`` gives the fact in each column of the table."""
        return self._contender(OURS, columns, run_ours, script)

    def steps(self, columns: Mapping[str, str], name: str = STEPS, **changes: Any) -> Contender:
        """Steps without reading: what no way of reading can exceed."""
        return self._contender(name, columns, run_ours, "ours_steps", **changes)

    def ranks(self, columns: Mapping[str, str]) -> Contender:
        """This project's, in two processes of a thread each that average their gradients."""
        return self._contender(RANKS, columns, run_ours, "ours_ranks")

    def plain(self, columns: Mapping[str, str]) -> Contender:
        """The loop that needs torch and torchvision alone."""
        return self.script(PLAIN, "train_torchvision", columns)

    def peer(self, peer: str, columns: Mapping[str, str]) -> Contender:
        """One of ``PEERS``."""
        return self.script(PEERS[peer], f"train_{peer}", columns, is_peer=True)

    def script(
        self, name: str, script: str, columns: Mapping[str, str], *, is_peer: bool = False
    ) -> Contender:
        """A script of ``benchmarks.peers``, in ``.venv-bench`` where it ``is_peer``'s."""
        return self._contender(name, columns, run_peer if is_peer else run_plain, script)

    def advised(self, columns: Mapping[str, str]) -> Contender:
        """The loop of a user who knows the allocator and the threads, and reads without workers."""
        return self._contender(
            PLAIN + ADVISED,
            columns,
            run_plain,
            "train_torchvision",
            environment=TORCH_ENVIRONMENT,
            workers=0,
        )

    def _contender(
        self, name: str, columns: Mapping[str, str], start: Start, script: str, **more: Any
    ) -> Contender:
        def measure() -> Sample:
            facts = self.run(name, start, script, **more)
            return {column: float(facts[fact]) for column, fact in columns.items() if fact in facts}

        return Contender(name, measure)


@contextmanager
def busy_cores(num_processes: int) -> Iterator[None]:
    """So many other processes that compute without a pause, for as long as the block runs."""
    with ExitStack() as stack:
        for _ in range(num_processes):
            process = stack.enter_context(Popen([executable, "-c", "while True: pass"]))
            stack.callback(process.kill)
        yield
