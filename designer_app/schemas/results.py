"""What runs came to: the number each is judged by, and the columns they can be told apart by."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape
from pipelines.runs.columns import RunColumn
from pipelines.runs.headline import Figure, Headline, HeadlineChoice


class HeadlineSetting(Shape):
    """By which metric of which node a pipeline's runs are judged."""

    headline: HeadlineChoice | None = Field(description="Null: by the one that says most of each.")


class RunFigures(Shape):
    """Every number that a run came to, parents before the nodes that need them."""

    run_id: str
    headline: Headline | None
    figures: list[Figure]


class RunColumnList(Shape):
    """What can stand in columns beside these runs."""

    columns: list[RunColumn]
