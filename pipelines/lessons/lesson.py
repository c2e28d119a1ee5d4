"""Ready-made pipelines: complete documents that open and run at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from pipelines.document.document import PipelineDocument, load_document
from pipelines.lessons.lesson_texts import shown_document, shown_guide
from pipelines.lessons.pipeline_files import lesson_files

if TYPE_CHECKING:
    from pipelines.lessons.guide import LessonGuide

OPENED = "lesson-"
"""Id prefix of pipelines opened as lessons, which show the steps next to them."""


@dataclass(frozen=True)
class Lesson:
    """Ready-made pipeline and its steps; ``slug`` is its file name without extension."""

    slug: str
    document: PipelineDocument

    @cached_property
    def guide(self) -> LessonGuide:
        """Return the guide of the lesson."""
        # imported here: commands do not need it, and creating its models takes time
        from pipelines.lessons.guide import load_guide

        return load_guide(self.slug)

    @property
    def shown_document(self) -> PipelineDocument:
        """Return the document with its texts in the language of the user."""
        return shown_document(self.document)

    @property
    def shown_guide(self) -> LessonGuide:
        """Return the guide in the language of the user."""
        return shown_guide(self.guide)

    def opened(self) -> PipelineDocument:
        """Return the document as opened from the lesson."""
        return self.shown_document.model_copy(update={"id": f"{OPENED}{self.slug}"})


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons in the order of their numbers."""
    return tuple(Lesson(name, load_document(path)) for name, path in lesson_files().items())


def following(lesson: Lesson) -> Lesson | None:
    """Return the lesson after another one; None after the last."""
    rest = lessons()[lessons().index(lesson) + 1 :]
    return rest[0] if rest else None


def lesson_of(pipeline_id: str) -> Lesson | None:
    """Return the lesson from which a pipeline was opened, even if its name has a number."""
    for lesson in lessons():
        if re.fullmatch(rf"{OPENED}{re.escape(lesson.slug)}(-[0-9]+)?", pipeline_id):
            return lesson
    return None
