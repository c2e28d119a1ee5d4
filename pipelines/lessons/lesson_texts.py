"""Texts of lessons in the language of the user; the files in ``library`` are in English.

Every text of a lesson passes through ``convert``: it translates the text, or records it for the
catalogs. Titles have the context ``lesson`` there, sentences have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from modules.sentences.translation import Convert, in_language, translations
from pipelines.document.parts import Part

if TYPE_CHECKING:
    from pipelines.document.document import PipelineDocument
    from pipelines.lessons.guide import LessonGuide

CONTEXT = "lesson"
TITLES = ("name", "title")
SENTENCES = ("description", "comment", "text")
AnyPart = TypeVar("AnyPart", bound=Part)


def shown_document(document: PipelineDocument) -> PipelineDocument:
    """Return the document of a lesson with its texts in the language of the user."""
    return document if translations() is None else with_texts(document, in_language)


def shown_guide(guide: LessonGuide) -> LessonGuide:
    """Return the guide of a lesson in the language of the user."""
    return guide if translations() is None else guide_with_texts(guide, in_language)


def with_texts(part: AnyPart, convert: Convert) -> AnyPart:
    """Return a document or a part of it with its titles, descriptions and notes converted."""
    changes: dict[str, object] = {}
    for name in type(part).model_fields:
        value = getattr(part, name)
        if isinstance(value, str) and value and name in (*TITLES, *SENTENCES):
            changes[name] = convert(value, CONTEXT if name in TITLES else "")
        elif isinstance(value, tuple) and value and isinstance(value[0], Part):
            changes[name] = tuple(with_texts(inner, convert) for inner in value)
    return part.model_copy(update=changes)


def guide_with_texts(guide: LessonGuide, convert: Convert) -> LessonGuide:
    """Return the guide with the texts of its steps converted."""
    steps = [
        step.model_copy(
            update={name: convert(getattr(step, name), "") for name in ("task", "hint", "after")}
        )
        for step in guide.steps
    ]
    return guide.model_copy(update={"steps": tuple(steps)})
