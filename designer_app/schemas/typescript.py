"""TypeScript types generated from the pydantic models.

Generating requires node and the installed development packages. The check does not: the first lines
of a file contain the hash of its schema and the hash of the text below, which must not be edited by
hand. ``designer_app.api.typescript`` is the command.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from designer_app.schemas.editor import EditorTypes
from modules.files.whole_files import replacing
from modules.schema_reference import KEY
from pipelines.document.document import OMISSIBLE

FRONTEND_DIR = Path(__file__).resolve().parents[1] / "frontend"
SOURCES_DIR = FRONTEND_DIR / "src"
COMMAND = "python -m designer_app.api.typescript"


@dataclass(frozen=True)
class TypesFile:
    """Generated file and its JSON Schema.

    ``imports`` maps other files to the types imported from them.
    """

    path: Path
    schema: Mapping[str, Any]
    imports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def stale_reason(self) -> str | None:
        """Return why the file is out of date and what to do; None if it is up to date."""
        if not self.path.is_file():
            return f"{self.path.name} is missing: run `{COMMAND}`."
        lines = self.path.read_text(encoding="utf-8").split("\n", 3)
        _note, schema, seal, text = [*lines, "", "", ""][:4]
        if schema != f"// schema {self.source_hash()}":
            return f"{self.path.name} was made from other models: run `{COMMAND}`."
        if seal != _seal(text):
            return f"{self.path.name} was changed by hand: run `{COMMAND}`."
        return None

    def source_hash(self) -> str:
        """Return the hash required in the file's second line."""
        return _hash(json.dumps([self.schema, self.imports], sort_keys=True, ensure_ascii=False))

    def text(self) -> str:
        """Return the required content of the file; raises ``RuntimeError`` without node."""
        note, named, text = _made(
            {"hash": self.source_hash(), "schema": self.schema, "imports": self.imports}
        ).split("\n", 2)
        return f"{note}\n{named}\n{_seal(text)}\n{text}"

    def write(self) -> None:
        """Generate the file; raises ``RuntimeError`` like ``text``."""
        with replacing(self.path) as temporary:
            temporary.write_text(self.text(), encoding="utf-8")


def editor_types() -> TypesFile:
    """Return the types of documents, the catalog, problems, runs and their events.

    Required properties are those that Python always writes.
    """
    schema = EditorTypes.model_json_schema(by_alias=True)
    any_is_json(schema, "#/$defs/JsonValue")
    complete(schema)
    return TypesFile(SOURCES_DIR / "graph" / "types.gen.ts", schema)


def any_is_json(schema: Any, reference: str) -> None:
    """Describe values of any kind as JSON values: the server sends nothing else."""
    parts = schema.values() if isinstance(schema, dict) else schema
    if isinstance(schema, dict):
        json_value = {"$ref": reference}
        if schema.get("additionalProperties") is True:
            schema["additionalProperties"] = json_value
        if schema.get("items") == {}:
            schema["items"] = json_value
    elif not isinstance(schema, list):
        return
    for part in parts:
        any_is_json(part, reference)


def complete(schema: Any) -> None:
    """Require every named property; drop defaults and the titles that only repeat names."""
    if isinstance(schema, list):
        for part in schema:
            complete(part)
        return
    if not isinstance(schema, dict):
        return
    if KEY in schema:
        schema["$ref"] = f"#/$defs/{schema.pop(KEY)}"
    properties = schema.get("properties")
    if schema.get("type") == "object" and isinstance(properties, dict):
        schema["required"] = [
            name for name, property_ in properties.items() if OMISSIBLE not in property_
        ]
        for property_ in properties.values():
            property_.pop("title", None)
            property_.pop(OMISSIBLE, None)
    schema.pop("default", None)
    for key, value in schema.items():
        if key == "properties":
            for part in value.values():
                complete(part)
        elif key != "default":
            complete(value)


def _made(source: Mapping[str, Any]) -> str:
    node = shutil.which("node")
    if node is None or not (FRONTEND_DIR / "node_modules").is_dir():
        raise RuntimeError("Node and the editor's packages are missing: run `make editor` first.")
    done = subprocess.run(
        [node, "scripts/types.mjs"],
        cwd=FRONTEND_DIR,
        input=json.dumps(source),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"The types could not be made: {done.stderr[-2000:]}")
    return done.stdout


def _seal(text: str) -> str:
    """Return the line with the hash of the text below it."""
    return f"// text {_hash(text)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
