"""Every route beside Streamlit's own: the API and the editor's built files."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from designer_app.api import (
    artifacts,
    catalog,
    comparison,
    datasets,
    environment,
    events,
    history,
    log_search,
    logs,
    models,
    pipelines,
    replays,
    revisions,
    runs,
    targets,
    thumbnails,
    validation,
)
from designer_app.api.endpoint import Endpoint
from designer_app.api.errors import not_found
from designer_app.api.openapi import openapi
from designer_app.api.responses import answer
from designer_app.application import Application

ENDPOINTS: tuple[Endpoint, ...] = (
    *catalog.ENDPOINTS,
    *pipelines.ENDPOINTS,
    *revisions.ENDPOINTS,
    *validation.ENDPOINTS,
    *history.ENDPOINTS,
    *runs.ENDPOINTS,
    *comparison.ENDPOINTS,
    *events.ENDPOINTS,
    *logs.ENDPOINTS,
    *log_search.ENDPOINTS,
    *artifacts.ENDPOINTS,
    *thumbnails.ENDPOINTS,
    *replays.ENDPOINTS,
    *targets.ENDPOINTS,
    *datasets.ENDPOINTS,
    *models.ENDPOINTS,
    *environment.ENDPOINTS,
)
STATIC_DIR = Path(__file__).resolve().parents[1] / "editor" / "static"
STATIC_PATH = "/ui"
HASHED = re.compile(r"-[A-Za-z0-9_-]{8,}\.(js|css|woff2|svg|map)$")
FOREVER = "public, max-age=31536000, immutable"


def routes(application: Application) -> list[BaseRoute]:
    """The routes of an application; an address below ``/api`` that is none of them is a 404."""
    return [
        *(endpoint.route(application) for endpoint in ENDPOINTS),
        Route("/api/openapi.json", _openapi, methods=["GET"]),
        Route("/api/{rest:path}", _nothing, methods=["GET", "POST", "PUT", "DELETE", "PATCH"]),
        Mount(STATIC_PATH, EditorFiles(directory=STATIC_DIR, check_dir=False)),
    ]


class EditorFiles(StaticFiles):
    """The built editor: a file with its hash in its name never changes."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        lasting = response.status_code in (200, 304) and HASHED.search(path)
        response.headers["Cache-Control"] = FOREVER if lasting else "no-cache"
        return response


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document."""
    return openapi(ENDPOINTS)


async def _openapi(_request: Request) -> Response:
    return answer(document())


async def _nothing(request: Request) -> Response:
    refusal = not_found(
        f"There is no {request.method} {request.url.path[:200]}.", "See /api/openapi.json."
    )
    return answer(refusal.to_json(), refusal.status)
