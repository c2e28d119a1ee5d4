"""OpenAPI document of an endpoint."""

from __future__ import annotations

from designer_app.serving.settings import EndpointSettings
from modules.schema_reference import JsonSchema


def openapi(settings: EndpointSettings) -> JsonSchema:
    """Return the document as JSON values."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"Endpoint {settings.name}",
            "version": "1",
            "description": "Classifies images with a registered model of Pipeline Designer.",
        },
        "servers": [{"url": settings.address}],
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"key": []}, {}],
        "paths": _paths(settings.limits.request_pictures),
    }


def _paths(most: int) -> JsonSchema:
    image: JsonSchema = {"schema": {"type": "string", "format": "binary"}}
    body = {
        "image/*": image,
        "application/octet-stream": image,
        "multipart/form-data": {
            "schema": {"type": "object", "additionalProperties": image["schema"]}
        },
        "application/json": {"schema": _reference("Images")},
    }
    answers = {"oneOf": [_reference("Prediction"), _reference("Predictions")]}
    return {
        "/score": {
            "post": _operation(
                "score",
                f"Classify one image, or up to {most} by multipart or JSON.",
                answers,
                body,
                {
                    "413": "The body is too large.",
                    "415": "The body is of another content type.",
                    "422": "An image cannot be read.",
                    "503": "The queue is full or the model is not ready; see Retry-After.",
                    "504": "The request was not scored in time.",
                },
            )
        },
        "/v2/models/{model}/infer": {
            "parameters": [
                {"name": "model", "in": "path", "required": True, "schema": {"type": "string"}}
            ],
            "post": _operation(
                "infer",
                "Classify images by the KServe protocol, version 2: BYTES or UINT8.",
                {"type": "object"},
                {"application/json": {"schema": {"type": "object"}}},
                {"404": "Another model is served.", "422": "The tensor cannot be read."},
            ),
        },
        "/health/live": {"get": _operation("live", "The process answers.", {"type": "object"})},
        "/health/ready": {
            "get": _operation(
                "ready",
                "A model is loaded and its files are whole.",
                _reference("Ready"),
                more={"503": "Not ready; the reason is in the body."},
            )
        },
        "/metrics": {
            "get": {
                "operationId": "metrics",
                "summary": "Counters in the text format of Prometheus.",
                "responses": {"200": {"description": "Counters.", "content": {"text/plain": {}}}},
            }
        },
        "/status": {
            "get": _operation("status", "Version, counters and drift.", {"type": "object"})
        },
        "/log": {
            "get": _operation("log", "The newest requests, without images.", {"type": "object"})
        },
        "/swap": {
            "post": _operation(
                "swap",
                "Serve another version, after a check on the golden images.",
                {"type": "object"},
                {"application/json": {"schema": _reference("Swap")}},
                {"404": "Unknown version.", "422": "The version was rejected; the old one stays."},
            )
        },
        "/rollback": {
            "post": _operation("rollback", "Return to the version before.", {"type": "object"})
        },
    }


def _operation(
    name: str,
    summary: str,
    answer: JsonSchema,
    body: JsonSchema | None = None,
    more: dict[str, str] | None = None,
) -> JsonSchema:
    errors = {"401": "The key is missing or wrong.", **(more or {})}
    described: JsonSchema = {
        "operationId": name,
        "summary": summary,
        "responses": {
            "200": {"description": "Success.", "content": {"application/json": {"schema": answer}}},
            **{status: _error(text) for status, text in sorted(errors.items())},
        },
    }
    if body is not None:
        described["requestBody"] = {"required": True, "content": body}
    return described


def _error(text: str) -> JsonSchema:
    return {
        "description": text,
        "content": {"application/json": {"schema": _reference("Error")}},
    }


def _schemas() -> JsonSchema:
    text: JsonSchema = {"type": "string"}
    probabilities = {"type": "object", "additionalProperties": {"type": "number"}}
    prediction = {"label": text, "probabilities": probabilities}
    facts = {"model": text, "milliseconds": {"type": "number"}}
    return {
        "Prediction": _object({**prediction, **facts}),
        "Predictions": _object(
            {"predictions": {"type": "array", "items": _object(prediction)}, **facts}
        ),
        "Images": {
            "oneOf": [
                _object({"image": {**text, "description": "An image file in base64."}}),
                _object({"instances": {"type": "array", "items": text}}),
            ]
        },
        "Ready": _object({"ready": {"type": "boolean"}, "model": text, "reason": text}),
        "Swap": _object({"model": {**text, "description": "NAME@VERSION or NAME@ALIAS."}}),
        "Error": _object(
            {"error": _object({"code": text, "message": text, "cure": text, "reason": text})}
        ),
    }


def _object(properties: JsonSchema) -> JsonSchema:
    nullable = {"model", "reason"} if "ready" in properties else set()
    shown = {
        name: {"type": ["string", "null"]} if name in nullable else schema
        for name, schema in properties.items()
    }
    return {"type": "object", "properties": shown, "required": list(properties)}


def _reference(name: str) -> JsonSchema:
    return {"$ref": f"#/components/schemas/{name}"}
