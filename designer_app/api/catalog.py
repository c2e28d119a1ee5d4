"""What there is to build with: modules, compute targets, ready-made pipelines."""

from __future__ import annotations

from typing import Any

from designer_app.api.endpoint import Call, Endpoint
from designer_app.application import Application
from designer_app.schemas.catalog import CatalogAnswer, LessonList
from pipelines.documents.document import MAX_BYTES, Settings
from pipelines.documents.lessons import lessons


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
                "document": lesson.document.to_json(),
            }
            for lesson in lessons()
        ]
    }


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/catalog",
        "Modules, port types, compute targets and the settings of a new pipeline.",
        _catalog,
        gives=CatalogAnswer,
    ),
    Endpoint("GET", "/api/lessons", "The ready-made pipelines.", _lessons, gives=LessonList),
)
