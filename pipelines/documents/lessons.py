"""The ready-made pipelines: finished documents that open and run at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from pipelines.documents.document import PipelineDocument, load_document
from pipelines.documents.pipeline_files import lesson_files

if TYPE_CHECKING:
    from pipelines.documents.lesson_guides import LessonGuide

OPENED = "lesson-"
"""How the ids of pipelines begin that were opened as lessons: they have the steps at their side."""


@dataclass(frozen=True)
class Lesson:
    """A ready-made pipeline and its steps; ``slug`` is its file's name without the ending."""

    slug: str
    document: PipelineDocument

    @cached_property
    def guide(self) -> LessonGuide:
        """What it asks of who does it."""
        # only here: no command needs one, and its models take a while to be made
        from pipelines.documents.lesson_guides import load_guide

        return load_guide(self.slug)

    def opened(self) -> PipelineDocument:
        """The document as one that is opened to learn from it."""
        return self.document.model_copy(update={"id": f"{OPENED}{self.slug}"})


@cache
def lessons() -> tuple[Lesson, ...]:
    """All of them, in the order of their numbers."""
    return tuple(Lesson(name, load_document(path)) for name, path in lesson_files().items())


def lesson_of(pipeline_id: str) -> Lesson | None:
    """The lesson that a pipeline was opened for, also where it is not the first of its name."""
    for lesson in lessons():
        if re.fullmatch(rf"{OPENED}{re.escape(lesson.slug)}(-[0-9]+)?", pipeline_id):
            return lesson
    return None
