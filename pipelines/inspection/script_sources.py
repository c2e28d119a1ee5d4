"""Script of a Run Training Script node, for review before it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue, ValidationError

from modules.context import Context
from modules.scripts.parameters import ScriptParameters
from modules.scripts.source import opened_source, script_in

MOST_CHARACTERS = 256 * 1024
MOST_FILES = 500


@dataclass(frozen=True)
class ScriptSource:
    """Script in its folder."""

    name: str
    text: str
    is_cut: bool
    files: tuple[str, ...]
    """Other files as paths in the folder, at most ``MOST_FILES``."""


def script_source(parameters: Mapping[str, JsonValue], context: Context) -> ScriptSource | None:
    """Return the script of a source folder; None if there is none, or if a command is run.

    Raises ``ModuleError`` if the folder cannot be read.
    """
    try:
        settings = ScriptParameters.model_validate(dict(parameters))
    except ValidationError:
        return None  # reported as a separate problem
    if not settings.source_folder or settings.typed_script is not None:
        return None
    with opened_source(settings, context) as folder:
        files = _files(folder)
        if settings.command:
            return ScriptSource("", "", False, files)
        name = script_in(folder, settings.script)
        text = _text(folder / name)
        return ScriptSource(name, text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS, files)


def _text(path: Path) -> str:
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(MOST_CHARACTERS + 1)


def _files(folder: Path) -> tuple[str, ...]:
    paths = []
    for path in folder.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            paths.append(path.relative_to(folder).as_posix())
        if len(paths) == MOST_FILES:
            break
    return tuple(sorted(paths))
