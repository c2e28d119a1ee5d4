"""Module palette and ready-made pipelines."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.editor import CatalogSpec, TargetShape
from designer_app.schemas.shape import Shape
from pipelines.document.document import PipelineDocument, Settings
from pipelines.lessons.guide import LessonGuide, Level


class CatalogAnswer(CatalogSpec):
    """Module palette, compute targets and default settings of a new pipeline."""

    targets: list[TargetShape]
    settings: Settings
    document_limits: dict[str, int]


class LessonEntry(Shape):
    """Ready-made pipeline."""

    slug: str
    name: str
    description: str
    minutes: int
    level: Level
    document: PipelineDocument


class LessonList(Shape):
    lessons: list[LessonEntry]


class OpenedLesson(Shape):
    """Lesson from which a pipeline was opened."""

    opened: float = Field(description="Time of opening, in seconds since the epoch.")
    lesson: LessonGuide | None = Field(description="Null if it was created in another way.")
