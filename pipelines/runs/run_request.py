"""Request to run a pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from modules.operating_system.processes import ProcessIdentity
from pipelines.document.document import PipelineDocument
from pipelines.store.database.run_options import RunOptions


@dataclass(frozen=True)
class RunRequest(RunOptions):
    """Pipeline to execute, with options.

    RunRequest(document, name="Baseline", to_node="train", forced=("split",))
    """

    document: PipelineDocument
    name: str | None = None
    """Name of the run; by default the changes since the previous one, or its number."""
    experiment: str | None = None
    """Experiment of the run; by default the pipeline's name."""

    @property
    def experiment_name(self) -> str:
        return self.experiment or self.document.name or self.document.id

    @property
    def options(self) -> RunOptions:
        """Return the options stored with the document."""
        return RunOptions(**{field.name: getattr(self, field.name) for field in fields(RunOptions)})


def this_process() -> Mapping[str, Any]:
    """Return the ``owner`` of a run that ends with this process."""
    return asdict(ProcessIdentity.of())
