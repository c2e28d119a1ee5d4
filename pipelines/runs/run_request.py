"""What is asked for when a run is submitted."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from modules.operating_system.processes import ProcessIdentity
from pipelines.documents.document import PipelineDocument
from pipelines.store.run_options import RunOptions


@dataclass(frozen=True)
class RunRequest(RunOptions):
    """A pipeline to be executed, and how.

    RunRequest(document, name="Baseline", to_node="train", forced=("split",))
    """

    document: PipelineDocument
    name: str | None = None
    """Of the run; where none is given, what changed since the one before, else its number."""
    experiment: str | None = None
    """To file it under; the pipeline's name where none is given."""

    @property
    def experiment_name(self) -> str:
        return self.experiment or self.document.name or self.document.id

    @property
    def options(self) -> RunOptions:
        """What is kept beside the document."""
        return RunOptions(**{field.name: getattr(self, field.name) for field in fields(RunOptions)})


def this_process() -> dict[str, Any]:
    """The ``owner`` of a run that is to end when this process does."""
    return asdict(ProcessIdentity.of())
