"""Endpoints for the building blocks: modules, compute targets, ready-made pipelines."""

from __future__ import annotations

from typing import Any

from designer_app.api.endpoint import Call, Endpoint
from designer_app.application import Application
from designer_app.schemas.catalog import CatalogAnswer, LessonList, OpenedLesson
from pipelines.document.document import MAX_BYTES, Settings
from pipelines.lessons.lesson import lesson_of, lessons


def _catalog(application: Application, _call: Call) -> dict[str, Any]:
    session = application.session
    return {
        **session.catalog.to_json(),
        "targets": [offer.to_json() for offer in session.targets.offers().values()],
        "settings": Settings().model_dump(mode="json"),
        "document_limits": {"bytes": MAX_BYTES},
    }


def _lessons(_application: Application, _call: Call) -> dict[str, Any]:
    return {
        "lessons": [
            {
                "slug": lesson.slug,
                "name": lesson.document.name,
                "description": lesson.document.description,
                "minutes": lesson.guide.minutes,
                "level": lesson.guide.level,
                "document": lesson.document.to_json(),
            }
            for lesson in lessons()
        ]
    }


def _lesson(application: Application, call: Call) -> dict[str, Any]:
    pipeline_id = call.path["pipeline_id"]
    made = application.session.pipelines.revision(pipeline_id, 1)
    lesson = lesson_of(pipeline_id)
    guide = lesson.guide.model_dump(mode="json") if lesson else None
    return {"opened": made.created, "lesson": guide}


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/catalog",
        "Modules, port types, compute targets and the settings of a new pipeline.",
        _catalog,
        gives=CatalogAnswer,
    ),
    Endpoint("GET", "/api/lessons", "The lessons.", _lessons, gives=LessonList),
    Endpoint(
        "GET",
        "/api/pipelines/{pipeline_id}/lesson",
        "The steps of the lesson that a pipeline was opened for.",
        _lesson,
        gives=OpenedLesson,
        errors=(404,),
    ),
)
