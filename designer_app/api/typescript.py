"""Generated TypeScript: document types, API endpoints and sentences.

``python -m designer_app.api.typescript`` writes ``graph/types.gen.ts``, ``api/types.gen.ts`` and
``graph/sentences/*.gen.ts`` below ``frontend/src``; ``--check`` reports which of them are
out of date.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from typing import Any

from designer_app.api.endpoints import ENDPOINTS
from designer_app.api.openapi import REFERENCE, openapi
from designer_app.schemas.sentences import SentencesFile, sentences_files
from designer_app.schemas.typescript import (
    COMMAND,
    FRONTEND_DIR,
    SOURCES_DIR,
    TypesFile,
    any_is_json,
    editor_types,
)
from modules.schema_reference import JsonSchema

NAME = re.compile(r"(?:GET|POST|PUT|DELETE) /[^\"]*|\w+")
REFERS = re.compile(re.escape(REFERENCE).replace(r"\{model\}", r"(\w+)"))


def api_types() -> TypesFile:
    """Return ``Endpoints``, which maps method and path to types of request and response.

    They are those named in the editor's TypeScript; ``openapi.json`` describes all.
    """
    described = openapi(ENDPOINTS)
    any_is_json(described, REFERENCE.format(model="JsonValue"))
    models: JsonSchema = described["components"]["schemas"]
    known = set(editor_types().schema["$defs"])
    named = _names_in_editor()
    schema = {
        "title": "Endpoints",
        "description": "Endpoints: path and query parameters, body and response.",
        **_object(
            {
                name: _endpoint(operation)
                for path, operations in described["paths"].items()
                for method, operation in operations.items()
                if (name := f"{method.upper()} {path.removeprefix('/api')}") in named
            }
        ),
    }
    imported = [{"$ref": REFERENCE.format(model=name)} for name in models if name in named]
    needed = _referenced([schema, imported], models) - known
    schema["$defs"] = {name: _untitled(models[name]) for name in models if name in needed}
    taken = known & set(REFERS.findall(json.dumps(schema)))
    imports = {"../graph/types.gen": tuple(sorted(taken))}
    return TypesFile(SOURCES_DIR / "api" / "types.gen.ts", _linked(schema, known), imports)


def _names_in_editor() -> set[str]:
    """Return endpoints such as ``GET /lessons`` and all words in the editor's sources and tests."""
    return {
        name
        for folder in (SOURCES_DIR, FRONTEND_DIR / "tests")
        for path in folder.rglob("*.ts*")
        if not path.name.endswith(".gen.ts")
        for name in NAME.findall(path.read_text(encoding="utf-8"))
    }


def _referenced(schema: Any, models: JsonSchema) -> set[str]:
    """Return the names of models that a schema refers to, directly or by other models."""
    referenced: set[str] = set()
    waiting = set(REFERS.findall(json.dumps(schema)))
    while waiting:
        referenced |= waiting
        texts = [json.dumps(models[name]) for name in waiting]
        waiting = {name for text in texts for name in REFERS.findall(text)} - referenced
    return referenced


def _endpoint(operation: JsonSchema) -> JsonSchema:
    """Return the parts of a request that are JSON or text, and ``gives``."""
    parts: JsonSchema = {}
    required = []
    for place in ("path", "query", "header"):
        of_place = [parameter for parameter in operation["parameters"] if parameter["in"] == place]
        if of_place:
            names = {parameter["name"]: _text(parameter) for parameter in of_place}
            parts[place] = _object(names, [] if place != "path" else None)
            required += ["path"] if place == "path" else []
    body = operation.get("requestBody", {}).get("content", {})
    if "application/json" in body:
        parts["body"] = body["application/json"]["schema"]
        required += ["body"] if len(body) == 1 else []
    content = _answer(operation)
    if content:
        parts["gives"] = content
        required.append("gives")
    return {"description": operation["summary"], **_object(parts, required)}


def _answer(operation: JsonSchema) -> JsonSchema | None:
    """Return the schema of a successful JSON response."""
    done = next(response for status, response in operation["responses"].items() if status < "300")
    schema: JsonSchema | None = done["content"].get("application/json", {}).get("schema")
    return schema


def _text(parameter: JsonSchema) -> JsonSchema:
    said = parameter.get("description")
    return {"type": "string", **({"description": said} if said else {})}


def _object(properties: JsonSchema, required: list[str] | None = None) -> JsonSchema:
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": list(properties) if required is None else required,
    }


def _untitled(model: JsonSchema) -> JsonSchema:
    """Remove titles of properties, which repeat their names; require constants."""
    properties: JsonSchema = {
        name: {key: part for key, part in schema.items() if key != "title"}
        for name, schema in model.get("properties", {}).items()
    }
    if not properties:
        return model
    constants = [name for name, schema in properties.items() if "const" in schema]
    return {
        **model,
        "properties": properties,
        "required": [*model.get("required", []), *constants],
    }


def _linked(schema: Any, known: set[str]) -> Any:
    """Resolve references within the file, and by name to the types of the other file."""
    if isinstance(schema, list):
        return [_linked(part, known) for part in schema]
    if not isinstance(schema, dict):
        return schema
    linked = {key: _linked(part, known) for key, part in schema.items()}
    reference = REFERS.fullmatch(str(linked.get("$ref", "")))
    if reference and reference[1] in known:
        return {"tsType": reference[1]}
    return {**linked, "$ref": f"#/$defs/{reference[1]}"} if reference else linked


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether they are fresh")
    files: tuple[TypesFile | SentencesFile, ...]
    files = (editor_types(), api_types(), *sentences_files())
    if not parser.parse_args(arguments).check:
        for file in files:
            file.write()
        return 0
    reasons = [reason for file in files if (reason := file.stale_reason())]
    for reason in reasons:
        print(reason, file=sys.stderr)
    return 1 if reasons else 0


if __name__ == "__main__":
    raise SystemExit(main())
