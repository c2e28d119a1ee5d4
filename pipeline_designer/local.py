"""Workspace in a folder of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from modules.artifacts import read_json
from modules.catalog import Catalog
from modules.files.scanning import scan
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.errors import NotFoundError, RunNotFoundError
from pipelines.inspection.alias_moves import mover
from pipelines.problems import Problem
from pipelines.runs.report import RunReport, run_report
from pipelines.runs.run_request import RunRequest, this_process
from pipelines.sentences import refusals
from pipelines.session import WorkspaceSession
from pipelines.store.artifacts.manifest import MANIFEST
from pipelines.user_modules.workspace_catalog import load_catalog
from pipelines.workspace import Workspace

LOG = "70_driver_log_0.txt"
MAX_LOG = 100_000
"""Limit of a log's last part, in bytes."""


class LocalBackend:
    """Services of a workspace folder; the session opens on first use."""

    def __init__(self, folder: Path | None) -> None:
        self.workspace = Workspace.at(folder)

    @cached_property
    def session(self) -> WorkspaceSession:
        """The open workspace, which is created if it does not exist."""
        return WorkspaceSession(self.workspace.make())

    @cached_property
    def catalog(self) -> Catalog:
        return load_catalog(self.workspace)

    def problems(self, document: PipelineDocument) -> list[Problem]:
        return list(self.session.checks.problems_with_sources(document))

    def allow_code(self, document: PipelineDocument) -> None:
        self.session.checks.allow_code_of(document)

    def submit(
        self,
        document: PipelineDocument,
        name: str | None,
        experiment: str | None,
        *,
        attached: bool = False,
    ) -> str:
        owner = this_process() if attached else None
        request = RunRequest(document, name=name, experiment=experiment, owner=owner)
        return self.session.runs.submit(request)

    def find(self, text: str) -> str:
        return self.session.runs.find(text).id

    def recent(self, limit: int) -> list[str]:
        return [record.id for record in self.session.runs.store.newest(limit=limit)]

    def report(self, run_id: str) -> RunReport:
        return run_report(self.session.runs, run_id)

    def document(self, run_id: str) -> PipelineDocument:
        record = self.session.runs.store.record(run_id)
        if record is None:
            raise RunNotFoundError(run_id)
        return parse_document(record.document)

    def changes(self, run_id: str) -> Iterator[None]:
        for _ in self.session.runs.follow(run_id):
            yield

    def cancel(self, run_id: str) -> None:
        self.session.runs.cancel(run_id)

    def log(self, run_id: str, node: str) -> str:
        path = self.workspace.node_dir(run_id, node) / LOG
        if not path.is_file():
            return ""
        start = max(0, path.stat().st_size - MAX_LOG)
        text = self.session.secrets.redaction().read(path, start, MAX_LOG)
        return text.decode(errors="replace")

    def files(self, output: str) -> list[str]:
        return [file.path for file in scan(self._folder(output)).files]

    def file(self, output: str, name: str) -> Path:
        folder = self._folder(output)
        path = folder / name
        if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
            raise NotFoundError(refusals.NO_OUTPUT, output=f"{output}/{name}"[:200])
        return path

    def type_of(self, output: str) -> str:
        return str(read_json(self._folder(output) / MANIFEST)["type"])

    def register(self, output: str, name: str, description: str | None, alias: str | None) -> str:
        artifact, _, port = output.partition("/")
        registry = self.session.models
        by = mover("python")
        made = registry.register(artifact, port, name, description=description, alias=alias, by=by)
        return made.reference

    def _folder(self, output: str) -> Path:
        artifact, _, port = output.partition("/")
        folder = self.session.artifacts.folder(artifact, port)
        if not folder.is_dir():
            raise NotFoundError(refusals.NO_OUTPUT, output=output)
        return folder
