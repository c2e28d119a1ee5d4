"""What a viewer is given: an output, where it is shown, the run it is looked at in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from designer_app.application import Application, current
from pipelines.inspection.artifact_info import ArtifactFacts
from pipelines.inspection.run_outputs import RunOutput, RunOutputs
from pipelines.workspace import Workspace

TRIED = "Try an image"
"""The tab of all that a picture can be tried on."""


@dataclass(frozen=True)
class ViewedOutput:
    """One output on one place of a page."""

    workspace: Workspace
    facts: ArtifactFacts
    key: str
    run_id: str
    view: str | None = None
    """The tab that it opens on; None for the first."""

    @property
    def folder(self) -> Path:
        return self.facts.folder

    @property
    def node(self) -> str:
        """The node that gives it in this run; a reused output may be another's work."""
        return self.output.node if self.output else self.facts.node

    @cached_property
    def application(self) -> Application:
        """The application of this server."""
        return current()

    @cached_property
    def outputs(self) -> RunOutputs:
        """The outputs of the run."""
        return RunOutputs(self.application.session.runs, self.run_id)

    @cached_property
    def output(self) -> RunOutput | None:
        """This output in its run; None where the run is gone."""
        return next((each for each in self.outputs.all if each.folder == self.folder), None)

    def name(self, part: str) -> str:
        """A key for a part of the viewer."""
        return f"{self.key}-{self.facts.artifact_id}-{self.facts.port}-{part}"

    def file_name(self, part: str) -> str:
        """What a download of a part is called, without its extension."""
        return f"{self.facts.node}-{self.facts.port}-{part}"
