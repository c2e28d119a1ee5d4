"""Curated environments that are shipped with the designer; their locks are next to this file."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from pipelines.environments.definition import EnvironmentRecord
from pipelines.environments.environment_keys import environment_key

FOLDER = Path(__file__).parent / "curated"
DESIGNER = "designer"
"""Only the designer's own packages; also the prefix of reserved names."""
AZURE_PREFIX = "azureml"
"""Prefix of curated environments in Azure Machine Learning."""


@cache
def curated() -> dict[str, EnvironmentRecord]:
    """Return them by name, the designer's own first."""
    records = [_read(path) for path in sorted(FOLDER.glob("*.json"))]
    records.sort(key=lambda record: record.name != DESIGNER)
    return {record.name: record for record in records}


def _read(path: Path) -> EnvironmentRecord:
    content = json.loads(path.read_text(encoding="utf-8"))
    record = EnvironmentRecord.from_json({"key": "", **content, "curated": True})
    return record.with_key(environment_key(record, record.lock))


def is_reserved(name: str) -> bool:
    """Return True for the name of a curated environment, and for reserved names.

    Azure Machine Learning reserves names with its prefix, too.
    """
    is_later = name == DESIGNER or name.startswith((f"{DESIGNER}-", AZURE_PREFIX))
    return name in curated() or is_later
