"""Lessons are shown in the language of the user; their files and programs stay English."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from modules.sentences.translation import recorder
from pipelines.document.document import parse_document
from pipelines.lessons.guide import LessonGuide
from pipelines.lessons.lesson import lessons
from pipelines.lessons.lesson_texts import guide_with_texts, shown_document, with_texts
from tests.languages import Entry, in_czech
from tests.pipelines.document.nested_pipeline import nested
from tests.project.catalogs import lesson_texts

MARK = "č "


def marked() -> Iterator[Entry]:
    for text, context, _ in lesson_texts():
        yield text, context, MARK + text


@pytest.fixture
def czech(tmp_path: Path) -> Iterator[None]:
    with in_czech(tmp_path, marked()):
        yield


@pytest.mark.usefixtures("czech")
def test_an_opened_lesson_is_translated_and_otherwise_the_same() -> None:
    for lesson in lessons():
        opened = lesson.opened()
        assert opened.name == MARK + lesson.document.name
        assert opened.description == MARK + lesson.document.description
        assert [note.text for note in opened.notes] == [
            MARK + note.text for note in lesson.document.notes
        ]
        unmarked = json.dumps(opened.to_json(), ensure_ascii=False).replace(MARK, "")
        assert json.loads(unmarked) == {**lesson.document.to_json(), "id": opened.id}
        assert parse_document(opened.to_json()) == opened


@pytest.mark.usefixtures("czech")
def test_steps_are_translated_and_their_checks_are_the_same() -> None:
    for lesson in lessons():
        shown = lesson.shown_guide
        assert LessonGuide.model_validate_json(shown.model_dump_json()) == shown
        for step, source in zip(shown.steps, lesson.guide.steps, strict=True):
            assert (step.task, step.hint, step.after) == (
                MARK + source.task,
                MARK + source.hint,
                MARK + source.after,
            )
            assert (step.checks, step.show) == (source.checks, source.show)


def test_in_english_a_lesson_is_its_file() -> None:
    lesson = lessons()[0]
    assert lesson.shown_document is lesson.document
    assert lesson.shown_guide is lesson.guide


def test_titles_of_all_parts_are_texts() -> None:
    texts: list[tuple[str, str]] = []
    document = nested(name="Sums")
    assert with_texts(document, recorder(texts)) == document
    assert texts == [("Sums", "lesson"), ("Double", "lesson")]
    guide = lessons()[0].guide
    assert guide_with_texts(guide, recorder(texts)) == guide
    assert shown_document(document) is document
