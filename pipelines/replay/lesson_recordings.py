"""Recordings of the lessons, created by running each as shipped."""

from __future__ import annotations

from pathlib import Path

from modules.sentences.sentence import RecordedStatement
from pipelines.errors import NotFoundError, RefusedError
from pipelines.lessons.lesson import Lesson, lessons
from pipelines.problems import PipelineError
from pipelines.replay.archive import pack, write_file
from pipelines.replay.library import ENDING, LESSONS_DIR
from pipelines.replay.recording import record
from pipelines.runs.run_request import RunRequest, this_process
from pipelines.runs.run_service import RunService
from pipelines.sentences import refusals

MAX_LESSON_BYTES = 300_000


def chosen(slugs: list[str]) -> list[Lesson]:
    """Return the lessons of those names, all for none.

    Raises ``NotFoundError`` for an unknown one.
    """
    by_slug = {lesson.slug: lesson for lesson in lessons()}
    for slug in slugs:
        if slug not in by_slug:
            raise NotFoundError(refusals.NO_LESSON, lesson=slug, lessons=list(by_slug))
    return [by_slug[slug] for slug in slugs] or list(by_slug.values())


def record_lesson(runs: RunService, lesson: Lesson, folder: Path = LESSONS_DIR) -> Path:
    """Run a lesson and store its replay. Raises ``RefusedError`` with the reason of a failure."""
    try:
        run_id = runs.submit(RunRequest(lesson.document, owner=this_process()))
    except PipelineError as error:
        problem = RecordedStatement.of(error.problems[0])
        raise RefusedError(
            refusals.LESSON_CANNOT_RUN, lesson=lesson.slug, problem=problem
        ) from None
    for _ in runs.follow(run_id):
        continue
    state = runs.store.state(run_id)
    if state.status != "completed":
        why = RecordedStatement.of(state.problem).alone if state.problem else state.status
        raise RefusedError(refusals.LESSON_NOT_COMPLETED, lesson=lesson.slug, problem=why)
    content = pack(record(runs, run_id))
    if len(content) > MAX_LESSON_BYTES:
        raise RefusedError(refusals.LESSON_TOO_LARGE, lesson=lesson.slug, num_bytes=len(content))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{lesson.slug}{ENDING}"
    write_file(content, path)
    return path
