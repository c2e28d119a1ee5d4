"""Lessons as documents, whole or in part, for tests to open."""

from __future__ import annotations

import json
from typing import Any

from tests.browser.served import LIBRARY

EMPTY: dict[str, Any] = {"format": "pipeline-designer/2", "id": "mine", "name": ""}


def lesson(slug: str) -> dict[str, Any]:
    """A ready-made pipeline."""
    return dict(json.loads((LIBRARY / f"{slug}.json").read_text()))


def lesson_with(kept: list[str], linked: bool = False) -> dict[str, Any]:
    """Some nodes of the first lesson, with the wires among them or without wires."""
    document = json.loads((LIBRARY / "01-digits.json").read_text())
    document["nodes"] = [node for node in document["nodes"] if node["id"] in kept]
    document["links"] = [
        link
        for link in document["links"]
        if linked and link["from"]["node"] in kept and link["to"]["node"] in kept
    ]
    return dict(document)
