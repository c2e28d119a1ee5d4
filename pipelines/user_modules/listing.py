"""List of users' modules, described by the processes that hold their code.

Declarations are cached by content: an unchanged file is not read again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from modules.errors import ModuleError
from modules.loading import CatalogFailure, Found, Loaded, ModuleOrigin, package_name, sha256
from modules.operating_system.special_files import open_without_waiting
from modules.rebuilding import Ask, rebuilt
from pipelines.errors import DesignerError, RefusedError
from pipelines.sentences import user_code as say
from pipelines.user_modules.client import USER_CODE
from pipelines.user_modules.description_cache import Described, DescribedModules
from pipelines.user_modules.errors import CodeEndedError, CodeRaisedError
from pipelines.workspace import Workspace

MAX_FILE_BYTES = 4 << 20
READERS = 4


def read_modules(
    paths: Iterable[Path], announced: Iterable[EntryPoint], workspace: Workspace | None
) -> list[Loaded]:
    """Return the modules of each file and installed package, and their problems."""
    described = DescribedModules(workspace.cache_dir / "modules.json" if workspace else None)
    with ThreadPoolExecutor(READERS, "modules") as pool:  # one that hangs does not delay the others
        parts = [
            *pool.map(partial(_from_file, described), paths),
            *pool.map(partial(_from_entry_point, described), announced),
        ]
    described.save()
    return parts


def _from_file(described: DescribedModules, path: Path) -> Loaded:
    try:
        source, modified = _source(path)
        origin = ModuleOrigin("file", str(path.resolve()), sha256(source))
    except (OSError, RuntimeError) as error:  # of a link to itself
        return [], [CatalogFailure.of(str(path), say.NOT_READABLE, error=_raised(error))]
    except RefusedError as error:
        return [], [_failure(str(path), error)]
    return _loaded(described, origin, f"{origin.code_hash} {modified}")


def _source(path: Path) -> tuple[bytes, int]:
    """Return a file's content and modification time, without blocking or reading endlessly."""
    _require_regular(path.stat())  # opening other kinds of files may have effects
    with open_without_waiting(path) as file:
        status = os.fstat(file.fileno())
        _require_regular(status)
        source = file.read(MAX_FILE_BYTES + 1)
    if len(source) > MAX_FILE_BYTES:
        raise RefusedError(say.TOO_LARGE, mebibytes=MAX_FILE_BYTES >> 20)
    return source, status.st_mtime_ns


def _require_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise RefusedError(say.NO_REGULAR_FILE)


def _from_entry_point(described: DescribedModules, announced: EntryPoint) -> Loaded:
    origin = ModuleOrigin("entry_point", announced.value)
    package = package_name(announced)
    return _loaded(described, origin, package, package)


def _loaded(
    described: DescribedModules, origin: ModuleOrigin, state: str, package: str = ""
) -> Loaded:
    """Return the declarations of a file or package: cached for this state, or asked again."""
    description = described.find(origin, state, package)
    if description is None:
        description = _described(origin)
        described.keep(origin, state, description)
    if description.code_hash is not None:
        origin = ModuleOrigin(origin.kind, origin.location, description.code_hash)
    try:
        modules = [
            rebuilt(content, _questioner(origin, str(content["facts"]["id"])))
            for content in description.modules
        ]
        failures = [CatalogFailure(**failure) for failure in description.failures]
    except Exception as error:  # whatever the code reports about itself
        described.forget(origin)
        kind = type(error).__name__
        return [], [CatalogFailure.of(origin.location, say.GARBLED_BY, error=kind)]
    return [Found(module, origin) for module in modules], failures


def _described(origin: ModuleOrigin) -> Described:
    try:
        answer = USER_CODE.ask(origin, "describe")
        description = Described(**{name: answer[name] for name in ("modules", "failures", "file")})
    except CodeEndedError as error:
        failure = _failure(origin.location, error)
        return Described(failures=[asdict(failure)], hangs=error.hangs)
    except Exception as error:  # raised by the code, or an invalid answer
        raised = CatalogFailure.of(origin.location, say.RAISES_WHEN_LISTED, error=_raised(error))
        return Described(failures=[asdict(raised)])
    # The description must be of the code that was hashed: an entry point's is known only now.
    if origin.kind == "entry_point":
        return replace(description, code_hash=answer["code_hash"])
    if description.modules and answer["code_hash"] != origin.code_hash:
        changed = CatalogFailure.of(origin.location, say.CHANGED_WHILE_READ)
        return Described(failures=[asdict(changed)])
    return description


def _failure(source: str, error: DesignerError) -> CatalogFailure:
    """Return the failure of an error."""
    reason, facts = error.reason, error.facts
    return CatalogFailure(source, error.message, error.cure, reason=reason, facts=facts)


def _raised(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _questioner(origin: ModuleOrigin, module_id: str) -> Ask:
    """Return the function for questions that only the module's own code can answer."""

    def ask(question: str, facts: Mapping[str, Any]) -> Any:
        subject = "parameter class" if question == "parse" else question
        context = {"what": subject, "module": module_id, "file": Path(origin.location).name}
        try:
            return USER_CODE.ask(origin, question, module=module_id, **facts)
        except CodeEndedError as error:
            statement = say.NOT_ANSWERED.about({**context, "why": error.statement})
            raise ModuleError(statement) from None
        except CodeRaisedError as error:
            if question != "fingerprint":  # the caller reports the others
                raise
            statement = say.RAISES_WHEN_ASKED.about({**context, "error": _raised(error)})
            raise ModuleError(statement) from None

    return ask
