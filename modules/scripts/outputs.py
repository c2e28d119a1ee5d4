"""What a script has written: whether all that it promised is there, and what becomes of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from modules.artifacts import AnyDirectory
from modules.errors import FailedToEvaluateScriptError, InvalidScriptError
from modules.files.hashing import hash_file
from modules.foreign_model import ForeignModel
from modules.formatting import format_bytes
from modules.scripts.parameters import ScriptParameters
from modules.scripts.source_snapshot import SourceSnapshot
from modules.scripts.work_folder import OUTPUTS, WorkFolder
from modules.sentences import scripts as say

FRAMEWORKS = {
    ".pt": "pytorch",
    ".pth": "pytorch",
    ".bin": "pytorch",
    ".ckpt": "pytorch",
    ".safetensors": "safetensors",
    ".onnx": "onnx",
    ".keras": "tensorflow",
    ".h5": "tensorflow",
    ".pb": "tensorflow",
    ".joblib": "scikit-learn",
    ".pkl": "pickle",
}
"""By the end of a model file's name."""


def require_inside(path: str, parameter: str) -> None:
    """Raise where a path or pattern leads out of the working folder."""
    place = PurePosixPath(path)
    if place.is_absolute() or ".." in place.parts or not place.parts:
        raise InvalidScriptError(say.OUTPUT_OUTSIDE, path=path[:200], parameter=parameter)


@dataclass(frozen=True)
class ScriptOutputsFound:
    """What is in the working folders once all processes have ended."""

    work: WorkFolder
    snapshot: SourceSnapshot
    parameters: ScriptParameters

    @cached_property
    def _given(self) -> dict[str, tuple[int, int]]:
        """Size and time of the source's files: what still has them is not new."""
        found = {}
        for file in self.snapshot.files:
            facts = (self.snapshot.root / file.path).lstat()
            found[file.path] = (facts.st_size, facts.st_mtime_ns)
        return found

    def require_declared(self) -> None:
        """Raise ``FailedToEvaluateScriptError`` where a promised output was not written."""
        missing = [each for each in self._promised() if not self._is_everywhere(each)]
        if not missing:
            return
        there = [self._described(path) for path in self._written(self.work.home)]
        raise FailedToEvaluateScriptError(
            say.OUTPUT_MISSING,
            missing=missing,
            there=there or say.NOTHING_WRITTEN.about({}),
            parameter="model_file" if self.parameters.model_file in missing else "declared_outputs",
        )

    def _promised(self) -> list[str]:
        model = self.parameters.model_file
        return [*([model] if model else []), *self.parameters.declared_outputs]

    def _is_everywhere(self, pattern: str) -> bool:
        """Whether whoever has to write it did: only the first process writes a model."""
        is_of_all = self.parameters.outputs_of == "every process"
        homes = self.work.homes if is_of_all else self.work.homes[:1]
        if pattern == self.parameters.model_file:
            homes = homes[:1]
        return all(self._is_written(pattern, home) for home in homes)

    def _is_written(self, pattern: str, home: Path) -> bool:
        """Whether a file or folder that the pattern names is new."""
        return any(self._is_new(path, home) for path in _matches(pattern, home))

    def _is_new(self, path: Path, home: Path) -> bool:
        if path.is_dir():
            return any(self._is_new(each, home) for each in path.rglob("*") if each.is_file())
        facts = path.lstat()
        known = self._given.get(path.relative_to(home).as_posix())
        return known != (facts.st_size, facts.st_mtime_ns)

    def _written(self, home: Path) -> Iterator[Path]:
        """The new files of a working folder, those of its outputs first."""
        files = sorted(path for path in home.rglob("*") if path.is_file())
        new = [path for path in files if self._is_new(path, home) and path.suffix != ".pyc"]
        yield from sorted(new, key=lambda path: OUTPUTS not in path.relative_to(home).parts[:1])

    def _described(self, path: Path) -> str:
        name = path.relative_to(self.work.home).as_posix()
        return f"{name} ({format_bytes(path.stat().st_size)})"

    def clashing_files(self) -> list[str]:
        """Outputs that other working folders have too, with other contents."""
        if self.parameters.outputs_of == "every process":
            return []
        first, others = self.work.home / OUTPUTS, self.work.homes[1:]
        names = [path.relative_to(first).as_posix() for path in first.rglob("*") if path.is_file()]
        return sorted(
            name
            for name in names
            if any(_differ(first / name, other / OUTPUTS / name) for other in others)
        )

    def removed_links(self) -> list[str]:
        """Take away links that lead out of the outputs; gives their paths."""
        found = []
        for home in self.work.homes:
            root = (home / OUTPUTS).resolve()
            for path in [each for each in root.rglob("*") if each.is_symlink()]:
                if not path.resolve().is_relative_to(root):
                    path.unlink()
                    found.append(path.relative_to(root).as_posix())
        return sorted(found)

    def write_model(self, folder: Path) -> ForeignModel:
        """The model file, or all files of the model's folder, in ``files/`` of an artifact."""
        (folder / "files").mkdir()
        wanted = self.parameters.model_file
        if not wanted:
            return ForeignModel.write(folder, main="", framework="")
        source = self.work.home / wanted
        target = folder / "files" / source.name
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
        framework = FRAMEWORKS.get(source.suffix.lower(), "other")
        return ForeignModel.write(folder, main=source.name, framework=framework)

    def move_outputs(self, folder: Path) -> AnyDirectory:
        """The outputs as an artifact: of the first process, or of each in a folder of its own."""
        data = folder / "data"
        if self.parameters.outputs_of == "every process":
            data.mkdir()
            for home in self.work.homes:
                self._move(home, data / home.name)
        else:
            self._move(self.work.home, data)
        return AnyDirectory.write(folder)

    def _move(self, home: Path, data: Path) -> None:
        """The folder of outputs, and what else was declared, by its path."""
        shutil.move(home / OUTPUTS, data)
        for pattern in self.parameters.declared_outputs:
            for path in _matches(pattern, home):
                place = data / path.relative_to(home)
                if place.exists():
                    continue
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(path, place)


def _matches(pattern: str, home: Path) -> Sequence[Path]:
    """What a pattern names in a working folder, nothing through links that lead out."""
    found = sorted(home.glob(pattern))
    return [path for path in found if path.resolve().is_relative_to(home.resolve())]


def _differ(one: Path, other: Path) -> bool:
    return other.is_file() and hash_file(one) != hash_file(other)


def size_of_folder(folder: Path) -> tuple[int, int]:
    """How many files there are below a folder, and their bytes."""
    sizes = [os.lstat(path).st_size for path in folder.rglob("*") if path.is_file()]
    return len(sizes), sum(sizes)
