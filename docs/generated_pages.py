"""Pages that are written from the code when the documentation is built.

``write`` puts them below ``tutorials/generated`` and ``reference/generated``, which are not
committed: the same definitions always give the same pages.
"""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from designer_app.api.endpoints import ENDPOINTS
from designer_app.api.openapi import openapi
from modules.catalog import builtin_catalog
from modules.catalog_spec import catalog_spec
from pipelines.cli import app as command_line
from pipelines.cli.help_texts import in_user_language
from pipelines.cli.reference import command_facts
from pipelines.lessons.lesson import Lesson, lessons
from pipelines.reference.pages import module_pages, reference, table

ROOT = Path(__file__).parents[1]
SCHEMA = ROOT / "pipelines" / "schema" / "pipeline-designer-2.json"
GENERATED = "generated"


def version() -> str:
    """Return the version of the project."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return str(content["project"]["version"])


def write(docs: Path) -> None:
    """Write all generated pages below a folder; pages of earlier builds are removed."""
    for section in ("tutorials", "reference"):
        shutil.rmtree(docs / section / GENERATED, ignore_errors=True)
    for name, text in pages():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the Markdown text of every generated page."""
    for lesson in lessons():
        yield f"tutorials/{GENERATED}/{lesson.slug}.md", _lesson_page(lesson)
    catalog = builtin_catalog()
    for module, text in module_pages(catalog):
        yield f"reference/{GENERATED}/modules/{module}.md", text
    yield f"reference/{GENERATED}/modules.md", _modules_index()
    commands = list(command_facts(in_user_language(command_line), "designer"))
    for section in ("errors", "commands", "files"):
        yield f"reference/{GENERATED}/{section}.md", reference(catalog, commands, section)
    yield f"reference/{GENERATED}/http-api.md", _http_page(openapi(ENDPOINTS))
    yield f"reference/{GENERATED}/document-format.md", _format_page()


def _lesson_page(lesson: Lesson) -> str:
    document, guide = lesson.shown_document, lesson.shown_guide
    parts = [
        f"# {document.name}",
        document.description,
        f"Level: {guide.level}. Time: about {guide.minutes} minutes.",
        "Open this lesson on the start page of the designer, or run it on the command line:",
        f"```sh\ndesigner run {lesson.slug}\n```",
        "## Steps",
    ]
    for number, step in enumerate(guide.steps, 1):
        parts += [f"### {number}. {step.task}", step.hint, step.after]
        if step.how_to:
            parts.append(f"See the [how-to guide](../../how-to/{step.how_to}.md).")
    return "\n\n".join(part for part in parts if part) + "\n"


def _modules_index() -> str:
    modules = catalog_spec(builtin_catalog()).modules
    names = [f"{module.title} <modules/{module.id}>" for module in modules]
    rows = [
        (f"[{module.title}](modules/{module.id}.md)", module.category, module.summary)
        for module in modules
    ]
    listed = table(("Module", "Category", "Description"), rows)
    tree = "\n".join(names)
    return f"# Modules\n\n{listed}\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"


def _http_page(described: Mapping[str, Any]) -> str:
    parts = [
        "# HTTP API",
        "All addresses need the header `X-Designer-Token` with the contents of the file `token` in "
        "the workspace. `GET /api/openapi.json` returns this description for programs.",
    ]
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            parts += _operation(f"{method.upper()} {path}", operation)
    parts.append("## Objects")
    for name, schema in sorted(described["components"]["schemas"].items()):
        parts += [f"### {name}", schema.get("description", ""), _fields(schema)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _operation(title: str, operation: Mapping[str, Any]) -> list[str]:
    rows = [
        (f"`{part['name']}`", part["in"], part.get("description", ""))
        for part in operation["parameters"]
    ]
    parts = [f"## `{title}`", operation["summary"]]
    if rows:
        parts.append(table(("Name", "In", "Description"), rows))
    for status, answer in operation["responses"].items():
        content = answer.get("content", {}).get("application/json", {}).get("schema")
        body = f" Body: {_type(content)}." if content else ""
        parts.append(f"- `{status}`: {answer.get('description', '')}{body}")
    return parts


def _fields(schema: Mapping[str, Any]) -> str:
    rows = [
        (f"`{name}`", _type(field), field.get("description", ""))
        for name, field in schema.get("properties", {}).items()
    ]
    return table(("Field", "Type", "Description"), rows) if rows else ""


def _type(schema: Mapping[str, Any]) -> str:
    """Return the type of a JSON schema as text."""
    if reference_to := schema.get("$ref"):
        return f"`{reference_to.rpartition('/')[2]}`"
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return f"`{schema.get('type', 'any')}`"


def _format_page() -> str:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    parts = [
        "# Document format",
        "A pipeline is one JSON file. Its `format` names the version of the format; files of older "
        "versions are migrated when they are opened.",
        "## Document",
        _fields(schema),
    ]
    for name, part in schema["$defs"].items():
        parts += [f"## {name}", part.get("description", ""), _fields(part)]
    return "\n\n".join(part for part in parts if part) + "\n"
