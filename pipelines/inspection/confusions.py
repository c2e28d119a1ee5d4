"""Actual classes of the images that a model predicted as a class, from a run's evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from modules.formatting import format_count
from pipelines.inspection.evaluation import INPUTS, confusion, scored_input
from pipelines.inspection.run_outputs import RunOutput, RunOutputs
from pipelines.sentences import _

NAMED = 3


@dataclass(frozen=True)
class Confusions:
    """Images predicted as ``category``: their number, and the actual classes of the wrong ones.

    ``others`` are classes and counts, the most frequent first.
    """

    category: str
    num_images: int
    others: tuple[tuple[str, int], ...]

    @property
    def text(self) -> str:
        """Return a sentence such as ``In the evaluation, 4 of 38 images predicted as bee ...``"""
        if not self.num_images:
            return _(
                "In the evaluation, no image was predicted as {category}.", category=self.category
            )
        facts = {"count": self.num_images, "category": self.category}
        wrong = sum(count for _name, count in self.others)
        if not wrong:
            return _(
                "In the evaluation, {count:,} {count:image was|images were} predicted as "
                "{category}, all correctly.",
                **facts,
            )
        named = [f"{name} ({format_count(count)})" for name, count in self.others[:NAMED]]
        return _(
            "In the evaluation, {wrong:,} of {count:,} {count:image|images} predicted as "
            "{category} {wrong:belongs|belong} to another class: {others}.",
            **facts,
            wrong=wrong,
            others=", ".join(named),
        )


def confusions_of(outputs: RunOutputs, model: Path, category: str) -> Confusions | None:
    """Return those of the first evaluation of the model's scores; None if the run has none."""
    for evaluated, suffix in _evaluations(outputs, model):
        cells = confusion(evaluated.folder, suffix)
        called = cells[cells["predicted"] == category]
        wrong = called[called["actual"] != category]
        others = zip(wrong["actual"], wrong["count"], strict=True)
        return Confusions(
            category,
            int(called["count"].sum()),
            tuple((str(name), int(count)) for name, count in others),
        )
    return None


def _evaluations(outputs: RunOutputs, model: Path) -> Iterator[tuple[RunOutput, str]]:
    for output in outputs.all:
        for suffix in INPUTS if output.type == "EvaluationResults" else ():
            scored = scored_input(outputs, output.node, suffix)
            trained = outputs.network_of(scored)
            if trained is not None and trained.folder == model:
                yield output, suffix
