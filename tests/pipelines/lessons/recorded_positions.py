"""Positions of nodes in the lessons' recordings: those of the lessons.

A new layout of the lessons needs no new recordings: ``python -m
tests.pipelines.lessons.recorded_positions`` copies the positions of nodes and notes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipelines.lessons.lesson import lessons
from pipelines.replay.archive import pack, read_file, unpack, write_file
from pipelines.replay.library import ENDING, LESSONS_DIR
from pipelines.replay.recording import Recording

POSITIONED = ("nodes", "notes")


def positions(document: dict[str, Any]) -> dict[str, Any]:
    """Return the positions of nodes and notes, by kind and id."""
    return {
        f"{kind} {part['id']}": part["position"]
        for kind in POSITIONED
        for part in document.get(kind, [])
    }


def recordings() -> list[tuple[Path, dict[str, Any]]]:
    """Return the file of each lesson's recording, and the lesson's positions."""
    return [
        (
            LESSONS_DIR / f"{lesson.slug}{ENDING}",
            positions(lesson.document.model_dump(mode="json", by_alias=True)),
        )
        for lesson in lessons()
    ]


def main() -> None:
    """Copy the positions of all lessons into their recordings."""
    for path, wanted in recordings():
        opened = unpack(read_file(path))
        document = dict(opened.replay.document)
        for kind in POSITIONED:
            document[kind] = [
                part | {"position": wanted.get(f"{kind} {part['id']}", part["position"])}
                for part in document.get(kind, [])
            ]
        replay = opened.replay.model_copy(update={"document": document})
        recording = Recording(replay, opened.events, opened.logs, opened.pictures)
        write_file(pack(recording), path)


if __name__ == "__main__":
    main()
