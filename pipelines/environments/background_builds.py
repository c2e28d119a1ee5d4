"""Builds watched from a browser: each in a thread, with its log so far."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from modules.errors import ModuleError
from modules.sentences.sentence import said_by
from pipelines.environments.builder import BuiltEnvironment, ensure_built
from pipelines.environments.definition import EnvironmentRecord
from pipelines.errors import DesignerError

logger = logging.getLogger(__name__)
MAX_LINES = 2_000


BuildState = Literal["building", "built", "failed"]


@dataclass(frozen=True)
class EnvironmentBuildState:
    """Progress of a build started by this process."""

    state: Literal["none"] | BuildState
    lines: list[str]
    failure: str


NO_BUILD = EnvironmentBuildState("none", [], "")


@dataclass
class BackgroundBuild:
    """Build that is running, finished or failed."""

    lines: list[str] = field(default_factory=list)
    built: BuiltEnvironment | None = None
    failure: str = ""

    @property
    def state(self) -> BuildState:
        if self.failure:
            return "failed"
        return "building" if self.built is None else "built"

    def report(self, line: str) -> None:
        """Store a line of the log, up to a limit."""
        if len(self.lines) < MAX_LINES:
            self.lines.append(line)

    def progress(self, first_line: int = 0) -> EnvironmentBuildState:
        """Return the state, and the lines of the log from ``first_line`` on."""
        return EnvironmentBuildState(self.state, self.lines[first_line:], self.failure)


class BackgroundBuilds:
    """Builds started by this process, by the keys of their environments."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._builds: dict[str, BackgroundBuild] = {}
        self._guard = threading.Lock()

    def find(self, key: str) -> BackgroundBuild | None:
        """Return the newest build of a key; None if there is none."""
        return self._builds.get(key)

    def start(self, record: EnvironmentRecord) -> BackgroundBuild:
        """Start a build unless one is running."""
        with self._guard:
            build = self._builds.get(record.key)
            if build is None or build.state != "building":
                build = self._builds[record.key] = BackgroundBuild()
                threading.Thread(target=self._run, args=(record, build), daemon=True).start()
            return build

    def _run(self, record: EnvironmentRecord, build: BackgroundBuild) -> None:
        try:
            build.built = ensure_built(record, self.root, build.report)
        except (ModuleError, DesignerError, OSError) as error:
            build.failure = str(error) or str(said_by(error))
        except Exception as error:
            logger.exception("%s was not built", record.reference)
            build.failure = str(said_by(error))
