"""Outputs of a script: check that all declared ones exist, and move them to artifacts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path, PurePosixPath

from modules.artifacts import AnyDirectory
from modules.errors import FailedToEvaluateScriptError, InvalidScriptError
from modules.files.hashing import hash_file
from modules.foreign_model import FRAMEWORKS, ForeignModel, framework_of
from modules.formatting import format_bytes
from modules.scripts.parameters import ScriptParameters
from modules.scripts.source_snapshot import SourceSnapshot
from modules.scripts.work_folder import OUTPUTS, WorkFolder
from modules.sentences import scripts as say


def require_inside(path: str, parameter: str) -> None:
    """Raise if a path or pattern is invalid or leads out of the working folder."""
    place = PurePosixPath(path)
    if place.is_absolute() or ".." in place.parts or not place.parts:
        raise InvalidScriptError(say.OUTPUT_OUTSIDE, path=path[:200], parameter=parameter)
    if any("**" in part and part != "**" for part in place.parts):
        raise InvalidScriptError(say.OUTPUT_PATTERN, path=path[:200], parameter=parameter)


@dataclass(frozen=True)
class ScriptOutputsFound:
    """Contents of the working folders once all processes have ended."""

    work: WorkFolder
    snapshot: SourceSnapshot
    parameters: ScriptParameters

    @cached_property
    def _given(self) -> dict[str, tuple[int, int]]:
        """Return size and time of the source's files: unchanged files are not new."""
        states = {}
        for file in self.snapshot.files:
            facts = (self.snapshot.root / file.path).lstat()
            states[file.path] = (facts.st_size, facts.st_mtime_ns)
        return states

    def require_declared(self) -> None:
        """Raise ``FailedToEvaluateScriptError`` if a declared output was not written."""
        missing = [pattern for pattern in self._promised() if not self._is_everywhere(pattern)]
        if not missing:
            self._require_content()
            return
        there = [self._described(path) for path in self.new_files(self.work.home)]
        raise FailedToEvaluateScriptError(
            say.OUTPUT_MISSING,
            missing=missing,
            there=there or say.NOTHING_WRITTEN.about({}),
            parameter="model_file" if self.parameters.model_file in missing else "declared_outputs",
        )

    def _require_content(self) -> None:
        """Raise ``FailedToEvaluateScriptError`` if the model is empty."""
        model = self.parameters.model_file
        if not model or _num_bytes(self.work.home / model):
            return
        raise FailedToEvaluateScriptError(say.MODEL_EMPTY, file=model, parameter="model_file")

    def empty_files(self) -> list[str]:
        """Return the empty model files among the outputs."""
        return [
            path.relative_to(self.work.home).as_posix()
            for path in self.new_files(self.work.home)
            if path.suffix.lower() in FRAMEWORKS and not path.stat().st_size
        ]

    def _promised(self) -> list[str]:
        model = self.parameters.model_file
        return [*([model] if model else []), *self.parameters.declared_outputs]

    def _is_everywhere(self, pattern: str) -> bool:
        """Return True if every responsible process wrote it: only the first one writes a model."""
        is_of_all = self.parameters.outputs_of == "every process"
        homes = self.work.homes if is_of_all else self.work.homes[:1]
        if pattern == self.parameters.model_file:
            homes = homes[:1]
        return all(self._is_written(pattern, home) for home in homes)

    def _is_written(self, pattern: str, home: Path) -> bool:
        """Return True if a file or folder that matches the pattern is new."""
        return any(self._is_new(path, home) for path in self._named_by(pattern, home))

    def _named_by(self, pattern: str, home: Path) -> Sequence[Path]:
        """Return the matches of a declared output; a model has an exact path, others a pattern."""
        if pattern != self.parameters.model_file:
            return _matches(pattern, home)
        path = home / pattern
        return [path] if path.exists() and _is_inside(path, home) else []

    def _is_new(self, path: Path, home: Path) -> bool:
        if path.is_dir():
            return any(self._is_new(inner, home) for inner in path.rglob("*") if inner.is_file())
        facts = path.lstat()
        known = self._given.get(path.relative_to(home).as_posix())
        return known != (facts.st_size, facts.st_mtime_ns)

    def new_files(self, home: Path) -> Iterator[Path]:
        """Return the new files of a working folder, those of its outputs first."""
        files = sorted(path for path in home.rglob("*") if path.is_file())
        new = [path for path in files if self._is_new(path, home) and path.suffix != ".pyc"]
        yield from sorted(new, key=lambda path: OUTPUTS not in path.relative_to(home).parts[:1])

    def _described(self, path: Path) -> str:
        name = path.relative_to(self.work.home).as_posix()
        return f"{name} ({format_bytes(path.stat().st_size)})"

    def clashing_files(self) -> list[str]:
        """Return outputs that other working folders have too, with different contents."""
        if self.parameters.outputs_of == "every process":
            return []
        first, others = self.work.home / OUTPUTS, self.work.homes[1:]
        names = [path.relative_to(first).as_posix() for path in first.rglob("*") if path.is_file()]
        return sorted(
            name
            for name in names
            if any(_differ(first / name, other / OUTPUTS / name) for other in others)
        )

    def settle_links(self) -> None:
        """Make the links in the outputs valid after the working folder is removed.

        Targets elsewhere in the working folder are copied. Links out of it stay: ``move_outputs``
        removes them.
        """
        for home in self.work.homes:
            root = _outputs_in(home)
            links = [path for path in root.rglob("*") if path.is_symlink()] if root else []
            for link in links:
                _settle(link, root or home, home)

    def write_model(self, folder: Path) -> ForeignModel:
        """Write the model file, or all files of its folder, to ``files/`` of an artifact."""
        (folder / "files").mkdir()
        wanted = self.parameters.model_file
        if not wanted:
            return ForeignModel.write(folder, main="", framework="")
        source = self.work.home / wanted
        target = folder / "files" / source.name
        if source.is_dir():
            ignore = partial(_leading_out, self.work.home)
            shutil.copytree(source, target, ignore=ignore, ignore_dangling_symlinks=True)
        else:
            shutil.copy2(source, target)
        return ForeignModel.write(folder, main=source.name, framework=framework_of(source))

    def move_outputs(self, folder: Path) -> tuple[AnyDirectory, list[str]]:
        """Return the outputs as an artifact: of the first process, or of each in a separate folder.

        Also returns the paths of removed links, which lead out of it.
        """
        data = folder / "data"
        if self.parameters.outputs_of == "every process":
            data.mkdir()
            for home in self.work.homes:
                self._move(home, data / home.name)
        else:
            self._move(self.work.home, data)
        removed = list(_removed_links(data))
        return AnyDirectory.write(folder), sorted(removed)

    def _move(self, home: Path, data: Path) -> None:
        """Move the folder of outputs, and other declared outputs, by path."""
        outputs = _outputs_in(home)
        if outputs is None:  # the script has removed them, or has put a link in their place
            data.mkdir()
        else:
            shutil.move(outputs, data)
        for pattern in self.parameters.declared_outputs:
            for path in _matches(pattern, home):
                place = data / path.relative_to(home)
                if place.exists():
                    continue
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(path, place)


def _matches(pattern: str, home: Path) -> Sequence[Path]:
    """Yield the matches of a pattern in a working folder, nothing through links that lead out."""
    return [path for path in sorted(home.glob(pattern)) if _is_inside(path, home)]


def _is_inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _outputs_in(home: Path) -> Path | None:
    """Return the folder of outputs, also if it is a link inside of the working folder."""
    folder = (home / OUTPUTS).resolve()
    is_below = folder.is_relative_to(home.resolve()) and folder != home.resolve()
    return folder if is_below and folder.is_dir() else None


def _settle(link: Path, root: Path, home: Path, above: tuple[Path, ...] = ()) -> None:
    """Replace a link by a relative link, or by a copy of its target.

    ``above`` are the folders whose copies it is in. Folders that contain outputs, or the link, are
    not copied.
    """
    target = link.resolve()
    if target.is_relative_to(root):
        link.unlink()
        link.symlink_to(os.path.relpath(target, link.parent))
        return
    is_endless = root.is_relative_to(target) or target in above
    if _is_inside(target, home) and not is_endless and (target.is_file() or target.is_dir()):
        link.unlink()
        _copy(target, link, root, home, (*above, target))


def _copy(source: Path, place: Path, root: Path, home: Path, above: tuple[Path, ...]) -> None:
    """Copy a file or folder into the outputs, with its links settled there."""
    if source.is_symlink():
        place.symlink_to(source.resolve())
        _settle(place, root, home, above)
    elif source.is_dir():
        place.mkdir()
        for entry in sorted(source.iterdir()):
            _copy(entry, place / entry.name, root, home, above)
    elif source.is_file():
        shutil.copy2(source, place)


def _removed_links(data: Path) -> Iterator[str]:
    """Remove links that lead out of a folder; return their paths."""
    for path in [path for path in data.rglob("*") if path.is_symlink()]:
        if not _is_inside(path, data):
            path.unlink()
            yield path.relative_to(data).as_posix()


def _leading_out(home: Path, folder: str, names: Sequence[str]) -> set[str]:
    """Return the names in a folder that are links out of the working folder, or to themselves."""
    paths = [Path(folder, name) for name in names]
    return {path.name for path in paths if not _is_inside(path, home) or _is_endless(path)}


def _is_endless(path: Path) -> bool:
    """Return True if it is a link to a folder that contains it."""
    return path.is_symlink() and path.resolve() in [parent.resolve() for parent in path.parents]


def _num_bytes(path: Path) -> int:
    """Return the size of a file, or of all files in a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def _differ(one: Path, other: Path) -> bool:
    return other.is_file() and hash_file(one) != hash_file(other)


def size_of_folder(folder: Path) -> tuple[int, int]:
    """Return the number of files below a folder, and their bytes."""
    sizes = [os.lstat(path).st_size for path in folder.rglob("*") if path.is_file()]
    return len(sizes), sum(sizes)
