"""The environments that come with the designer: their locks lie beside this file."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from pipelines.environments.definition import EnvironmentRecord
from pipelines.environments.environment_keys import environment_key

FOLDER = Path(__file__).parent / "curated"
DESIGNER = "designer"
"""The designer's own packages and nothing else; also the beginning of names that are reserved."""


@cache
def curated() -> dict[str, EnvironmentRecord]:
    """Each by its name, the designer's own first."""
    found = [_read(path) for path in sorted(FOLDER.glob("*.json"))]
    found.sort(key=lambda each: each.name != DESIGNER)
    return {each.name: each for each in found}


def _read(path: Path) -> EnvironmentRecord:
    content = json.loads(path.read_text(encoding="utf-8"))
    record = EnvironmentRecord.from_json({"key": "", **content, "curated": True})
    return record.with_key(environment_key(record, record.lock))


def is_reserved(name: str) -> bool:
    """True for the name of one that comes with the designer, and for those of later ones."""
    return name in curated() or name == DESIGNER or name.startswith(f"{DESIGNER}-")
