"""The editor's TypeScript types, made from the models of Python.

``python -m designer_app.schemas.typescript`` writes ``frontend/src/graph/types.gen.ts``;
``--check`` says whether that file is the one it would write. Writing needs node and the installed
development packages. Checking compares two hashes that stand in the file's first lines: that of the
schema, and that of the text below, which nobody is to change by hand.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from designer_app.schemas.editor import EditorTypes
from pipelines.documents.document import OMISSIBLE

FRONTEND_DIR = Path(__file__).resolve().parents[1] / "editor" / "frontend"
TYPES_PATH = FRONTEND_DIR / "src" / "graph" / "types.gen.ts"
COMMAND = "python -m designer_app.schemas.typescript"


def types_schema() -> dict[str, Any]:
    """One JSON Schema with every model; properties are required as in what Python writes."""
    schema = EditorTypes.model_json_schema(by_alias=True)
    _complete(schema)
    return schema


def schema_hash(schema: dict[str, Any]) -> str:
    """What the generated file's second line must name."""
    return _hash(json.dumps(schema, sort_keys=True, ensure_ascii=False))


def stale_reason() -> str | None:
    """Why the generated file is not fresh and what to do; None when it is."""
    expected = f"// schema {schema_hash(types_schema())}"
    if not TYPES_PATH.is_file():
        return f"{TYPES_PATH.name} is missing: run `{COMMAND}`."
    lines = TYPES_PATH.read_text(encoding="utf-8").split("\n", 3)
    _note, schema, seal, text = [*lines, "", "", ""][:4]
    if schema != expected:
        return f"{TYPES_PATH.name} was made from other models: run `{COMMAND}`."
    if seal != _seal(text):
        return f"{TYPES_PATH.name} was changed by hand: run `{COMMAND}`."
    return None


def generate() -> str:
    """The text of the file; raises ``RuntimeError`` where node is missing or fails."""
    node = shutil.which("node")
    if node is None or not (FRONTEND_DIR / "node_modules").is_dir():
        raise RuntimeError("Node and the editor's packages are missing: run `make editor` first.")
    schema = types_schema()
    done = subprocess.run(
        [node, "scripts/types.mjs"],
        cwd=FRONTEND_DIR,
        input=json.dumps({"hash": schema_hash(schema), "schema": schema}),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"The types could not be made: {done.stderr[-2000:]}")
    note, named, text = done.stdout.split("\n", 2)
    return f"{note}\n{named}\n{_seal(text)}\n{text}"


def _seal(text: str) -> str:
    """The line that says what follows it."""
    return f"// text {_hash(text)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether it is fresh")
    if parser.parse_args(arguments).check:
        reason = stale_reason()
        if reason:
            print(reason, file=sys.stderr)
        return 1 if reason else 0
    text = generate()
    temporary = TYPES_PATH.with_suffix(".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(TYPES_PATH)
    return 0


def _complete(schema: Any) -> None:
    """Require every named property, drop defaults and the titles that only repeat names."""
    if isinstance(schema, list):
        for each in schema:
            _complete(each)
        return
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties")
    if schema.get("type") == "object" and isinstance(properties, dict):
        schema["required"] = [name for name, each in properties.items() if OMISSIBLE not in each]
        for each in properties.values():
            each.pop("title", None)
            each.pop(OMISSIBLE, None)
    schema.pop("default", None)
    for key, each in schema.items():
        if key == "properties":
            for part in each.values():
                _complete(part)
        elif key != "default":
            _complete(each)


if __name__ == "__main__":
    raise SystemExit(main())
