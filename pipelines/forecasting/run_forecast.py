"""Estimate of a pipeline in a workspace, based on the contents of its store.

After a run, the estimate is compared with its duration.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from modules.context import Context
from modules.errors import ModuleError
from modules.forecast import StepForecast
from modules.operating_system.machine import busy_share, gpu_names, num_cores
from modules.parameters import Parameters
from modules.spec import Module
from pipelines.document.checks.graph import Graph
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.expansion import expanded
from pipelines.document.target_offer import TargetOffer
from pipelines.environments.definition import EnvironmentRecord
from pipelines.execution.plan import Step, make_plan
from pipelines.execution.resources import placed
from pipelines.forecasting.estimates import RunForecast
from pipelines.forecasting.forecast import (
    EstimateCache,
    default_rate,
    forecast,
    step_forecasts,
)
from pipelines.forecasting.last_times import PastWork, last_steps, num_workers
from pipelines.forecasting.step_timings import StepTimings, modules_of
from pipelines.problems import PipelineError, Problem
from pipelines.runs.report import PastRunForecast
from pipelines.runs.run_service import RunService
from pipelines.store.database.runs import RunRecord
from pipelines.store.database.step_timings import num_starts, past_steps
from pipelines.validation.pins import PinnedResults
from pipelines.workers.secret_store import SecretStore

MAX_PAST_RUNS = 3
"""Number of past runs of a pipeline that are estimated again to scale their durations."""


def forecast_run(
    runs: RunService, document: PipelineDocument, allowed_roots: Sequence[Path] | None = None
) -> RunForecast:
    """Return the estimate of a document, with reused nodes and their durations.

    Nothing outside ``allowed_roots`` is read. Raises ``PipelineError`` if the document cannot be
    run.
    """
    problems = [
        problem for problem in runs.checks.problems(document) if problem.severity == "error"
    ]
    if problems:
        raise PipelineError(problems)
    context = runs.checks.reading_context(allowed_roots)
    steps = _steps(runs, document, context)
    durations = {
        node: seconds
        for node, step in steps.items()
        if (seconds := _stored_duration(runs, step)) is not None
    }
    timings, cache = StepTimings(past_steps(runs.database, modules_of)), EstimateCache()
    return forecast(
        document,
        runs.catalog,
        context,
        last=_last(runs, document, timings, cache),
        reused=[node for node in durations if not steps[node].forced],
        measured={node: seconds for node, seconds in durations.items() if seconds is not None},
        timings=timings,
        rate=default_rate(num_cores()),
        torch_takes_turns=not gpu_names(),
        cache=cache,
        prices=_prices(steps.values(), runs.checks.offers()),
    )


def forecast_now(
    runs: RunService, document: PipelineDocument, allowed_roots: Sequence[Path] | None = None
) -> RunForecast:
    """Return ``forecast_run`` with the current load of this machine; measuring takes 0.2 s."""
    return forecast_run(runs, document, allowed_roots).under_load(busy_share())


def forecast_past_run(runs: RunService, run_id: str) -> PastRunForecast | None:
    """Return the estimate of a completed run, made as if before its start.

    Measurements of the run itself are ignored. None if there is nothing to compare: nothing was
    measured before it, everything was reused, it was resumed, or its modules no longer exist.
    """
    record, state = runs.store.record(run_id), runs.store.state(run_id)
    computed = [node for node, step in state.steps.items() if step.status == "completed"]
    if record is None or state.status != "completed" or not state.seconds or not computed:
        return None
    timings = StepTimings(past_steps(runs.database, modules_of, record.created))
    if not timings.steps or num_starts(runs.database, run_id) != 1:
        return None
    try:
        document = expanded(parse_document(record.document))
        estimate = _before(runs, record, document, computed, timings)
    except PipelineError:
        return None
    seconds = estimate.totals.critical_path_seconds
    nodes = {node.node: node.seconds for node in estimate.nodes}
    return PastRunForecast(seconds=seconds, error=seconds / state.seconds - 1, nodes=nodes)


def error_text(error: float) -> str:
    """Return ``11 % less``, ``4 % more`` than a run took, or ``exact``."""
    percent = round(100 * error)
    return f"{abs(percent)} % {'less' if percent < 0 else 'more'}" if percent else "exact"


def _before(
    runs: RunService,
    record: RunRecord,
    document: PipelineDocument,
    computed: Collection[str],
    timings: StepTimings,
) -> RunForecast:
    """Return the estimate of a run in which these nodes are executed."""
    cache = EstimateCache()
    return forecast(
        document,
        runs.catalog,
        runs.checks.reading_context(record.options.allowed_roots),
        reused=[node.id for node in document.nodes if node.id not in computed],
        timings=timings,
        last=_last(runs, document, timings, cache),
        rate=default_rate(num_cores()),
        to_node=record.options.to_node,
        torch_takes_turns=not gpu_names(),
        cache=cache,
    )


def _last(
    runs: RunService, document: PipelineDocument, timings: StepTimings, cache: EstimateCache
) -> dict[str, PastWork]:
    """Return the last durations of this pipeline's nodes, from its newest runs."""
    steps = last_steps(timings.steps, document.id)
    newest = [*dict.fromkeys(step.run_id for step in steps.values())][:MAX_PAST_RUNS]
    pasts = {run_id: _as_it_was(runs, run_id, cache) for run_id in newest}
    return {
        node: PastWork(step, *pasts[step.run_id][node])
        for node, step in steps.items()
        if step.run_id in pasts and node in pasts[step.run_id]
    }


def _as_it_was(
    runs: RunService, run_id: str, cache: EstimateCache
) -> dict[str, tuple[StepForecast, int]]:
    """Return the past estimate of each node of a run, and the workers that shared its work."""
    record = runs.store.record(run_id)
    if record is None:
        return {}
    try:
        document = expanded(parse_document(record.document))
        context = runs.checks.reading_context(record.options.allowed_roots)
        steps = step_forecasts(document, runs.catalog, context, record.options.to_node, cache)
    except PipelineError:
        return {}
    workers = {node.id: num_workers(node) for node in document.nodes}
    return {node: (step, workers[node]) for node, step in steps.items()}


def _prices(steps: Iterable[Step], offers: Mapping[str, TargetOffer]) -> dict[str, float]:
    """Return the hourly price of each step's machines, if its target has a price."""
    priced = {step.node: (placed(step, offers), step.settings.node_count) for step in steps}
    prices = {
        node: offers[step.target].price_of(count)
        for node, (step, count) in priced.items()
        if step.target in offers
    }
    return {node: price for node, price in prices.items() if price is not None}


def _steps(runs: RunService, document: PipelineDocument, context: Context) -> dict[str, Step]:
    def fingerprint(node: str, module: Module, parameters: Parameters) -> str:
        assert module.fingerprint is not None
        try:
            return module.fingerprint(parameters, context)
        except ModuleError as error:
            raise PipelineError([Problem.from_error(error, node)]) from None

    def environment(_: str, reference: str) -> EnvironmentRecord:
        return runs.checks.environments.get(reference)

    return make_plan(
        document,
        runs.catalog,
        fingerprint,
        environment=environment,
        secrets=SecretStore(runs.workspace).versions(),
        pinned=PinnedResults(Graph(expanded(document), runs.catalog), runs.artifacts).find,
    )


def _stored_duration(runs: RunService, step: Step) -> float | None:
    """Return the duration of the step that produced its output; None if it is not in the store."""
    artifact = step.pinned.record if step.pinned else runs.artifacts.find(step.key)
    made_by = runs.store.state_of_step(artifact.run_id, artifact.node) if artifact else None
    if made_by is None:
        return 0.0 if step.pinned else None
    return made_by.seconds or 0.0
