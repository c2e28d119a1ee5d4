"""Routes of MLflow's tracking API that its clients use while a script runs.

MLflow's REST reference, 2.0; ``logged-models`` was added in MLflow 3.
"""

from __future__ import annotations

from collections.abc import Callable

from modules.scripts.intake import tracking_values as values
from modules.scripts.intake.tracking_runs import (
    DEFAULT_EXPERIMENT,
    ClientRun,
    LoggedPoint,
    TrackingRuns,
    milliseconds,
    unknown,
)
from modules.scripts.intake.tracking_values import Body, Reply, TrackingError
from modules.sentences import script_metrics as say

Answer = Callable[[TrackingRuns, Body], Reply]


def answer(runs: TrackingRuns, method: str, route: str, body: Body) -> Reply:
    """Return the response to a request; raise ``TrackingError``."""
    family, _, of_model = route.partition("/")
    if family == "logged-models" and of_model:
        body, route = {**body, "model_id": of_model.partition("/")[0]}, "logged-models/one"
    handler = ROUTES.get((method, route))
    if handler is None:
        facts = say.TRACKING_NOT_HERE.about({"method": method, "path": route[:200]})
        raise TrackingError("ENDPOINT_NOT_FOUND", facts)
    return handler(runs, body)


def _experiment_by_name(runs: TrackingRuns, body: Body) -> Reply:
    name = values.text(body, "experiment_name")
    for experiment_id, experiment in runs.experiments.items():
        if experiment == name:
            return {"experiment": runs.experiment(experiment_id)}
    raise unknown("experiment", name)


def _experiment(runs: TrackingRuns, body: Body) -> Reply:
    return {"experiment": runs.experiment(values.text(body, "experiment_id"))}


def _create_experiment(runs: TrackingRuns, body: Body) -> Reply:
    return {"experiment_id": runs.new_experiment(values.key(body, "name"))}


def _search_experiments(runs: TrackingRuns, _: Body) -> Reply:
    return {"experiments": [runs.experiment(experiment_id) for experiment_id in runs.experiments]}


def _create_run(runs: TrackingRuns, body: Body) -> Reply:
    tags = dict(_pairs(body, "tags"))
    name = values.text(body, "run_name", "") or tags.get("mlflow.runName", "") or "run"
    experiment_id = values.text(body, "experiment_id", DEFAULT_EXPERIMENT)
    run = runs.new_run(name[: values.MAX_KEY], experiment_id)
    run.user = values.text(body, "user_id", "")
    run.start_time = values.whole_number(body, "start_time") or run.start_time
    runs.put(run.tags, {**tags, "mlflow.runName": run.name}.items())
    return {"run": run.reply}


def _run(runs: TrackingRuns, body: Body) -> Reply:
    return {"run": _run_of(runs, body).reply}


def _run_of(runs: TrackingRuns, body: Body) -> ClientRun:
    old_name = values.text(body, "run_uuid", "")
    return runs.run(values.text(body, "run_id", old_name))


def _search_runs(runs: TrackingRuns, body: Body) -> Reply:
    """Return all runs of some experiments; other criteria are ignored."""
    wanted = body.get("experiment_ids") or list(runs.experiments)
    matching = [run for run in runs.runs.values() if run.experiment_id in wanted]
    return {"runs": [run.reply for run in matching]}


def _update_run(runs: TrackingRuns, body: Body) -> Reply:
    run = _run_of(runs, body)
    run.status = values.text(body, "status", run.status, most=20)
    if body.get("end_time"):
        run.end_time = values.whole_number(body, "end_time")
    return {"run_info": run.info}


def _log_metric(runs: TrackingRuns, body: Body) -> Reply:
    runs.add_point(_run_of(runs, body), values.key(body), _point(body))
    return {}


def _point(body: Body) -> LoggedPoint:
    at = values.whole_number(body, "timestamp") or milliseconds()
    return LoggedPoint(values.number(body, "value"), values.whole_number(body, "step"), at)


def _log_batch(runs: TrackingRuns, body: Body) -> Reply:
    run = _run_of(runs, body)
    metrics = [(values.key(entry), _point(entry)) for entry in values.entries(body, "metrics")]
    parameters, tags = _pairs(body, "params"), _pairs(body, "tags")
    for name, point in metrics:
        runs.add_point(run, name, point)
    runs.put(run.parameters, parameters)
    runs.put(run.tags, tags)
    return {}


def _pairs(body: Body, name: str) -> list[tuple[str, str]]:
    return [_pair(entry) for entry in values.entries(body, name)]


def _pair(body: Body) -> tuple[str, str]:
    return values.key(body), values.text(body, "value", "")


def _log_parameter(runs: TrackingRuns, body: Body) -> Reply:
    runs.put(_run_of(runs, body).parameters, [_pair(body)])
    return {}


def _set_tag(runs: TrackingRuns, body: Body) -> Reply:
    runs.put(_run_of(runs, body).tags, [_pair(body)])
    return {}


def _accept(runs: TrackingRuns, body: Body) -> Reply:
    """Accept the inputs and outputs of a run without storing them."""
    _run_of(runs, body)
    return {}


def _history(runs: TrackingRuns, body: Body) -> Reply:
    name = values.key(body, "metric_key")
    points = _run_of(runs, body).metrics.get(name, ())
    return {"metrics": [point.reply(name) for point in points]}


def _create_model(runs: TrackingRuns, body: Body) -> Reply:
    name = values.text(body, "name", "") or "model"
    experiment_id = values.text(body, "experiment_id", DEFAULT_EXPERIMENT)
    source_run = values.text(body, "source_run_id", "")
    model = runs.new_model(name[: values.MAX_KEY], experiment_id, source_run)
    return {"model": model.reply}


def _model(runs: TrackingRuns, body: Body) -> Reply:
    return {"model": runs.model(values.text(body, "model_id")).reply}


def _finish_model(runs: TrackingRuns, body: Body) -> Reply:
    model = runs.model(values.text(body, "model_id"))
    model.status = values.text(body, "status", model.status, most=40)
    return {"model": model.reply}


def _artifacts(runs: TrackingRuns, body: Body) -> Reply:
    """Return no artifacts: clients read and write files themselves, below the root they receive."""
    return {"root_uri": _run_of(runs, body).artifact_uri, "files": []}


ROUTES: dict[tuple[str, str], Answer] = {
    ("GET", "experiments/get-by-name"): _experiment_by_name,
    ("GET", "experiments/get"): _experiment,
    ("POST", "experiments/create"): _create_experiment,
    ("POST", "experiments/search"): _search_experiments,
    ("POST", "runs/create"): _create_run,
    ("GET", "runs/get"): _run,
    ("POST", "runs/search"): _search_runs,
    ("POST", "runs/update"): _update_run,
    ("POST", "runs/log-metric"): _log_metric,
    ("POST", "runs/log-parameter"): _log_parameter,
    ("POST", "runs/log-batch"): _log_batch,
    ("POST", "runs/set-tag"): _set_tag,
    ("POST", "runs/log-inputs"): _accept,
    ("POST", "runs/outputs"): _accept,
    ("GET", "metrics/get-history"): _history,
    ("GET", "artifacts/list"): _artifacts,
    ("POST", "logged-models"): _create_model,
    ("GET", "logged-models/one"): _model,
    ("PATCH", "logged-models/one"): _finish_model,
    ("POST", "logged-models/one"): _finish_model,
}
"""Routes by method and path after ``/api/2.0/mlflow/``; ``one`` is a model's ID."""
