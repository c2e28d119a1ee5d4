"""Comparison shown by the page, and the labels of its runs and nodes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from designer_app.application import Application
from designer_app.translation import _
from pipelines.runs.comparison import ComparedRun, Comparison


@dataclass(frozen=True)
class ComparisonView:
    """Comparison of two to eight runs."""

    application: Application
    comparison: Comparison

    @property
    def runs(self) -> list[ComparedRun]:
        return self.comparison.runs

    @staticmethod
    def letter(place: int) -> str:
        """Return A for the first run, B for the second: short labels for column headers."""
        return chr(ord("A") + place)

    def label(self, place: int) -> str:
        """Return the label of a run in tables and charts: ``B: Digits, lower rate``."""
        run = self.runs[place]
        return f"{self.letter(place)}: {run.name or run.run_id}"

    @cached_property
    def labels(self) -> list[str]:
        return [self.label(place) for place in range(len(self.runs))]

    @cached_property
    def titles(self) -> dict[str, str]:
        """Return titles by node of the comparison; the pipeline itself has the empty name."""
        titles = {node.node: node.title for node in self.comparison.nodes}
        often = list(titles.values())
        named = {
            node: title if often.count(title) == 1 else f"{title} ({node})"
            for node, title in titles.items()
        }
        return {"": _("Pipeline"), **named}
