"""The forecast of a pipeline in a workspace: what its store already holds is taken into account."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from modules.context import Context
from modules.errors import ModuleError
from modules.parameters import Parameters
from modules.spec import Module
from pipelines.document import PipelineDocument
from pipelines.experience import Experience
from pipelines.forecast import MachineRate, default_rate, forecast
from pipelines.plan import Step, make_plan
from pipelines.problems import PipelineError, Problem
from pipelines.runs import Runs
from pipelines.store.measurements import past_steps
from pipelines.targets.machine import num_cores


def foresee(
    runs: Runs, document: PipelineDocument, allowed_roots: Sequence[Path] | None = None
) -> dict[str, Any]:
    """The JSON object of ``pipelines.forecast.forecast``, reused nodes and their times known.

    Nothing outside ``allowed_roots`` is looked at. Raises ``PipelineError`` when the document
    cannot be run.
    """
    problems = [each for each in runs.problems(document) if each.severity == "error"]
    if problems:
        raise PipelineError(problems)
    context = runs.reading_context(allowed_roots)
    steps = _steps(runs, document, context)
    kept = {node: each for node, step in steps.items() if (each := _kept(runs, step)) is not None}
    return forecast(
        document,
        runs.catalog,
        context,
        reused=[node for node in kept if not steps[node].forced],
        measured={node: seconds for node, seconds in kept.items() if seconds is not None},
        experience=Experience(past_steps(runs.database)),
        rate=_rate(),
    )


def _steps(runs: Runs, document: PipelineDocument, context: Context) -> dict[str, Step]:
    def fingerprint(node: str, module: Module, parameters: Parameters) -> str:
        assert module.fingerprint is not None
        try:
            return module.fingerprint(parameters, context)
        except ModuleError as error:
            raise PipelineError([Problem.from_error(error, node)]) from None

    return make_plan(document, runs.catalog, fingerprint)


def _kept(runs: Runs, step: Step) -> float | None:
    """The seconds a step took when its output was made; None when it is not in the store."""
    found = runs.artifacts.find(step.key)
    made_by = found and runs.store.state_of_step(found.run_id, found.node)
    return (made_by.seconds or 0.0) if made_by else None


def _rate() -> MachineRate:
    return default_rate(num_cores())
