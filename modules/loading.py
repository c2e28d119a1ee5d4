"""Loading of modules: this project's own, a workspace's files, and installed packages.

This runs foreign code: call it only in a process made for it, a module host or a child of
``pipelines.user_modules.server``. Any exception (``SystemExit`` too) becomes a ``CatalogFailure``
with the file, the line and a fix; only the user's own interrupt propagates. Its output goes to
standard error, so that commands that print JSON stay parseable.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.metadata
import sys
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from modules.declare import DeclarationError
from modules.sentences import declarations as say
from modules.sentences.sentence import RecordedStatement, Sentence
from modules.spec import Module

ENTRY_POINT_GROUP = "pipeline_designer.modules"


class ModuleNotLoadedError(Exception):
    """A module cannot be loaded again from its origin; the message ends with the fix."""


@dataclass(frozen=True)
class ModuleOrigin:
    """The origin of a module, from which any process can load it again: ``load_module``."""

    kind: Literal["import", "file", "entry_point"]
    """Importable code of this environment, a workspace's own file, or an installed package."""
    location: str
    """``package.module:name``, or the path of a file."""
    code_hash: str | None = None
    """Hash of code that its author may change at any time; None for this project's own."""


@dataclass(frozen=True)
class CatalogFailure:
    """A file or entry point that provided no module, the reason and the fix."""

    source: str
    message: str
    cure: str
    line: int | None = None
    reason: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @classmethod
    def of(
        cls, source: str, sentence: Sentence, line: int | None = None, **facts: Any
    ) -> CatalogFailure:
        """Create the failure from a sentence and facts."""
        said = sentence.about(facts)
        return cls(source, said.message[:1000], said.cure, line, **said.to_json())


@dataclass(frozen=True)
class Found:
    """A module together with its origin."""

    module: Module
    origin: ModuleOrigin


Loaded = tuple[list[Found], list[CatalogFailure]]


def load_module(origin: ModuleOrigin, module_id: str) -> Module:
    """Return the module with that ID from its origin.

    Raises ``ModuleNotLoadedError`` if it is missing, broken or changed.
    """
    loaded, failures = load(origin)
    module = next((candidate for candidate in loaded if candidate.module.id == module_id), None)
    if module is None and failures:
        raise ModuleNotLoadedError(RecordedStatement.of(failures[0]))
    if module is None:
        gone = {"location": origin.location, "module": module_id}
        raise ModuleNotLoadedError(say.NO_LONGER_DECLARED.about(gone))
    if origin.code_hash != module.origin.code_hash:
        raise ModuleNotLoadedError(say.CODE_CHANGED.about({"location": origin.location}))
    return module.module


def module_files(folder: Path) -> tuple[list[Path], list[CatalogFailure]]:
    """Return every Python file in a folder, except those that start with ``_`` or ``.``."""
    try:
        paths = sorted(folder.glob("*.py")) if folder.is_dir() else []
    except OSError as error:
        return [], [_failure(str(folder), error)]
    return [path for path in paths if not path.name.startswith(("_", "."))], []


def from_folder(folder: Path) -> Loaded:
    """Load the modules of the Python files in a folder."""
    paths, failures = module_files(folder)
    loaded, failed = _joined(map(from_file, paths))
    return loaded, [*failures, *failed]


def from_file(path: Path) -> Loaded:
    """Load the modules declared by one file; a changed file is read again."""
    path = path.resolve()
    try:
        source = path.read_bytes()
        with contextlib.redirect_stdout(sys.stderr):
            loaded = _executed(path, source)
        modules = _declared_in(loaded)
    except (Exception, SystemExit) as error:
        return [], [_failure(str(path), error)]
    return _collected(ModuleOrigin("file", str(path), sha256(source)), modules)


def load(origin: ModuleOrigin) -> Loaded:
    """Load the contents of a file, an entry point or importable code into this process."""
    if origin.kind == "file":
        return from_file(Path(origin.location))
    if origin.kind == "import":
        return _imported(origin)
    return _joined(_from_entry_point(e) for e in entry_points() if e.value == origin.location)


def entry_points() -> Iterable[importlib.metadata.EntryPoint]:
    """Return the entry points of installed packages."""
    return importlib.metadata.entry_points(group=ENTRY_POINT_GROUP)


def package_name(entry_point: importlib.metadata.EntryPoint) -> str:
    """Return the name and version of the package of an entry point."""
    dist = entry_point.dist
    return " " if dist is None else f"{dist.name} {dist.version}"


def _from_entry_point(entry_point: importlib.metadata.EntryPoint) -> Loaded:
    return _imported(ModuleOrigin("entry_point", entry_point.value), package_name(entry_point))


def _imported(origin: ModuleOrigin, package: str = "") -> Loaded:
    """Import ``package.module:name``: one module, several, or all that a file declares."""
    module_name, _, attribute = origin.location.replace(" ", "").partition(":")
    try:
        with contextlib.redirect_stdout(sys.stderr):
            container = importlib.import_module(module_name)
            value = getattr(container, attribute) if attribute else container
            modules = _declared_in(value) if isinstance(value, ModuleType) else _listed(value)
            if origin.kind == "entry_point":
                source = Path(str(container.__file__)).read_bytes()
                origin = replace(origin, code_hash=sha256(package.encode(), source))
    except (Exception, SystemExit) as error:
        return [], [_failure(origin.location, error)]
    return _collected(origin, modules)


def _executed(path: Path, source: bytes) -> ModuleType:
    """Execute the file under a private name that the annotations of its classes resolve against."""
    prefix = f"_designer_file_{sha256(str(path).encode())[:12]}_"
    name = prefix + sha256(source)[:12]
    if name in sys.modules:
        return sys.modules[name]
    code = compile(source, str(path), "exec")
    for outdated in [name for name in sys.modules if name.startswith(prefix)]:
        del sys.modules[outdated]
    loaded = ModuleType(name)
    loaded.__file__ = str(path)
    sys.modules[name] = loaded
    try:
        exec(code, loaded.__dict__)  # noqa: S102  running the user's modules is the purpose
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return loaded


def _declared_in(loaded: ModuleType) -> list[Module]:
    """Return the modules whose function the file itself defines, not imported ones."""
    values = {id(value): value for value in vars(loaded).values() if isinstance(value, Module)}
    return [module for module in values.values() if module.function.__module__ == loaded.__name__]


def _listed(value: Any) -> list[Module]:
    modules = [value] if isinstance(value, Module) else list(value)
    if not all(isinstance(module, Module) for module in modules):
        raise TypeError("the entry point does not refer to a module")
    return modules


def _collected(origin: ModuleOrigin, modules: list[Module]) -> Loaded:
    if modules:
        return [Found(module, origin) for module in modules], []
    return [], [CatalogFailure.of(origin.location, say.NO_MODULE)]


def _joined(parts: Iterable[Loaded]) -> Loaded:
    loaded: list[Found] = []
    failures: list[CatalogFailure] = []
    for more, failed in parts:
        loaded += more
        failures += failed
    return loaded, failures


def _failure(source: str, error: BaseException) -> CatalogFailure:
    line, name = _line(source, error), type(error).__name__
    if isinstance(error, DeclarationError):
        facts = {"error": name, "module": error.module_id, "why": error.statement}
        return CatalogFailure.of(source, say.MISDECLARED, line, **facts)
    if isinstance(error, SyntaxError):
        return CatalogFailure.of(source, say.SYNTAX, line, text=error.msg)
    known = (
        (ImportError, say.IMPORT_FAILED),
        (SystemExit, say.ENDS_PROCESS),
        (OSError, say.UNREADABLE_CODE),
        (BaseException, say.RAISES),
    )
    sentence = next(sentence for kind, sentence in known if isinstance(error, kind))
    return CatalogFailure.of(source, sentence, line, error=name, text=str(error))


def _line(source: str, error: BaseException) -> int | None:
    """Return the last line of the file that the error passed through."""
    if isinstance(error, SyntaxError):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == source), None)


def sha256(*parts: bytes) -> str:
    """Return one hash of several byte strings, each delimited by its length."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
