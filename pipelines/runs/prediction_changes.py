"""Images with different predictions in several runs, matched by their files' content."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from modules.artifacts import ImageDirectory, ScoredImages
from modules.formatting import format_count
from modules.json_model import JsonModel
from pipelines.document.checks.graph import Graph
from pipelines.errors import NotFoundError
from pipelines.sentences import _, refusals

if TYPE_CHECKING:
    import pandas as pd

    from modules.scoring.score_table import Scored
    from pipelines.document.node_matching import MatchedNode
    from pipelines.runs.compared_runs import ComparedRuns

MAX_EXACT = 1000
"""Number of changed predictions up to which the chance of their difference is counted out."""
TOP = 3
"""Number of probabilities listed for an image, the largest first."""


class FlipSummary(JsonModel):
    """Differences of a scored dataset between the runs. Lists are in the order of the runs."""

    node: str = Field(description="As in `nodes` of the comparison.")
    port: str
    scored: list[int | None] = Field(description="Scored images. Null if a run has no table.")
    shared: int = Field(description="Images that all runs with a table scored.")
    flipped: int = Field(description="Shared images with different predictions.")
    fixed: list[int | None] = Field(description="Wrong in the first run, right in this one.")
    broken: list[int | None] = Field(description="Right in the first run, wrong in this one.")
    same_files: bool = Field(description="False if images were matched only by path.")

    def chance(self, place: int) -> float | None:
        """Return how likely chance alone makes a run this different from the first, or more so.

        It is McNemar's two-sided test of the shared images, exact for up to 1,000 changed ones.
        None if there are no shared images.
        """
        fixed, broken = self.fixed[place], self.broken[place]
        if fixed is None or broken is None or not self.shared:
            return None
        num, fewer = fixed + broken, min(fixed, broken)
        if num > MAX_EXACT:
            return math.erfc((num - 2 * fewer - 1) / math.sqrt(2 * num))
        num_at_most = sum(math.comb(num, count) for count in range(fewer + 1))
        return min(1.0, 2 * num_at_most / 2.0**num)

    @property
    def difference(self) -> str | None:
        """Return a sentence if the runs' test sets differ; None if they are the same."""
        counts = [count for count in self.scored if count is not None]
        if max(counts) == self.shared:
            return None
        return _(
            "{node}: the test sets differ. The runs scored {scored} images, of which {shared:,} "
            "are shared. Their metrics are not comparable.",
            node=self.node,
            scored=", ".join(map(format_count, counts)),
            shared=self.shared,
        )


class FlippedPrediction(JsonModel):
    """Prediction of one run for an image."""

    label: str
    confidence: float
    is_right: bool | None = Field(description="Null for an image without a label.")
    probabilities: dict[str, float] = Field(description="The three highest, in descending order.")


class FlippedImage(JsonModel):
    """Image with each run's prediction, in the order of the runs."""

    path: str = Field(description="Path in the first run that contains the image.")
    category: str | None
    artifact: str | None = Field(description="`<artifact id>/<port>` that contains the image file.")
    file: str | None = Field(description="Path of the image file in the artifact.")
    predictions: list[FlippedPrediction | None]


class FlipPage(JsonModel):
    """Page of the changed images, highest confidence first."""

    node: str
    port: str
    total: int
    images: list[FlippedImage]


@dataclass(frozen=True)
class ScoredTable:
    """Scored dataset of one run and its images."""

    artifact: ScoredImages
    images: ImageDirectory | None

    @cached_property
    def scored(self) -> Scored:
        from modules.scoring.score_table import Scored

        return Scored.read(self.artifact, "scored_dataset")

    def keyed(self, *, by_content: bool) -> pd.DataFrame:
        """Return the rows by the identity of their image."""
        from modules.scoring.evaluation_tables import identities
        from modules.scoring.score_table import PATH

        rows = self.scored.rows.assign(row=range(len(self.scored.rows)))
        contents = self.hashes if by_content else None
        return rows.set_index(identities(rows, rows[PATH] if contents is None else contents))

    @cached_property
    def hashes(self) -> pd.Series[str] | None:
        """Return the hashes of the rows' files; None for an old table without images."""
        from modules.scoring.score_table import PATH, SHA256

        rows = self.scored.rows
        if SHA256 in rows.columns:
            return rows[SHA256]
        if self.images is None:
            return None
        table = self.images.images
        hash_of = dict(zip(table["path"], table["sha256"], strict=True))
        return rows[PATH].map(hash_of).fillna(rows[PATH])

    def place_of(self, path: str) -> tuple[str | None, str | None]:
        """Return the artifact with an image's file, and the path in it."""
        if self.images is None:
            return None, None
        rows = self.images.images
        sources = rows.loc[rows["path"] == path, "source"]
        if sources.empty:
            return None, None
        return sources.iloc[0] or self.images.reference, f"images/{path}"

    def prediction(self, row: int) -> FlippedPrediction:
        """Return the prediction in that row."""
        from modules.scoring.score_table import CATEGORY, CONFIDENCE, LABEL

        facts: Any = self.scored.rows.iloc[row]
        likely = self.scored.probabilities[row].argsort()[::-1][:TOP]
        category = _text(facts.get(CATEGORY))
        return FlippedPrediction(
            label=facts[LABEL],
            confidence=float(facts[CONFIDENCE]),
            is_right=None if category is None else category == facts[LABEL],
            probabilities={
                self.scored.classes[class_index]: float(self.scored.probabilities[row, class_index])
                for class_index in likely
            },
        )


@dataclass(frozen=True)
class FlipTable:
    """One output of one node in all runs, side by side."""

    node: str
    port: str
    tables: list[ScoredTable | None]

    @property
    def present(self) -> list[ScoredTable]:
        return [table for table in self.tables if table is not None]

    @cached_property
    def by_content(self) -> bool:
        """Return whether images are matched by content: all tables must have the hashes."""
        return all(table.hashes is not None for table in self.present)

    @cached_property
    def shared(self) -> pd.DataFrame:
        """Return one row per image in all tables.

        Columns: ``row<i>``, ``label<i>``, ``confidence<i>`` for the i-th run, and ``category`` of
        the first.
        """
        from modules.scoring.score_table import CATEGORY, CONFIDENCE, LABEL

        joined: pd.DataFrame | None = None
        for index, table in enumerate(self.tables):
            if table is None:
                continue
            columns = {LABEL: f"label{index}", CONFIDENCE: f"confidence{index}"}
            own = table.keyed(by_content=self.by_content).rename(
                columns={**columns, "row": f"row{index}"}
            )
            names = [*columns.values(), f"row{index}"]
            if joined is None:
                categories = own[CATEGORY] if CATEGORY in own.columns else None
                joined = own[names].assign(category=categories)
            else:
                joined = joined.join(own[names], how="inner")
        assert joined is not None, "a table of flips has two tables or more"
        return joined

    @cached_property
    def flipped(self) -> pd.DataFrame:
        """Return the shared images with different predictions, highest confidence first."""
        labels = self.shared.filter(regex=r"^label\d")
        differs = labels.ne(labels.iloc[:, 0], axis=0).any(axis=1)
        different = self.shared[differs]
        surest = different.filter(regex=r"^confidence\d").min(axis=1)
        return different.assign(surest=surest).sort_values("surest", ascending=False, kind="stable")

    def summary(self) -> FlipSummary:
        """Return the counts."""
        first = next(index for index, table in enumerate(self.tables) if table is not None)
        category = self.shared["category"]
        has_category = category.notna()
        was = self.shared[f"label{first}"] == category

        def count(index: int, *, fixed: bool) -> int | None:
            if self.tables[index] is None:
                return None
            now = self.shared[f"label{index}"] == category
            return int(((~was & now if fixed else was & ~now) & has_category).sum())

        indices = range(len(self.tables))
        return FlipSummary(
            node=self.node,
            port=self.port,
            scored=[None if table is None else len(table.scored.rows) for table in self.tables],
            shared=len(self.shared),
            flipped=len(self.flipped),
            fixed=[count(index, fixed=True) for index in indices],
            broken=[count(index, fixed=False) for index in indices],
            same_files=self.by_content,
        )

    def page(self, offset: int, limit: int) -> FlipPage:
        """Return a page of the changed images."""
        rows = self.flipped.iloc[offset : offset + limit]
        images = [self._image(facts) for facts in rows.to_dict("records")]
        return FlipPage(node=self.node, port=self.port, total=len(self.flipped), images=images)

    def _image(self, facts: dict[Any, Any]) -> FlippedImage:
        from modules.scoring.score_table import PATH

        first = next(index for index, table in enumerate(self.tables) if table is not None)
        table = self.present[0]
        path = str(table.scored.rows[PATH].iloc[facts[f"row{first}"]])
        artifact, file = table.place_of(path)
        return FlippedImage(
            path=path,
            category=_text(facts["category"]),
            artifact=artifact,
            file=file,
            predictions=[
                None if table is None else table.prediction(int(facts[f"row{index}"]))
                for index, table in enumerate(self.tables)
            ],
        )


def flip_summaries(compared: ComparedRuns) -> list[FlipSummary]:
    """Return one summary for each scored dataset that two or more of the runs have."""
    return [table.summary() for table in _flip_tables(compared, compared.matched)]


def flips(compared: ComparedRuns, node: str, offset: int = 0, limit: int = 50) -> FlipPage:
    """Return the changed images at a node.

    Raises ``NotFoundError`` with fewer than two scored runs.
    """
    rows = [row for row in compared.matched if row.id == node]
    for table in _flip_tables(compared, rows):
        return table.page(offset, limit)
    raise NotFoundError(refusals.NO_FLIPS, node=node)


def _flip_tables(compared: ComparedRuns, rows: Sequence[MatchedNode]) -> Iterator[FlipTable]:
    for row in rows:
        module = compared.runs.catalog.get(row.any.module)
        for port in module.outputs if module else ():
            if issubclass(port.type, ScoredImages):
                tables = [_table(compared, index, row, port.id) for index in range(len(row.nodes))]
                flip_table = FlipTable(row.id, port.id, tables)
                if len(flip_table.present) > 1:
                    yield flip_table


def _table(compared: ComparedRuns, index: int, row: MatchedNode, port: str) -> ScoredTable | None:
    node = row.nodes[index]
    folder = _output(compared, index, node.id, port) if node else None
    if node is None or folder is None or not (folder / ScoredImages.file_name).is_file():
        return None
    graph = Graph(compared.documents[index], compared.runs.catalog)
    module = compared.runs.catalog.get(node.module)
    images = None
    for input_port in module.inputs if module else ():
        end = graph.inputs(node.id).get(input_port.id)
        if end is not None and issubclass(input_port.type, ImageDirectory):
            source = _output(compared, index, end.node, end.port)
            images = ImageDirectory(source) if source and _is_images(source) else None
    return ScoredTable(ScoredImages(folder), images)


def _output(compared: ComparedRuns, index: int, node: str, port: str) -> Path | None:
    step = compared.states[index].steps.get(node)
    folder = compared.runs.artifacts.outputs(step).get(port) if step else None
    return Path(folder) if folder else None


def _is_images(folder: Path) -> bool:
    return (folder / "images.parquet").is_file()


def _text(value: Any) -> str | None:
    """Return None for the tables' missing texts."""
    return value if isinstance(value, str) else None
