"""Starting sweeps, waiting for their ends, and what their trials became."""

from __future__ import annotations

from typing import Any

from modules.catalog import Catalog
from pipelines.document.checks.sweep import sweep_problems
from pipelines.runs.run_service import RunService
from pipelines.store.database.run_options import RunOptions
from pipelines.sweeps.sweeps import Sweep, Sweeps
from tests.pipelines.sweeps.conftest import CATALOG, curve
from tests.polling import wait_for


def started(runs: RunService, sweep: dict[str, Any], **parameters: Any) -> Sweep:
    return Sweeps(runs).start(curve(sweep, **parameters), RunOptions(), None)


def ended(runs: RunService, sweep: Sweep) -> Sweep:
    def state() -> Sweep | None:
        runs.runner.refresh()
        current = Sweeps(runs).find(sweep.id)
        return None if current.is_active else current

    return wait_for(state)


def numbers_run(runs: RunService, sweep: Sweep) -> list[int]:
    """The numbers of all runs that a sweep has ever started."""
    options = [record.options.sweep for record in runs.store.newest(limit=1000)]
    return sorted(own["number"] for own in options if own and own["id"] == sweep.id)


def objectives(sweep: Sweep) -> list[float | None]:
    return [trial.objective for trial in sweep.trials]


def states(sweep: Sweep) -> list[str]:
    return [trial.state for trial in sweep.trials]


def problems(sweep: dict[str, Any], catalog: Catalog = CATALOG, **parameters: Any) -> list[str]:
    return [problem.message for problem in sweep_problems(curve(sweep, **parameters), catalog)]
