"""Results of runs: primary metrics, and columns of run lists."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape
from pipelines.runs.columns import RunColumn
from pipelines.runs.headline import Figure, Headline, HeadlineChoice


class HeadlineSetting(Shape):
    """Primary metric of a pipeline's runs."""

    headline: HeadlineChoice | None = Field(description="Null: chosen automatically for each run.")


class RunFigures(Shape):
    """All metrics of a run, in node order."""

    run_id: str
    headline: Headline | None
    figures: list[Figure]


class RunColumnList(Shape):
    """Available columns for these runs."""

    columns: list[RunColumn]
