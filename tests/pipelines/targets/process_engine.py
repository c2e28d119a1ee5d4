"""A compute engine whose machines are processes of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from pipelines.document.target_offer import TargetOffer
from pipelines.errors import RefusedError
from pipelines.sentences import targets as say
from pipelines.targets.agent_step import AgentStep
from pipelines.targets.engine import EngineSilentError, Job
from pipelines.targets.finding import Finding
from pipelines.targets.remote import RemoteTarget
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace
from tests.polling import wait_for


class Processes:
    """An engine whose machines are processes here; it can be unreachable, or refuse."""

    title = "the engine"
    gpus = 0
    interface: str | None = None
    lease_seconds = 0.0
    report_seconds = 60.0

    def __init__(self) -> None:
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.is_away = False
        self.cancelled: list[str] = []
        self.waiting: Job | None = None
        self.refusal: RefusedError | None = None

    def submit(self, name: str, spec: StepSpec) -> None:
        if self.waiting is not None:
            return
        command = [sys.executable, "-m", "pipelines.workers.agent", str(spec.spec_path)]
        environment = {**os.environ, "NODE": "0"}
        self.running[name] = subprocess.Popen([*command, "--rank-from", "NODE"], env=environment)

    def jobs(self, steps: Mapping[str, StepSpec]) -> Mapping[str, Job]:
        self._answer()
        if self.waiting is not None:
            return dict.fromkeys(steps, self.waiting)
        return {name: self._job(item) for name, item in self.running.items()}

    def _answer(self) -> None:
        if self.is_away:
            raise EngineSilentError
        if self.refusal is not None:
            raise self.refusal

    def _job(self, process: subprocess.Popen[bytes]) -> Job:
        return Job("running" if process.poll() is None else "ended")

    def cancel(self, name: str) -> None:
        self._answer()
        self.cancelled.append(name)
        if name in self.running:
            self.running[name].terminate()

    def check(self, folder: str) -> Iterator[Finding]:
        yield Finding.of("folder", say.FOLDER_SHARED, folder=folder)

    def end(self) -> None:
        for item in self.running.values():
            item.kill()
            item.wait()


def target_of(engine: Processes, folder: Path) -> RemoteTarget:
    """Return a target that runs steps by an engine in a new workspace."""
    return RemoteTarget(TargetOffer("cluster", "slurm"), engine, Workspace(folder).make())


def ended(step: AgentStep) -> None:
    """Wait for the end of a step."""
    wait_for(lambda: step.poll() is not None)
