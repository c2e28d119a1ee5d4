"""Cache of descriptions of users' modules, so that unchanged files are not read again."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from modules.files.json_files import remember
from modules.loading import ModuleOrigin, sha256
from modules.rebuilding import ModuleDescription
from pipelines.store.artifacts.cache_keys import library_version

FORMAT = 2
HANG_RETRY_SECONDS = 60.0
"""Time before a file that hung is tried again: the machine may only have been busy."""


@dataclass(frozen=True)
class Described:
    """Description of one file or entry point."""

    modules: list[ModuleDescription] = field(default_factory=list)
    """In the form of ``modules.description``."""
    failures: list[Mapping[str, Any]] = field(default_factory=list)
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
        cached = self._before.get(origin.location)
        if cached is None or cached.state != state:
            return None
        # A file that hung is retried after a while; a package must have the same source.
        if cached.hangs:
            if not 0 <= time.time() - cached.told < HANG_RETRY_SECONDS:
                return None
        elif origin.kind == "entry_point" and not _is_unchanged(cached, package):
            return None
        self._now[origin.location] = cached
        return cached

    def keep(self, origin: ModuleOrigin, state: str, description: Described) -> None:
        """Keep it as long as the state stays the same."""
        if description.hangs or not description.failures:
            facts = {**asdict(description), "state": state, "told": time.time()}
            self._now[origin.location] = Described(**facts)

    def forget(self, origin: ModuleOrigin) -> None:
        self._now.pop(origin.location, None)

    def save(self) -> None:
        """Write the file if something has changed; a workspace may be read-only."""
        if self._path is None or self._now == self._before:
            return
        described = {location: asdict(description) for location, description in self._now.items()}
        remember(self._path, {"stamp": self._stamp, "described": described})

    def _read(self) -> dict[str, Described]:
        try:
            content = json.loads(self._path.read_bytes()) if self._path else {}
            if content.get("stamp") != self._stamp:
                return {}
            return {
                location: Described(**facts) for location, facts in content["described"].items()
            }
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return {}


def _is_unchanged(description: Described, package: str) -> bool:
    try:
        source = Path(str(description.file)).read_bytes()
    except OSError:
        return False
    return sha256(package.encode(), source) == description.code_hash
