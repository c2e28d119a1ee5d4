"""All routes besides Streamlit's: the API and the built files of the editor."""

from __future__ import annotations

from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from designer_app.api import sentences
from designer_app.api.endpoints import ENDPOINTS
from designer_app.api.openapi import openapi
from designer_app.application import Application
from designer_app.editor.static_files import STATIC_DIR, STATIC_PATH, EditorFiles
from designer_app.elements.element import MODULES, element_module
from designer_app.errors import not_found
from designer_app.responses import answer
from modules.schema_reference import JsonSchema


def routes(application: Application) -> list[BaseRoute]:
    """Return the routes of an application; unknown addresses below ``/api`` are a 404."""
    return [
        *(endpoint.route(application) for endpoint in ENDPOINTS),
        Route("/api/openapi.json", _openapi, methods=["GET"]),
        Route(
            "/api/{rest:path}", _no_such_address, methods=["GET", "POST", "PUT", "DELETE", "PATCH"]
        ),
        Route("/elements/{name}.js", _element, methods=["GET"]),
        Mount(STATIC_PATH, EditorFiles(STATIC_DIR)),
    ]


@cache
def document() -> JsonSchema:
    """Return the OpenAPI document."""
    return openapi(ENDPOINTS)


async def _openapi(_request: Request) -> Response:
    return answer(document())


async def _element(request: Request) -> Response:
    """Return the script of an element that pages and the editor share."""
    name = request.path_params["name"]
    if name not in MODULES:
        return await _no_such_address(request)
    headers = {"Cache-Control": "no-cache"}
    return Response(element_module(name), 200, headers, "text/javascript")


async def _no_such_address(request: Request) -> Response:
    refusal = not_found(sentences.NO_ROUTE, method=request.method, path=request.url.path[:200])
    return answer(refusal.body, refusal.status)
