"""Endpoints for the building blocks: modules, compute targets, ready-made pipelines."""

from __future__ import annotations

from pydantic import Field

from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.application import Application
from modules.catalog_spec import CatalogSpec, catalog_spec
from modules.json_model import JsonModel
from pipelines.document.document import MAX_BYTES, PipelineDocument, Settings
from pipelines.document.target_offer import TargetOffer
from pipelines.lessons.guide import LessonGuide, Level
from pipelines.lessons.lesson import following, lesson_of, lessons


class CatalogAnswer(CatalogSpec):
    """Module palette, compute targets and default settings of a new pipeline."""

    targets: list[TargetOffer]
    settings: Settings
    document_limits: dict[str, int]


class LessonEntry(JsonModel):
    """Ready-made pipeline."""

    slug: str
    name: str
    description: str
    minutes: int
    level: Level
    document: PipelineDocument


class LessonList(JsonModel):
    lessons: list[LessonEntry]


class NextLesson(JsonModel):
    """Lesson after another one."""

    pipeline_id: str = Field(description="Id of its pipeline when it is opened.")
    name: str


class OpenedLesson(JsonModel):
    """Lesson from which a pipeline was opened."""

    opened: float = Field(description="Time of opening, in seconds since the epoch.")
    lesson: LessonGuide | None = Field(description="Null if it was created in another way.")
    following: NextLesson | None = Field(description="Null for the last lesson.")


@ApiEndpoint("GET", "/api/catalog")
def _catalog(application: Application, _call: Call) -> CatalogAnswer:
    """Modules, port types, compute targets and the settings of a new pipeline."""
    session = application.session
    return CatalogAnswer(
        **dict(catalog_spec(session.catalog)),
        targets=list(session.targets.offers().values()),
        settings=Settings(),
        document_limits={"bytes": MAX_BYTES},
    )


@ApiEndpoint("GET", "/api/lessons")
def _lessons(_application: Application, _call: Call) -> LessonList:
    """The lessons."""
    return LessonList(
        lessons=[
            LessonEntry(
                slug=lesson.slug,
                name=document.name,
                description=document.description,
                minutes=lesson.guide.minutes,
                level=lesson.guide.level,
                document=document,
            )
            for lesson in lessons()
            for document in [lesson.shown_document]
        ]
    )


@ApiEndpoint("GET", "/api/pipelines/{pipeline_id}/lesson", errors=(404,))
def _lesson(application: Application, call: Call) -> OpenedLesson:
    """The steps of the lesson that a pipeline was opened for."""
    pipeline_id = call.path["pipeline_id"]
    made = application.session.pipelines.revision(pipeline_id, 1)
    lesson = lesson_of(pipeline_id)
    after = following(lesson) if lesson else None
    return OpenedLesson(
        opened=made.created,
        lesson=lesson.shown_guide if lesson else None,
        following=after and NextLesson(pipeline_id=after.opened().id, name=after.opened().name),
    )


ENDPOINTS = (_catalog, _lessons, _lesson)
