"""Replays of a workspace, separate from its runs, and those of the included lessons."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pipelines.errors import NotFoundError, RefusedError
from pipelines.lessons.pipeline_files import LIBRARY_DIR
from pipelines.problems import PipelineError
from pipelines.replay.archive import OpenReplay, pack, read_file, unpack, write_file
from pipelines.replay.recording import record
from pipelines.runs.run_service import RunService
from pipelines.sentences import refusals
from pipelines.workspace import Workspace

ENDING = ".replay"
LESSONS_DIR = LIBRARY_DIR / "replays"
ID = r"[a-z0-9][a-z0-9-]{0,63}"
KEPT_OPEN, KEPT_ENTRIES = 16, 1024


@dataclass(frozen=True)
class ReplayEntry:
    """Replay in a list. ``damage`` is why it cannot be opened any more."""

    id: str
    name: str
    experiment: str
    status: str
    created: float
    seconds: float | None
    num_nodes: int
    num_bytes: int
    is_lesson: bool
    damage: str | None = None


class ReplayShelf:
    """Adds, lists and opens replays in a folder, without database, runner and torch."""

    def __init__(self, workspace: Workspace) -> None:
        self.folder = workspace.replays_dir

    def add(self, content: bytes) -> str:
        """Store a file's bytes and return the replay's id; the same file twice is stored once.

        Raises ``PipelineError`` with the reason, and stores nothing, for an invalid replay.
        """
        opened = unpack(content)
        replay_id = f"{opened.replay.run.id}-{hashlib.sha256(content).hexdigest()[:8]}"
        path = self.folder / f"{replay_id}{ENDING}"
        if not path.is_file():
            self.folder.mkdir(parents=True, exist_ok=True)
            write_file(content, path)
        return replay_id

    def add_file(self, path: Path) -> str:
        """Add a file. Raises ``RefusedError`` if it cannot be read."""
        return self.add(read_file(path))

    def open(self, replay_id: str) -> OpenReplay:
        """Return the replay.

        Raises ``NotFoundError`` or, if its file was changed, ``PipelineError``.
        """
        path = self.path(replay_id)
        facts = path.stat()
        return _opened(path, facts.st_size, facts.st_mtime_ns)

    def path(self, replay_id: str) -> Path:
        """Return its file. Raises ``NotFoundError`` if there is none."""
        if re.fullmatch(ID, replay_id):
            for folder in (self.folder, LESSONS_DIR):
                path = folder / f"{replay_id}{ENDING}"
                if path.is_file() and not path.is_symlink():
                    return path
        raise NotFoundError(refusals.NO_REPLAY, replay=replay_id[:100])

    def has(self, replay_id: str) -> bool:
        """Return True if a replay of that id exists."""
        return replay_id in self._ids()

    def find(self, text: str) -> str:
        """Return the id that starts with ``text``. Raises ``NotFoundError`` for none or several."""
        ids = [replay_id for replay_id in self._ids() if replay_id.startswith(text)] if text else []
        exact = [replay_id for replay_id in ids if replay_id == text] or ids
        if len(exact) != 1:
            which = refusals.SEVERAL_REPLAYS_BEGIN if exact else refusals.NO_REPLAY_BEGINS
            raise NotFoundError(which, text=text[:100], count=len(exact))
        return exact[0]

    def remove(self, replay_id: str) -> None:
        """Remove a replay of the workspace; those of the lessons stay."""
        path = self.path(replay_id)
        if path.parent != self.folder:
            raise RefusedError(refusals.REPLAY_STAYS, replay=replay_id)
        path.unlink(missing_ok=True)

    def all(self) -> list[ReplayEntry]:
        """Return the workspace's own, newest first, then those of the lessons by number."""
        own = sorted(_files(self.folder), key=lambda path: path.name, reverse=True)
        entries = [entry for path in own if (entry := _entry(path, is_lesson=False))]
        lessons = (_entry(path, is_lesson=True) for path in _files(LESSONS_DIR))
        return entries + [entry for entry in lessons if entry]

    def _ids(self) -> list[str]:
        paths = [*_files(self.folder), *_files(LESSONS_DIR)]
        return [path.name.removesuffix(ENDING) for path in paths]


def _entry(path: Path, *, is_lesson: bool) -> ReplayEntry | None:
    """Return an entry; None if the replay was just removed."""
    try:
        facts = path.stat()
    except FileNotFoundError:
        return None
    return _listed(path, facts.st_size, facts.st_mtime_ns, is_lesson)


# A file is read again when its size or change time differ, which are part of the call.
@lru_cache(maxsize=KEPT_ENTRIES)
def _listed(path: Path, num_bytes: int, _changed: int, is_lesson: bool) -> ReplayEntry:
    replay_id = path.name.removesuffix(ENDING)
    try:
        opened = unpack(read_file(path))
    except (PipelineError, RefusedError) as error:
        problem = error.problems[0] if isinstance(error, PipelineError) else error
        return ReplayEntry(
            replay_id, replay_id, "", "damaged", 0.0, None, 0, num_bytes, is_lesson, problem.message
        )
    run = opened.replay.run
    return ReplayEntry(
        id=replay_id,
        name=run.name,
        experiment=run.experiment,
        status=run.status,
        created=run.created,
        seconds=_seconds(run.started, run.finished),
        num_nodes=len(opened.document.nodes),
        num_bytes=num_bytes,
        is_lesson=is_lesson,
    )


def export(runs: RunService, run_id: str) -> bytes:
    """Return the bytes of the replay of a finished run."""
    return pack(record(runs, run_id))


def _seconds(started: float | None, finished: float | None) -> float | None:
    return None if started is None or finished is None else finished - started


def _files(folder: Path) -> list[Path]:
    return sorted(_regular(folder), key=lambda path: path.name) if folder.is_dir() else []


def _regular(folder: Path) -> Iterator[Path]:
    for path in folder.glob(f"*{ENDING}"):
        name = path.name.removesuffix(ENDING)
        if re.fullmatch(ID, name) and path.is_file() and not path.is_symlink():
            yield path


@lru_cache(maxsize=KEPT_OPEN)
def _opened(path: Path, _num_bytes: int, _changed: int) -> OpenReplay:
    return unpack(read_file(path))
