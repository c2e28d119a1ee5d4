"""Outputs of a run: tables, confusion matrices, files and models."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from modules.artifacts import EvaluationResults, ImageDirectory, ScoredImages, Table
from pipeline_designer import display
from pipeline_designer.backend import Backend
from pipelines.errors import RefusedError
from pipelines.sentences import python_scripts
from pipelines.store.artifacts.manifest import MANIFEST

if TYPE_CHECKING:
    import pandas as pd

TABLES = {
    ImageDirectory.__name__: "images.parquet",
    ScoredImages.__name__: ScoredImages.file_name,
    Table.__name__: Table.file_name,
}
"""File with the table of a type."""


@dataclass(frozen=True)
class RunOutput:
    """Output of a node. In a notebook, it shows its table and matrix."""

    _backend: Backend
    node: str
    port: str
    reference: str
    """``ARTIFACT/PORT``."""

    @cached_property
    def type(self) -> str:
        """Type of the artifact: ``ScoredImages``."""
        return self._backend.type_of(self.reference)

    @property
    def files(self) -> list[str]:
        """Paths of the files."""
        return [name for name in self._backend.files(self.reference) if name != MANIFEST]

    def file(self, name: str) -> Path:
        """Return a file, from another machine as a temporary copy."""
        return self._backend.file(self.reference, name)

    def download(self, folder: str | Path) -> Path:
        """Copy all files into a new folder; return it. Raises ``FileExistsError``."""
        target = Path(folder)
        target.mkdir(parents=True)
        for name in self.files:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.file(name), target / name)
        return target

    def table(self, name: str | None = None) -> pd.DataFrame:
        """Return the table: a row for each image, or for each metric of an evaluation.

        Args:
            name: Another table of the output: ``per_class`` for ``per_class.parquet``.

        Raises:
            RefusedError: The output has no table.
        """
        import pandas as pd

        if name is None and self.type == EvaluationResults.__name__:
            return self._metrics()
        file = TABLES.get(self.type) if name is None else f"{name}.parquet"
        if file is None:
            tables = [path.removesuffix(".parquet") for path in self.files if ".parquet" in path]
            raise RefusedError(python_scripts.NO_TABLE, type=self.type, tables=tables or ["-"])
        return pd.read_parquet(self.file(file))

    def _metrics(self) -> pd.DataFrame:
        import pandas as pd

        values = json.loads(self.file("metrics.json").read_text(encoding="utf-8"))
        numbers = {key: value for key, value in values.items() if isinstance(value, int | float)}
        return pd.DataFrame({"metric": list(numbers), "value": list(numbers.values())})

    def matrix(self) -> pd.DataFrame:
        """Return the confusion matrix of an evaluation: rows are actual classes.

        Raises ``RefusedError`` for other outputs.
        """
        if self.type != EvaluationResults.__name__:
            raise RefusedError(python_scripts.NO_MATRIX, type=self.type)
        cells = self.table("confusion")
        classes = list(self.table("per_class")["class"])
        counts = cells.pivot_table(
            index="actual", columns="predicted", values="count", aggfunc="sum", fill_value=0
        )
        return counts.reindex(index=classes, columns=classes, fill_value=0)

    def __repr__(self) -> str:
        return f"<{self.type} {self.node}.{self.port}>"

    def _repr_html_(self) -> str | None:
        if self.type == EvaluationResults.__name__:
            return display.evaluation_html(self.table(), self.matrix())
        return display.table_html(self.table()) if self.type in TABLES else None


class RunModel(RunOutput):
    """Model that a node trained or wrote."""

    def register(
        self, name: str, *, description: str | None = None, alias: str | None = None
    ) -> str:
        """Register the model; return ``NAME@VERSION``.

        Args:
            name: Name of the model. If it exists, a new version is added.
            description: Description of the model.
            alias: Alias of this version, such as ``best``.
        """
        return self._backend.register(self.reference, name, description, alias)
