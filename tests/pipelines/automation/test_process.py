"""A real runner keeps the process that fires schedules, and is kept by it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import psutil
import pytest

from modules.operating_system.signals import KILL
from pipelines.automation.schedules import Schedules
from pipelines.automation.settings import ScheduleSettings
from pipelines.execution.automation import PROGRAM
from pipelines.execution.runner_lock import current_runner
from pipelines.registry.published import PublishedPipelines
from pipelines.runs.run_service import RunService
from pipelines.store.database.schedules import ScheduleStore
from pipelines.store.database.tables import schedules as rows
from tests import toy
from tests.pipelines.runs.published import with_parameter
from tests.polling import wait_for
from tests.workspaces import made_place, opened


@pytest.fixture
def runs() -> Iterator[RunService]:
    with made_place() as place:
        toy.install(place.make().modules_dir)
        with opened(place) as service:
            PublishedPipelines(service.database).publish(
                "nightly", with_parameter(), service.checks.problems
            )
            yield service


def automation(runs: RunService) -> list[psutil.Process]:
    """The processes that fire the schedules of this workspace."""
    processes = []
    for process in psutil.process_iter(["cmdline"]):
        line = process.info["cmdline"] or []
        if PROGRAM in line and str(runs.workspace.root) in line:
            processes.append(process)
    return processes


def overdue(runs: RunService, name: str) -> None:
    """Make a schedule look as if a minute had passed without anybody."""
    store = ScheduleStore(runs.database)
    with runs.database.transaction() as connection:
        connection.execute(
            rows.update()
            .where(rows.c.name == name)
            .values(created=time.time() - 90, state={"handled": time.time() - 90})
        )
    assert store.get(name) is not None


@pytest.mark.extended
def test_a_schedule_fires_and_survives_the_kill_of_all_processes(runs: RunService) -> None:
    schedules = Schedules(runs)
    schedules.add("s", ScheduleSettings(published="nightly", every_minutes=1440))
    wait_for(lambda: len(automation(runs)) == 1)
    schedules.store.delete("s")
    schedules.add("s", ScheduleSettings(published="nightly", every_minutes=1))
    overdue(runs, "s")
    wait_for(lambda: [f.status for f in schedules.find("s").firings] == ["ended"])
    # only the process: the runner starts it again
    [process] = automation(runs)
    process.kill()
    wait_for(lambda: [p.pid for p in automation(runs)] not in ([], [process.pid]))
    # the runner: its child ends with it, and the next command starts both
    info = current_runner(runs.workspace)
    assert info is not None
    info.identity.signal(KILL)
    wait_for(lambda: not automation(runs))
    runs.runner.refresh()
    wait_for(lambda: len(automation(runs)) == 1)
    schedules.remove("s")
    wait_for(lambda: not automation(runs))
    assert current_runner(runs.workspace) is not None
    assert len(runs.store.newest()) == 1
