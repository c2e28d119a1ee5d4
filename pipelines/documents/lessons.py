"""The ready-made pipelines: finished documents that open and run at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipelines.documents.document import PipelineDocument, load_document

LIBRARY_DIR = Path(__file__).resolve().parents[1] / "library"


@dataclass(frozen=True)
class Lesson:
    """A ready-made pipeline; ``slug`` is its file's name without the ending."""

    slug: str
    document: PipelineDocument


@cache
def lessons() -> tuple[Lesson, ...]:
    """All of them, in the order of their numbers."""
    paths = sorted(LIBRARY_DIR.glob("*.json"))
    return tuple(Lesson(path.stem, load_document(path)) for path in paths)
