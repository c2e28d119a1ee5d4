"""Users' modules as they are listed: described by the processes that hold their code.

What they declare is kept by their contents: a file that has not changed is not read again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from modules.errors import ModuleError
from modules.loading import CatalogFailure, Found, Loaded, Origin, package_name, sha256
from modules.operating_system.special_files import open_without_waiting
from modules.rebuilding import Ask, rebuilt
from pipelines.user_modules.client import USER_CODE
from pipelines.user_modules.description_cache import Described, DescribedModules
from pipelines.user_modules.errors import CodeEndedError, CodeRaisedError, garbled
from pipelines.workspace import Workspace

MAX_FILE_BYTES = 4 << 20
READERS = 4


def read_modules(
    paths: Iterable[Path], announced: Iterable[EntryPoint], workspace: Workspace | None
) -> list[Loaded]:
    """What each file and each installed package declares, and what is wrong with it."""
    described = DescribedModules(workspace.cache_dir / "modules.json" if workspace else None)
    with ThreadPoolExecutor(READERS, "modules") as pool:  # one that hangs keeps no other waiting
        parts = [
            *pool.map(partial(_from_file, described), paths),
            *pool.map(partial(_from_entry_point, described), announced),
        ]
    described.save()
    return parts


def _from_file(described: DescribedModules, path: Path) -> Loaded:
    try:
        source, modified = _source(path)
        origin = Origin("file", str(path.resolve()), sha256(source))
    except (OSError, RuntimeError) as error:  # of a link that leads to itself
        message = f"{type(error).__name__}: {error}"
        return [], [CatalogFailure(str(path), message, "Make the file readable, or remove it.")]
    except ValueError as error:
        message, cure = error.args
        return [], [CatalogFailure(str(path), message, cure)]
    return _loaded(described, origin, f"{origin.code_hash} {modified}")


def _source(path: Path) -> tuple[bytes, int]:
    """What a file holds, and when it was modified; never waits, and never reads without end."""
    _require_regular(path.stat())  # to open something else can have effects of its own
    with open_without_waiting(path) as file:
        found = os.fstat(file.fileno())
        _require_regular(found)
        source = file.read(MAX_FILE_BYTES + 1)
    if len(source) > MAX_FILE_BYTES:
        raise ValueError(
            f"It has more than {MAX_FILE_BYTES >> 20} MiB.", "Keep data in files of their own."
        )
    return source, found.st_mtime_ns


def _require_regular(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise ValueError("It is no regular file.", "Remove it, or put a Python file there.")


def _from_entry_point(described: DescribedModules, announced: EntryPoint) -> Loaded:
    origin = Origin("entry_point", announced.value)
    package = package_name(announced)
    return _loaded(described, origin, package, package)


def _loaded(described: DescribedModules, origin: Origin, state: str, package: str = "") -> Loaded:
    """What a file or package declares: as it was told before in this state, else asked anew."""
    description = described.find(origin, state, package)
    if description is None:
        description = _described(origin)
        described.keep(origin, state, description)
    if description.code_hash is not None:
        origin = Origin(origin.kind, origin.location, description.code_hash)
    try:
        modules = [
            rebuilt(each, _questioner(origin, str(each["facts"]["id"])))
            for each in description.modules
        ]
        failures = [CatalogFailure(**each) for each in description.failures]
    except Exception as error:  # whatever it was that the code told of itself
        described.forget(origin)
        failure = garbled()
        message = f"{failure.message} ({type(error).__name__})"
        return [], [CatalogFailure(origin.location, message, failure.cure)]
    return [Found(module, origin) for module in modules], failures


def _described(origin: Origin) -> Described:
    try:
        answer = USER_CODE.ask(origin, "describe")
        description = Described(**{name: answer[name] for name in ("modules", "failures", "file")})
    except CodeEndedError as error:
        return Described(failures=[_failure(origin, error.message, error.cure)], hangs=error.hangs)
    except Exception as error:  # raised by the code, or of an answer that is none
        message = f"{type(error).__name__}: {error}"
        cure = "Correct the file; it runs when the modules are listed."
        return Described(failures=[_failure(origin, message, cure)])
    if origin.kind == "entry_point":
        return replace(description, code_hash=answer["code_hash"])
    if description.modules and answer["code_hash"] != origin.code_hash:
        failure = _failure(origin, "It changed while it was read.", "List the modules again.")
        return Described(failures=[failure])
    return description


def _failure(origin: Origin, message: str, cure: str) -> dict[str, Any]:
    return CatalogFailure(origin.location, message, cure).to_json()


def _questioner(origin: Origin, module_id: str) -> Ask:
    """Puts the questions that only the module's own code can answer."""

    def ask(question: str, facts: dict[str, Any]) -> Any:
        what = "parameter class" if question == "parse" else question
        about = f"The {what} of {module_id!r} in {Path(origin.location).name}: "
        try:
            return USER_CODE.ask(origin, question, module=module_id, **facts)
        except CodeEndedError as error:
            raise ModuleError(about + error.message, cure=error.cure) from None
        except CodeRaisedError as error:
            if question != "fingerprint":  # the others are told by whoever asks
                raise
            raised = f"it raises {type(error).__name__}: {error}."
            raise ModuleError(about + raised, cure="Correct the module's code.") from None

    return ask
