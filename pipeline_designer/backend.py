"""Interface of workspaces to pipelines and runs: on this machine, or by HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from modules.catalog import Catalog
from pipelines.document.document import PipelineDocument
from pipelines.problems import Problem
from pipelines.runs.report import RunReport


class Backend(Protocol):
    """Services of one workspace; outputs are named ``ARTIFACT/PORT``."""

    @property
    def catalog(self) -> Catalog:
        """Modules of the workspace."""

    def problems(self, document: PipelineDocument) -> list[Problem]:
        """Return all problems of a document."""

    def allow_code(self, document: PipelineDocument) -> None:
        """Approve the code in a document."""

    def submit(
        self,
        document: PipelineDocument,
        name: str | None,
        experiment: str | None,
        *,
        attached: bool = False,
    ) -> str:
        """Queue a run and return its id; an ``attached`` one ends with this process."""

    def find(self, text: str) -> str:
        """Return the id of the run that ``text`` identifies, or ``last``."""

    def recent(self, limit: int) -> list[str]:
        """Return the ids of the newest runs."""

    def report(self, run_id: str) -> RunReport:
        """Return status and results of a run."""

    def document(self, run_id: str) -> PipelineDocument:
        """Return the pipeline of a run."""

    def changes(self, run_id: str) -> Iterator[None]:
        """Yield while a run may change, several times a second at most; end when it has ended."""

    def cancel(self, run_id: str) -> None:
        """Request the end of a run."""

    def log(self, run_id: str, node: str) -> str:
        """Return the last part of the output of a node's first process."""

    def files(self, output: str) -> list[str]:
        """Return the files of an output, by path."""

    def file(self, output: str, name: str) -> Path:
        """Return the path of a file of an output, which may be a temporary copy."""

    def type_of(self, output: str) -> str:
        """Return the type of an output."""

    def register(self, output: str, name: str, description: str | None, alias: str | None) -> str:
        """Register an output as a model; return ``NAME@VERSION``."""
