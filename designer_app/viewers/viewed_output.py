"""Argument of all viewers: an output, its place on the page, and its run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from designer_app.application import Application, current
from designer_app.translation import _
from pipelines.inspection.artifact_info import ArtifactFacts
from pipelines.inspection.run_outputs import RunOutput, RunOutputs
from pipelines.workspace import Workspace

TRIED, REGISTERED = _("Try an image"), _("Register")
REGISTRY = "model"
"""Key of the place of a registered version on the page Models."""
"""Tabs with everything on which an image can be tried, and to register a model."""


@dataclass(frozen=True)
class ViewedOutput:
    """Output in one place of a page."""

    workspace: Workspace
    facts: ArtifactFacts
    key: str
    run_id: str
    view: str | None = None
    """Initial tab; None for the first."""

    @property
    def folder(self) -> Path:
        return self.facts.folder

    @property
    def node(self) -> str:
        """Return its node in this run; a reused output may come from another node."""
        return self.output.node if self.output else self.facts.node

    @cached_property
    def application(self) -> Application:
        """Return the application of this server."""
        return current()

    @cached_property
    def outputs(self) -> RunOutputs:
        """Return the outputs of the run."""
        return RunOutputs(self.application.session.runs, self.run_id)

    @cached_property
    def output(self) -> RunOutput | None:
        """Return this output in its run; None if the run was deleted."""
        return next((output for output in self.outputs.all if output.folder == self.folder), None)

    @property
    def register_tab(self) -> str:
        """Return the title of the tab that registers it; what is registered says so."""
        return _("Registered") if self.key == REGISTRY else REGISTERED

    def name(self, part: str) -> str:
        """Return the key of a part of the viewer."""
        return f"{self.key}-{self.facts.artifact_id}-{self.facts.port}-{part}"

    def file_name(self, part: str) -> str:
        """Return the download name of a part, without extension."""
        return f"{self.facts.node}-{self.facts.port}-{part}"
