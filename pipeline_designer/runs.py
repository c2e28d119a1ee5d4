"""Run of a pipeline in a script or notebook: progress, metrics, outputs and models."""

from __future__ import annotations

import time
from pathlib import PurePath

from pipeline_designer import display
from pipeline_designer.backend import Backend
from pipeline_designer.results import RunModel, RunOutput
from pipelines.document.document import PipelineDocument
from pipelines.errors import DesignerError, NotFoundError
from pipelines.events import UNFINISHED_RUN
from pipelines.problems import did_you_mean
from pipelines.runs.headline import Headline
from pipelines.runs.report import RunReport
from pipelines.sentences import python_scripts

REDRAW_SECONDS = 0.5
MODELS = ("TrainedModel", "ForeignModel")
EXPORTED = "OnnxModel"
"""Registered only if it is meant: by its node, or if there is no other model."""


class RunFailedError(DesignerError, RuntimeError):
    """The run failed or was cancelled; ``run`` has its logs and the outputs of finished nodes."""

    code = "run_failed"

    def __init__(self, run: Run) -> None:
        self.run = run
        problem = run.report.problem
        facts = {"run": run.id, "status": run.status}
        if problem is None:
            super().__init__(python_scripts.RUN_ENDED, **facts)
        else:
            super().__init__(
                python_scripts.RUN_FAILED, run=run.id, why=problem.message, fix=problem.cure
            )


class Run:
    """Run of a workspace. In a notebook, it shows its progress and its primary metric."""

    def __init__(self, backend: Backend, run_id: str) -> None:
        self.id = run_id
        self._backend = backend
        self._final: RunReport | None = None

    @property
    def report(self) -> RunReport:
        """Everything that ``designer runs show --json`` reports, so far."""
        if self._final is not None:
            return self._final
        report = self._backend.report(self.id)
        if report.status not in UNFINISHED_RUN:
            self._final = report
        return report

    @property
    def status(self) -> str:
        """Status: ``queued``, ``running``, ``completed``, ``failed`` or ``cancelled``."""
        return self.report.status

    @property
    def metrics(self) -> dict[str, dict[str, float | None]]:
        """Last value of each metric, by node."""
        return {name: node.metrics for name, node in self.report.nodes.items() if node.metrics}

    @property
    def headline(self) -> Headline | None:
        """Primary metric so far."""
        return self.report.headline

    @property
    def document(self) -> PipelineDocument:
        """Submitted pipeline."""
        return self._backend.document(self.id)

    def wait(self, *, timeout: float | None = None) -> Run:
        """Wait for the end, and return the run. A keyboard interrupt cancels it.

        Args:
            timeout: Limit in seconds. Default: none.

        Raises:
            RunFailedError: The run failed or was cancelled.
            TimeoutError: The time is over; the run continues.
        """
        started = drawn = time.monotonic()
        live = display.LiveView(self.report)
        try:
            for _ in self._backend.changes(self.id):
                now = time.monotonic()
                if timeout is not None and now - started > timeout:
                    raise TimeoutError(str(python_scripts.RUN_CONTINUES.about({"run": self.id})))
                if live.is_shown and now - drawn >= REDRAW_SECONDS:
                    drawn = now
                    live.update(self.report)
        except KeyboardInterrupt:
            self.cancel()
            raise
        live.finish(self.report)
        if self.status != "completed":
            raise RunFailedError(self)
        return self

    def cancel(self) -> None:
        """Request the end of the run; outputs of finished nodes are kept."""
        self._backend.cancel(self.id)

    def log(self, node: str) -> str:
        """Return the last part of the output of a node's first process."""
        return self._backend.log(self.id, node)

    @property
    def outputs(self) -> list[RunOutput]:
        """Outputs of all finished nodes."""
        return [
            RunOutput(self._backend, node, port, _reference(folder))
            for node, result in self.report.nodes.items()
            for port, folder in result.outputs.items()
        ]

    def output(self, node: str, port: str | None = None) -> RunOutput:
        """Return an output of a node, which must be named if it has several.

        Raises ``NotFoundError`` if it does not exist.
        """
        outputs = [output for output in self.outputs if output.node == node]
        if not outputs:
            cure = did_you_mean(node, self.report.nodes)
            raise NotFoundError(python_scripts.NODE_WITHOUT_OUTPUT, node=node, cure=cure)
        named = [output for output in outputs if port in (None, output.port)]
        if len(named) != 1:
            ports = [output.port for output in outputs]
            raise NotFoundError(python_scripts.CHOOSE_OUTPUT, node=node, outputs=ports)
        return named[0]

    def model(self, node: str | None = None) -> RunModel:
        """Return the model that a node made; without ``node`` the only one of the run.

        Raises ``NotFoundError`` if there is none, or if there are several.
        """
        outputs = [output for output in self.outputs if node in (None, output.node)]
        models = [output for output in outputs if output.type in MODELS]
        models = models or [output for output in outputs if output.type == EXPORTED]
        if not models:
            raise NotFoundError(python_scripts.NO_MODEL, run=self.id)
        if len(models) > 1:
            nodes = [output.node for output in models]
            raise NotFoundError(python_scripts.SEVERAL_MODELS, run=self.id, nodes=nodes)
        model = models[0]
        return RunModel(self._backend, model.node, model.port, model.reference)

    def __repr__(self) -> str:
        report = self.report
        figure = f", {report.headline.label} {report.headline.text}" if report.headline else ""
        return f"<Run {self.id}: {report.status}{figure}>"

    def _repr_html_(self) -> str:
        return display.run_html(self.report)


def _reference(folder: str) -> str:
    """Return ``ARTIFACT/PORT`` for the folder of an output."""
    return "/".join(PurePath(folder).parts[-2:])
