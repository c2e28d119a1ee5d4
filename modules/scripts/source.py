"""Source of a script: a folder, one file, an archive, a registered dataset, or typed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from modules.context import Context
from modules.datasets.sources import DatasetSource, FileSource, parse_source
from modules.errors import InvalidScriptError, ModuleError, NullOrEmptyError
from modules.files.allowed_roots import require_allowed
from modules.files.archives import ExtractionLimits, extract_archive
from modules.files.disk import scratch_folder
from modules.scripts.parameters import DATASET, TYPED_SCRIPT, ScriptParameters
from modules.scripts.source_snapshot import MAX_ENTRIES
from modules.sentences import scripts as say

LIMITS = ExtractionLimits(num_files=MAX_ENTRIES, num_bytes=2 * 2**30)
USUAL_SCRIPTS = ("train.py", "main.py")


@contextmanager
def opened_source(parameters: ScriptParameters, context: Context) -> Iterator[Path]:
    """Open the folder with the script; unpacked or typed files are removed afterwards.

    Raises ``ModuleError`` if there is none, or if it may not be read.
    """
    folder = None if parameters.typed_script is not None else _place(parameters, context)
    if folder is not None and folder.is_dir():
        yield _without_wrapper(folder) if _is_dataset(parameters) else folder
        return
    with scratch_folder(context.cache_dir or context.staging_dir) as scratch:
        yield _made(parameters, folder, scratch / "source")


def script_in(folder: Path, wanted: str | None) -> str:
    """Return the script's path in its folder; raise ``InvalidScriptError`` if it is ambiguous."""
    if wanted is not None and wanted.strip():
        place = (folder / wanted.strip()).resolve()
        if not place.is_relative_to(folder.resolve()) or not place.is_file():
            raise InvalidScriptError(
                say.NO_SUCH_SCRIPT, script=wanted[:200], there=_scripts(folder), parameter="script"
            )
        return wanted.strip()
    there = _scripts(folder)
    usual = [name for name in USUAL_SCRIPTS if name in there]
    if len(there) != 1 and not usual:
        raise InvalidScriptError(say.WHICH_SCRIPT, there=there or ["-"], parameter="script")
    return (usual or there)[0]


def _scripts(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.py"))


def _is_dataset(parameters: ScriptParameters) -> bool:
    return (parameters.source_folder or "").startswith(DATASET)


def _place(parameters: ScriptParameters, context: Context) -> Path:
    """Return the folder or file of the parameter."""
    text = (parameters.source_folder or "").strip()
    if not text:
        raise NullOrEmptyError(say.NO_SCRIPT, parameter="source_folder")
    try:
        if text.startswith(DATASET):
            return _registered(text, context)
        return _on_this_server(Path(text).expanduser(), context)
    except ModuleError as error:
        error.parameter = "source_folder"
        raise


def _registered(text: str, context: Context) -> Path:
    source = parse_source(text)
    assert isinstance(source, DatasetSource)
    return source.location(context)


def _on_this_server(path: Path, context: Context) -> Path:
    if path.suffix != ".py":
        return FileSource(path).location(context)
    require_allowed(path.resolve(), context.allowed_roots, name=str(path), parameter="")
    if not path.is_file():
        raise InvalidScriptError(say.NO_SOURCE_THERE, path=path)
    return path


def _made(parameters: ScriptParameters, place: Path | None, folder: Path) -> Path:
    """Create a folder from typed text, from one file, or from an archive."""
    if place is None:
        folder.mkdir()
        text = parameters.typed_script or ""
        (folder / TYPED_SCRIPT).write_text(text, encoding="utf-8")
    elif place.suffix == ".py":
        folder.mkdir()
        shutil.copy2(place, folder / place.name)
    else:
        extract_archive(place, folder, LIMITS)
    return _without_wrapper(folder)


def _without_wrapper(folder: Path) -> Path:
    """Return the folder inside, if an archive contains only one."""
    inside = [path for path in folder.iterdir() if path.name != "__MACOSX"]
    while len(inside) == 1 and inside[0].is_dir():
        [folder] = inside
        inside = list(folder.iterdir())
    return folder
