"""Process that fires schedules, keeps endpoints and drives sweeps; the runner restarts it.

``python -m pipelines.automation.process --workspace DIR``.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import time

from modules.operating_system.parent_death import die_with_parent
from modules.operating_system.signals import ignore_interrupts
from pipelines.automation.endpoint_keeper import EndpointKeeper
from pipelines.automation.scheduler import Scheduler
from pipelines.errors import DatabaseAwayError, WorkspaceGoneError
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.database.change_watch import ChangeWatch
from pipelines.store.database.connections import Database
from pipelines.sweeps.driver import SweepDriver
from pipelines.targets.compute_targets import ComputeTargets
from pipelines.validation.workspace_checks import WorkspaceChecks
from pipelines.workspace import Workspace

logger = logging.getLogger(__name__)

TICK_SECONDS = 1.0
SWEEP_TICK_SECONDS = 0.03
"""Interval of looks for ended trials; a look without a change in the database is cheap."""


class AutomationProcess:
    """Loop over the schedules, endpoints and sweeps of a workspace until it is asked to stop."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.stopping = False
        self._database = Database.open(workspace)
        artifacts = ArtifactStore(workspace, self._database)
        checks = WorkspaceChecks(workspace, artifacts, ComputeTargets(self._database))
        self._runs = RunService(workspace, artifacts, checks)
        self._scheduler = Scheduler(self._runs)
        self._endpoints = EndpointKeeper(workspace, self._database)
        self._sweeps = SweepDriver(self._runs)
        self._watch = ChangeWatch(self._database)
        self._next_tick = 0.0

    def run(self) -> None:
        """Work until asked to stop or the workspace is removed."""
        was_away, is_sweeping = False, True
        while not self.stopping:
            try:
                is_sweeping = self._tick(is_sweeping)
                was_away = False
            except WorkspaceGoneError:
                break
            except DatabaseAwayError as error:
                if not was_away:
                    logger.warning("%s", error)
                was_away = True
                self._next_tick, is_sweeping = 0.0, False
            time.sleep(SWEEP_TICK_SECONDS if is_sweeping else TICK_SECONDS)
        self._endpoints.close()
        self._watch.close()
        self._database.close()

    def _tick(self, was_sweeping: bool) -> bool:
        """Do what is due; return True if a sweep is active."""
        now = time.monotonic()
        is_due = now >= self._next_tick
        if is_due:
            self.workspace.require()
            self._endpoints.tick()
            self._scheduler.tick()
            self._next_tick = now + TICK_SECONDS
        # also once a second without a change: limits of time and pauses after errors
        if self._watch.changed() or is_due:
            return self._sweeps.tick()
        return was_sweeping


def main() -> None:
    """Run as the automation process of a workspace."""
    die_with_parent(os.getppid(), signal.SIGTERM)
    parser = argparse.ArgumentParser(prog="pipelines.automation.process")
    parser.add_argument("--workspace", required=True)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    process = AutomationProcess(Workspace.at(arguments.workspace))

    def stop(*_: object) -> None:
        process.stopping = True

    signal.signal(signal.SIGTERM, stop)
    ignore_interrupts()
    process.run()


if __name__ == "__main__":
    main()
