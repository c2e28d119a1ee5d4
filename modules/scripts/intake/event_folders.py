"""Discovery of the TensorBoard files that a script writes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from modules.scripts.intake.metric_points import MetricPoints, MetricSource
from modules.scripts.intake.tensorboard_events import DamagedEventFileError, EventFileTail
from modules.sentences import script_metrics as say
from modules.sentences.sentence import Statement

FOLDERS = ("outputs", "logs", "runs", "lightning_logs")
"""Default folders of Azure's, PyTorch's and Lightning's scripts in their working folder."""
SPLITS = frozenset({"train", "training", "val", "valid", "validation", "eval", "test"})
"""Subfolders of Keras, which contain the same names of metrics."""
MARK = ".tfevents."
MAX_FILES = 200
MAX_FOLDERS = 2_000
SCAN_SECONDS = 2.0
MOST_SHARE = 0.05
"""Maximum share of the time for finding new files."""


@dataclass
class _Followed:
    tail: EventFileTail
    run: str
    prefix: str


class EventFolders:
    """The event files below the working folders of a script.

    Older files are ignored, even if a copy of them is in its source: the first record of each
    contains its start time.
    """

    def __init__(self, working_folders: Sequence[Path], warn: Callable[[Statement], None]) -> None:
        self._roots = [folder / name for folder in working_folders for name in FOLDERS]
        self._warn = warn
        self._files: dict[Path, _Followed | None] = {}
        self._has_warned = False
        self._scan_at = 0.0
        self._since = time.time()

    def read(self, points: MetricPoints, most_bytes: int, *, is_last: bool = False) -> int:
        """Log new points, about ``most_bytes`` per file; return their number."""
        if is_last or time.monotonic() >= self._scan_at:
            self._scan()
        return sum(self._read(path, points, most_bytes) for path in list(self._files))

    def _read(self, path: Path, points: MetricPoints, most_bytes: int) -> int:
        followed = self._files[path]
        if followed is None:
            return 0
        try:
            scalars = followed.tail.read(most_bytes)
        except DamagedEventFileError:
            self._give_up(path)
            return 0
        for tag, step, value in scalars:
            points.add(
                MetricSource("tensorboard", followed.run), followed.prefix + tag, value, step
            )
        return len(scalars)

    def _scan(self) -> None:
        began = time.monotonic()
        for root, path in self._found():
            if path not in self._files and not self._is_full():
                self._follow(root, path)
        now = time.monotonic()
        self._scan_at = now + max(SCAN_SECONDS, (now - began) / MOST_SHARE)

    def _follow(self, root: Path, path: Path) -> None:
        """Follow a file once its first record is complete."""
        followed = _followed(root, path)
        try:
            began = followed.tail.began()
        except DamagedEventFileError:
            self._give_up(path)
            return
        if began is not None:
            self._files[path] = followed
            if began < self._since:
                followed.tail.pass_over()

    def _give_up(self, path: Path) -> None:
        self._files[path] = None
        self._warn(say.EVENT_FILE_DAMAGED.about({"name": path.name}))

    def _is_full(self) -> bool:
        if len(self._files) < MAX_FILES:
            return False
        if not self._has_warned:
            self._has_warned = True
            self._warn(say.TOO_MANY_EVENT_FILES.about({"most": MAX_FILES}))
        return True

    def _found(self) -> Iterator[tuple[Path, Path]]:
        """Yield each event file with its folder; links are ignored."""
        num_folders = 0
        for root in self._roots:
            for folder, inner, names in os.walk(root):
                inner.sort()
                num_folders += 1
                if num_folders > MAX_FOLDERS:
                    return
                paths = (Path(folder, name) for name in sorted(names) if MARK in name)
                yield from ((root, path) for path in paths if _is_own_file(path))


def _is_own_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _followed(root: Path, path: Path) -> _Followed:
    parts = path.parent.relative_to(root).parts
    is_split = bool(parts) and parts[-1] in SPLITS
    run = "/".join(parts) or root.name
    return _Followed(EventFileTail(path), run, f"{parts[-1]}/" if is_split else "")
