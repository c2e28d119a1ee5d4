"""Metrics of a script: curves while it runs, a table when it has ended."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from modules.artifacts import Table
from modules.context import Context
from modules.files.redaction import Redaction


class MetricRow(NamedTuple):
    """Point of a metric; ``time`` is seconds since 1970."""

    name: str
    step: int
    value: float
    time: float


@dataclass
class MetricRows:
    """Recorder of points, which forwards and stores them."""

    context: Context
    rows: list[MetricRow] = field(default_factory=list)

    def record(self, name: str, value: float, step: int) -> None:
        """Record one point."""
        name = Redaction(self.context.secrets.values()).text(name)
        self.context.metric(name, value, step)
        self.rows.append(MetricRow(name, step, value, time.time()))

    @property
    def num_names(self) -> int:
        return len({row.name for row in self.rows})

    def write(self, folder: Path) -> Table:
        """Write the table: ``name``, ``step``, ``value`` and ``time`` (seconds since 1970)."""
        import pandas as pd

        types = {"name": "str", "step": "int64", "value": "float64", "time": "float64"}
        rows = pd.DataFrame(self.rows, columns=list(types))
        return Table.write(folder, rows.astype(types))
