"""The palette and the ready-made pipelines."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.editor import CatalogSpec, TargetShape
from designer_app.schemas.shape import Shape
from pipelines.documents.document import PipelineDocument, Settings
from pipelines.documents.lesson_guides import LessonGuide, Level


class CatalogAnswer(CatalogSpec):
    """The palette, the compute targets and the settings a new pipeline has."""

    targets: list[TargetShape]
    settings: Settings
    document_limits: dict[str, int]


class LessonEntry(Shape):
    """A ready-made pipeline."""

    slug: str
    name: str
    description: str
    minutes: int
    level: Level
    document: PipelineDocument


class LessonList(Shape):
    lessons: list[LessonEntry]


class OpenedLesson(Shape):
    """The lesson that a pipeline was opened for."""

    opened: float = Field(description="When that was, in seconds since the epoch.")
    lesson: LessonGuide | None = Field(description="Null where it was made otherwise.")
