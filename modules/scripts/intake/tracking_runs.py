"""Objects of clients of MLflow's tracking API: experiments, runs, and their values.

All of it belongs to one step and is stored only in memory; points go to the step's curves.
"""

from __future__ import annotations

import re
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from modules.scripts.intake.tracking_values import Reply, TrackingError, number_to_json
from modules.sentences import script_metrics as say

MAX_RUNS = 500
"""Maximum number of runs, of models and of experiments."""
MAX_NAMES = 1_000
"""Maximum number of parameters, of tags and of metrics in one run."""
MAX_HISTORY = 1_000
"""Maximum number of points of a metric that a client can read."""
DEFAULT_EXPERIMENT = "0"

Log = Callable[[str, str, float, int | None], None]
"""Callback with the run's name, the metric's name, its value, its step."""


@dataclass
class LoggedPoint:
    """A point sent by a client."""

    value: float
    step: int
    timestamp: int

    def reply(self, name: str) -> Reply:
        """Return the point of a metric in MLflow's form."""
        value = number_to_json(self.value)
        return {"key": name, "value": value, "step": self.step, "timestamp": self.timestamp}


@dataclass
class ClientRun:
    """A run created by a client, or the step's own."""

    id: str
    name: str
    experiment_id: str
    artifact_uri: str
    user: str = ""
    start_time: int = 0
    end_time: int | None = None
    status: str = "RUNNING"
    metrics: dict[str, deque[LoggedPoint]] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    stepped: set[str] = field(default_factory=set)
    """Metrics that have had a step; points of others are counted."""

    @property
    def info(self) -> Reply:
        """Return the run without its values, in MLflow's form."""
        return {
            "run_id": self.id,
            "run_uuid": self.id,
            "run_name": self.name,
            "experiment_id": self.experiment_id,
            "user_id": self.user,
            "status": self.status,
            "start_time": self.start_time,
            "artifact_uri": self.artifact_uri,
            "lifecycle_stage": "active",
            **({} if self.end_time is None else {"end_time": self.end_time}),
        }

    @property
    def reply(self) -> Reply:
        """Return the run in MLflow's form."""
        metrics = [points[-1].reply(name) for name, points in self.metrics.items()]
        data = {
            "metrics": metrics,
            "params": pairs(self.parameters),
            "tags": pairs(self.tags),
        }
        return {"info": self.info, "data": data, "inputs": {}}


@dataclass
class LoggedModel:
    """Model whose files a client is about to write."""

    id: str
    experiment_id: str
    name: str
    artifact_uri: str
    source_run: str
    created: int
    status: str = "LOGGED_MODEL_PENDING"

    @property
    def reply(self) -> Reply:
        """Return the model in MLflow's form."""
        info = {
            "model_id": self.id,
            "experiment_id": self.experiment_id,
            "name": self.name,
            "creation_timestamp_ms": self.created,
            "last_updated_timestamp_ms": self.created,
            "artifact_uri": self.artifact_uri,
            "status": self.status,
            "source_run_id": self.source_run,
            "tags": [],
        }
        return {"info": info, "data": {"params": [], "metrics": []}}


class TrackingRuns:
    """The experiments and runs of the clients in the processes of a script."""

    def __init__(self, own_run_id: str, artifacts: Path, log: Log) -> None:
        """Create the store; ``artifacts`` is the folder that clients write their files to."""
        self.artifacts = artifacts
        self.experiments = {DEFAULT_EXPERIMENT: "Default"}
        self.runs: dict[str, ClientRun] = {}
        self.models: dict[str, LoggedModel] = {}
        self._log = log
        self._own_run_id = own_run_id
        self.new_run("script", DEFAULT_EXPERIMENT, run_id=own_run_id)

    def new_experiment(self, name: str) -> str:
        """Return the ID of a new experiment; raise ``TrackingError`` if the name is taken."""
        if name in self.experiments.values():
            raise TrackingError(
                "RESOURCE_ALREADY_EXISTS", say.TRACKING_EXISTS.about({"name": name})
            )
        self._bound(len(self.experiments), MAX_RUNS, "experiments")
        experiment_id = str(len(self.experiments))
        self.experiments[experiment_id] = name
        return experiment_id

    def experiment(self, experiment_id: str) -> Reply:
        """Return an experiment in MLflow's form; raise ``TrackingError``."""
        if experiment_id not in self.experiments:
            raise unknown("experiment", experiment_id)
        return {
            "experiment_id": experiment_id,
            "name": self.experiments[experiment_id],
            "artifact_location": self.artifacts.as_uri(),
            "lifecycle_stage": "active",
            "tags": [],
        }

    def new_run(self, name: str, experiment_id: str, *, run_id: str = "") -> ClientRun:
        """Create a run under a unique name: the name, or the name and a number."""
        self._bound(len(self.runs), MAX_RUNS, "runs")
        self.experiment(experiment_id)
        taken = {existing.name for existing in self.runs.values()}
        numbered = (f"{name}-{number}" for number in range(2, MAX_RUNS + 2))
        free = (
            name
            if name not in taken
            else next(candidate for candidate in numbered if candidate not in taken)
        )
        run = ClientRun(run_id or uuid.uuid4().hex, free, experiment_id, self.artifacts.as_uri())
        run.start_time = milliseconds()
        self.runs[run.id] = run
        return run

    def run(self, run_id: str) -> ClientRun:
        """Return a run by its ID; raise ``TrackingError``."""
        if run_id not in self.runs:
            raise unknown("run", run_id)
        return self.runs[run_id]

    def add_point(self, run: ClientRun, name: str, point: LoggedPoint) -> None:
        """Log a point. Those of a metric that never had a step are counted: 0, 1, 2, ..."""
        if name not in run.metrics:
            self._bound(len(run.metrics), MAX_NAMES, "metrics")
        run.metrics.setdefault(name, deque(maxlen=MAX_HISTORY)).append(point)
        if point.step:
            run.stepped.add(name)
        self._log(run.name, name, point.value, point.step if name in run.stepped else None)

    def put(self, values: dict[str, str], new: Iterable[tuple[str, str]]) -> None:
        """Set parameters or tags of a run."""
        for name, value in new:
            if name not in values:
                self._bound(len(values), MAX_NAMES, "parameters or tags")
            values[name] = value

    def new_model(self, name: str, experiment_id: str, source_run: str) -> LoggedModel:
        """Create a folder for the files of a model that a client is about to write."""
        self._bound(len(self.models), MAX_RUNS, "models")
        model_id = f"m-{uuid.uuid4().hex}"
        folder = self.artifacts / (re.sub(r"[^\w.-]", "_", name).strip(".") or "model")
        taken = {existing.artifact_uri for existing in self.models.values()}
        if folder.as_uri() in taken:
            folder = folder.with_name(f"{folder.name}-{len(self.models) + 1}")
        model = LoggedModel(
            model_id, experiment_id, name, folder.as_uri(), source_run, milliseconds()
        )
        self.models[model_id] = model
        return model

    def model(self, model_id: str) -> LoggedModel:
        """Return a model by its ID; raise ``TrackingError``."""
        if model_id not in self.models:
            raise unknown("model", model_id)
        return self.models[model_id]

    def _bound(self, count: int, most: int, kind: str) -> None:
        if count >= most:
            facts = say.TRACKING_TOO_MANY.about({"most": most, "what": kind})
            raise TrackingError("RESOURCE_EXHAUSTED", facts)


def pairs(values: dict[str, str]) -> list[dict[str, str]]:
    """Return parameters or tags in MLflow's form."""
    return [{"key": name, "value": value} for name, value in values.items()]


def milliseconds() -> int:
    """Return the time in MLflow's form."""
    return int(time.time() * 1000)


def unknown(kind: str, name: str) -> TrackingError:
    """Return the error for an unknown object."""
    facts = say.TRACKING_UNKNOWN.about({"what": kind, "name": name[:100]})
    return TrackingError("RESOURCE_DOES_NOT_EXIST", facts)
