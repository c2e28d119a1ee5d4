"""Endpoints for sweeps: list, start, show, stop, resume, repeat."""

from __future__ import annotations

from pydantic import Field

from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.application import Application
from designer_app.schemas.documents import Document
from modules.json_model import JsonModel
from pipelines.document.document import parse_document
from pipelines.document.settings import SweepSettings
from pipelines.store.database.run_options import RunOptions, root_texts
from pipelines.store.database.sweeps import SweepState
from pipelines.sweeps.repeats import MOST_SEEDS, NUM_SEEDS
from pipelines.sweeps.sweep_reports import (
    RepeatedValues,
    TrialReport,
    reason_text,
    repeated_values,
)
from pipelines.sweeps.sweeps import Sweep, Sweeps


class SweepSummary(JsonModel):
    """Sweep in a list."""

    sweep: str
    name: str
    pipeline_id: str | None
    state: SweepState
    reason: str | None = Field(description="Why it ended, if not all of its trials have run.")
    created: float
    finished: float | None
    num_trials: int
    max_trials: int
    best: int | None = Field(description="Number of the best trial.")
    objective: float | None = Field(description="Value of the best trial.")


class SweepList(JsonModel):
    sweeps: list[SweepSummary]


class SweepTrial(TrialReport):
    """Trial: one run with its own values."""

    created: float
    finished: float | None


class SweepReport(SweepSummary):
    """Sweep with its trials; `note` reports failures of its strategy."""

    settings: SweepSettings
    note: str | None
    trials: list[SweepTrial]
    repeated: list[RepeatedValues] = Field(description="The best mean first.")


class RepeatRequest(JsonModel):
    """Request to run the best trials again."""

    seeds: int = Field(
        NUM_SEEDS, ge=1, le=MOST_SEEDS, description="Number of other random seeds for each."
    )


class SweepRequest(JsonModel):
    """Request to start the sweep of a document's settings."""

    document: Document
    pipeline_id: str | None = Field(None, max_length=64)
    experiment: str | None = Field(None, max_length=200)
    description: str = Field("", max_length=20_000)


@ApiEndpoint("GET", "/api/sweeps", query={"pipeline": "Only sweeps of this pipeline."})
def _list(application: Application, call: Call) -> SweepList:
    """Sweeps, newest first."""
    pipeline = call.query.get("pipeline")
    sweeps = [
        _summary(sweep)
        for sweep in Sweeps(application.session.runs).all()
        if pipeline in (None, sweep.row.pipeline_id)
    ]
    return SweepList(sweeps=sweeps)


@ApiEndpoint(
    "POST", "/api/sweeps", takes=SweepRequest, gives=SweepReport, status=201, errors=(422, 503)
)
def _start(application: Application, call: Call) -> Reply:
    """Start the sweep of a document's settings; it keeps this version of the document."""
    request: SweepRequest = call.body
    document = application.prepared(parse_document(request.document))
    options = RunOptions(
        pipeline_id=request.pipeline_id,
        description=request.description,
        allowed_roots=root_texts(application.settings.allowed_roots),
    )
    sweep = Sweeps(application.session.runs).start(document, options, request.experiment)
    return Reply(_report(sweep), 201, {"Location": f"/api/sweeps/{sweep.id}"})


@ApiEndpoint("GET", "/api/sweeps/{sweep_id}", errors=(404,))
def _show(application: Application, call: Call) -> SweepReport:
    """A sweep and its trials."""
    runs = application.session.runs
    runs.runner.refresh()
    return _report(Sweeps(runs).find(call.path["sweep_id"]))


@ApiEndpoint("POST", "/api/sweeps/{sweep_id}/stop", errors=(404, 422))
def _stop(application: Application, call: Call) -> SweepReport:
    """Stop a sweep; its runs are cancelled and continue when it is resumed."""
    sweeps = Sweeps(application.session.runs)
    return _report(sweeps.stop(sweeps.find(call.path["sweep_id"]).id))


@ApiEndpoint("POST", "/api/sweeps/{sweep_id}/resume", errors=(404, 422, 503))
def _resume(application: Application, call: Call) -> SweepReport:
    """Continue a sweep that was stopped or has failed."""
    sweeps = Sweeps(application.session.runs)
    return _report(sweeps.resume(sweeps.find(call.path["sweep_id"]).id))


@ApiEndpoint(
    "POST",
    "/api/sweeps/{sweep_id}/repeat",
    takes=RepeatRequest,
    gives=SweepReport,
    errors=(404, 422, 503),
)
def _repeat(application: Application, call: Call) -> SweepReport:
    """Run the best three trials again with other random seeds."""
    request: RepeatRequest = call.body
    sweeps = Sweeps(application.session.runs)
    sweep = sweeps.repeat(sweeps.find(call.path["sweep_id"]).id, request.seeds)
    return _report(sweep)


def _summary(sweep: Sweep) -> SweepSummary:
    best, row = sweep.best, sweep.row
    return SweepSummary(
        sweep=sweep.id,
        name=row.name,
        pipeline_id=row.pipeline_id,
        state=row.state,
        reason=reason_text(row.reason),
        created=row.created,
        finished=row.finished,
        num_trials=len(sweep.trials),
        max_trials=sweep.settings.max_trials or 0,
        best=None if best is None else best.number,
        objective=None if best is None else best.objective,
    )


def _report(sweep: Sweep) -> SweepReport:
    trials = [SweepTrial.of(trial) for trial in sweep.trials]
    note = reason_text(sweep.row.notes or None) or None
    facts = dict(_summary(sweep))
    repeated = [repeated_values(configuration) for configuration in sweep.configurations]
    return SweepReport(
        **facts, settings=sweep.settings, note=note, trials=trials, repeated=repeated
    )


ENDPOINTS = (_list, _start, _show, _stop, _resume, _repeat)
