"""OpenAPI document of the API, generated from its endpoints and models.

``python -m designer_app.api.openapi`` prints it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from designer_app.api.answers import ErrorAnswer
from designer_app.api.endpoint import ApiEndpoint
from designer_app.api.endpoints import ENDPOINTS
from designer_app.api.events import EventBatch, HeadlineReport, RunnerReport, Snapshot
from designer_app.schemas.identifiers import PATH_PATTERNS
from modules.schema_reference import KEY, JsonSchema
from pipelines.document.document import PipelineDocument

REFERENCE = "#/components/schemas/{model}"
ALWAYS_POSSIBLE = (401, 403, 500)
EXTRA_MODELS: tuple[type[BaseModel], ...] = (
    ErrorAnswer,
    Snapshot,
    EventBatch,
    HeadlineReport,
    RunnerReport,
    PipelineDocument,
)
STATUS_WORDS = {
    400: "The request is invalid.",
    401: "The token is missing or of another workspace.",
    403: "Another host or origin.",
    404: "Not found.",
    409: "Conflict with the current state.",
    413: "The body is too large.",
    415: "The body is of another content type.",
    416: "The range is out of bounds.",
    422: "The content was rejected; see `problems`.",
    428: "If-Match is missing.",
    429: "Called too often; Retry-After has the seconds.",
    500: "Something went wrong on the server.",
    503: "The runner did not start.",
    507: "The disk is full.",
}


def openapi(endpoints: Iterable[ApiEndpoint]) -> JsonSchema:
    """Return the document as JSON values."""
    endpoints = tuple(endpoints)
    paths: dict[str, JsonSchema] = {}
    for endpoint in endpoints:
        path = re.sub(r":path\}", "}", endpoint.path)
        paths.setdefault(path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pipeline Designer",
            "version": "1",
            "description": "Build, check, run and follow image-classification pipelines.",
        },
        "paths": paths,
        "components": {
            "schemas": _schemas(endpoints),
            "securitySchemes": {
                "token": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-Designer-Token",
                    "description": "The content of the file `token` in the workspace.",
                }
            },
        },
        "security": [{"token": []}],
    }


def _schemas(endpoints: Iterable[ApiEndpoint]) -> JsonSchema:
    models = {
        model: None for endpoint in endpoints for model in (endpoint.takes, endpoint.gives) if model
    }
    mode: JsonSchemaMode = "validation"
    wanted = [(model.__name__, mode, TypeAdapter(model)) for model in (*models, *EXTRA_MODELS)]
    _, definitions = TypeAdapter.json_schemas(wanted, by_alias=True, ref_template=REFERENCE)
    return dict(sorted(_linked(definitions["$defs"]).items()))


def _linked(schema: Any) -> Any:
    """Replace names of models by references to them."""
    if isinstance(schema, list):
        return [_linked(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    linked = {key: _linked(part) for key, part in schema.items() if key != KEY}
    if KEY in schema:
        linked["$ref"] = REFERENCE.format(model=schema[KEY])
    return linked


def _operation(endpoint: ApiEndpoint) -> JsonSchema:
    operation: JsonSchema = {
        "operationId": endpoint.operation_id,
        "summary": endpoint.summary,
        "parameters": [*_path_parameters(endpoint), *_other_parameters(endpoint)],
        "responses": {str(endpoint.status): _success(endpoint), **_failures(endpoint)},
    }
    if endpoint.takes or endpoint.accepts:
        operation["requestBody"] = {"required": True, "content": _body(endpoint)}
    return operation


def _path_parameters(endpoint: ApiEndpoint) -> list[JsonSchema]:
    names = re.findall(r"\{(\w+)(?::path)?\}", endpoint.path)
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "pattern": f"^{PATH_PATTERNS[name]}$"},
        }
        for name in names
    ]


def _other_parameters(endpoint: ApiEndpoint) -> list[JsonSchema]:
    places = (("query", endpoint.query), ("header", endpoint.headers))
    return [
        {"name": name, "in": place, "description": text, "schema": {"type": "string"}}
        for place, described in places
        for name, text in described.items()
    ]


def _body(endpoint: ApiEndpoint) -> JsonSchema:
    content: JsonSchema = {kind: {"schema": _BINARY} for kind in endpoint.accepts}
    if endpoint.takes:
        content["application/json"] = {"schema": _reference(endpoint.takes)}
    return content


def _success(endpoint: ApiEndpoint) -> JsonSchema:
    schema = _reference(endpoint.gives) if endpoint.gives else {}
    return {"description": "Done.", "content": {endpoint.media_type: {"schema": schema}}}


def _failures(endpoint: ApiEndpoint) -> JsonSchema:
    content = {"application/json": {"schema": _reference(ErrorAnswer)}}
    possible = {*ALWAYS_POSSIBLE, *endpoint.errors}
    possible |= {400, 413, 415} if endpoint.takes else set()
    return {
        str(status): {"description": STATUS_WORDS[status], "content": content}
        for status in sorted(possible)
    }


def _reference(model: type[Any]) -> dict[str, str]:
    return {"$ref": REFERENCE.format(model=model.__name__)}


_BINARY = {"type": "string", "format": "binary"}


def main() -> None:
    """Print the document."""
    json.dump(openapi(ENDPOINTS), sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
