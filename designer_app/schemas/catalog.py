"""The palette and the ready-made pipelines."""

from __future__ import annotations

from designer_app.schemas.editor import CatalogSpec, TargetShape
from designer_app.schemas.shape import Shape
from pipelines.documents.document import PipelineDocument, Settings


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
    document: PipelineDocument


class LessonList(Shape):
    lessons: list[LessonEntry]
