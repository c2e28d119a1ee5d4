"""Cache of descriptions of users' modules, so that unchanged files are not read again."""

from __future__ import annotations

import json
import platform
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from modules.files.json_files import remember
from modules.loading import ModuleOrigin, sha256
from pipelines.store.artifacts.cache_keys import library_version

FORMAT = 2
HANGS_SECONDS = 60.0
"""Time before a file that hung is tried again: the machine may only have been busy."""


@dataclass(frozen=True)
class Described:
    """Description of one file or entry point."""

    modules: list[dict[str, Any]] = field(default_factory=list)
    """In the form of ``modules.description``."""
    failures: list[dict[str, Any]] = field(default_factory=list)
    file: str | None = None
    """Code of an entry point, which is hashed together with the package's name."""
    code_hash: str | None = None
    hangs: bool = False
    state: str = ""
    told: float = 0.0


class DescribedModules:
    """File of descriptions by location; an invalid one counts as empty."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stamp = [FORMAT, platform.python_version(), library_version("pydantic")]
        self._before = self._read()
        self._now: dict[str, Described] = {}

    def find(self, origin: ModuleOrigin, state: str, package: str = "") -> Described | None:
        """Return a valid earlier description; failures are checked again each time."""
        known = self._before.get(origin.location)
        if known is None or known.state != state:
            return None
        # A file that hung is retried after a while; a package must have the same source.
        if known.hangs:
            if not 0 <= time.time() - known.told < HANGS_SECONDS:
                return None
        elif origin.kind == "entry_point" and not _is_unchanged(known, package):
            return None
        self._now[origin.location] = known
        return known

    def keep(self, origin: ModuleOrigin, state: str, told: Described) -> None:
        """Keep it as long as the state stays the same."""
        if told.hangs or not told.failures:
            facts = {**asdict(told), "state": state, "told": time.time()}
            self._now[origin.location] = Described(**facts)

    def forget(self, origin: ModuleOrigin) -> None:
        self._now.pop(origin.location, None)

    def save(self) -> None:
        """Write the file if something has changed; a workspace may be read-only."""
        if self._path is None or self._now == self._before:
            return
        found = {location: asdict(each) for location, each in self._now.items()}
        remember(self._path, {"stamp": self._stamp, "described": found})

    def _read(self) -> dict[str, Described]:
        try:
            content = json.loads(self._path.read_bytes()) if self._path else {}
            if content.get("stamp") != self._stamp:
                return {}
            return {where: Described(**each) for where, each in content["described"].items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return {}


def _is_unchanged(known: Described, package: str) -> bool:
    try:
        source = Path(str(known.file)).read_bytes()
    except OSError:
        return False
    return sha256(package.encode(), source) == known.code_hash
