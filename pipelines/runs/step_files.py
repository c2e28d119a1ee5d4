"""Files written by a step's own processes, during and after the step.

Their working folders are in ``attempt-N/working``, one per process or one per node; ``outputs`` and
``logs`` in them are accessible. The outputs of an ended step are its artifacts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from modules.errors import InvalidDatasetError
from modules.files.scanning import ScannedFile, scan
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.manifest import MANIFEST

SHOWN = ("outputs", "logs")


@dataclass(frozen=True)
class StepFile:
    """File of a step; ``path`` starts with ``outputs/`` or ``logs/``."""

    path: str
    num_bytes: int


class StepFiles:
    """Files of one step of a run."""

    def __init__(self, runs: RunService, run_id: str, node: str) -> None:
        self._folders = dict(_folders(runs, run_id, node))

    def all(self) -> list[StepFile]:
        """Return the files with their sizes, in order."""
        files = [
            StepFile(f"{name}/{file.path}", file.num_bytes)
            for name, folder in self._folders.items()
            for file in _files(folder)
            if file.path != MANIFEST
        ]
        return sorted(files, key=lambda file: file.path)

    def find(self, path: str) -> Path | None:
        """Return the file at that path; None without one, or if a link leads out of its folder."""
        relative = PurePosixPath(path)
        if relative.is_absolute() or ".." in relative.parts:
            return None
        for name, folder in self._folders.items():
            if relative.is_relative_to(name):
                candidate = folder / relative.relative_to(name)
                is_inside = candidate.resolve().is_relative_to(folder.resolve())
                if is_inside and candidate.is_file():
                    return candidate
        return None


def _files(folder: Path) -> list[ScannedFile]:
    with suppress(InvalidDatasetError):  # its step has just removed it
        return scan(folder).files
    return []


def _folders(runs: RunService, run_id: str, node: str) -> Iterator[tuple[str, Path]]:
    """Yield the prefixes of paths with their folders."""
    step = runs.store.state_of_step(run_id, node)
    if step is None:
        return
    outputs = runs.artifacts.outputs(step).get("outputs")
    if outputs is not None:
        data = Path(outputs) / "data"
        yield "outputs", data if data.is_dir() else Path(outputs)
    working = runs.workspace.node_dir(run_id, node) / f"attempt-{step.attempt}" / "working"
    folders = sorted(path for path in working.glob("*") if not path.is_symlink())
    homes = [folder for folder in folders if any((folder / name).is_dir() for name in SHOWN)]
    for home in homes:
        prefix = "" if home == homes[0] else f"{home.name}/"
        for name in SHOWN:
            folder = home / name
            is_there = folder.is_dir() and not folder.is_symlink()
            if is_there and not (outputs is not None and name == "outputs"):
                yield f"{prefix}{name}", folder
