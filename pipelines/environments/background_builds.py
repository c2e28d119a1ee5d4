"""Builds that somebody watches from a browser: each in a thread, with what it has said so far."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from modules.errors import ModuleError
from modules.sentences.sentence import said_by
from pipelines.environments.builder import BuiltEnvironment, ensure_built
from pipelines.environments.definition import EnvironmentRecord
from pipelines.errors import DesignerError

logger = logging.getLogger(__name__)
MAX_LINES = 2_000


@dataclass
class BackgroundBuild:
    """One build: it is under way, has ended, or has failed."""

    lines: list[str] = field(default_factory=list)
    built: BuiltEnvironment | None = None
    failure: str = ""

    @property
    def state(self) -> Literal["building", "built", "failed"]:
        if self.failure:
            return "failed"
        return "building" if self.built is None else "built"

    def report(self, line: str) -> None:
        """Keep a line of the log; what is beyond all reading is not kept."""
        if len(self.lines) < MAX_LINES:
            self.lines.append(line)

    def to_json(self, first_line: int = 0) -> dict[str, Any]:
        """Where it stands, and the lines since."""
        return {"state": self.state, "lines": self.lines[first_line:], "failure": self.failure}


class BackgroundBuilds:
    """The builds that this process has begun, by the keys of their environments."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._begun: dict[str, BackgroundBuild] = {}
        self._guard = threading.Lock()

    def find(self, key: str) -> BackgroundBuild | None:
        """The newest build of a key; None where none was begun here."""
        return self._begun.get(key)

    def begin(self, record: EnvironmentRecord) -> BackgroundBuild:
        """Have it built, unless that is under way already."""
        with self._guard:
            begun = self._begun.get(record.key)
            if begun is None or begun.state != "building":
                begun = self._begun[record.key] = BackgroundBuild()
                threading.Thread(target=self._run, args=(record, begun), daemon=True).start()
            return begun

    def _run(self, record: EnvironmentRecord, build: BackgroundBuild) -> None:
        try:
            build.built = ensure_built(record, self.root, build.report)
        except (ModuleError, DesignerError, OSError) as error:
            build.failure = str(error) or str(said_by(error))
        except Exception as error:
            logger.exception("%s was not built", record.reference)
            build.failure = str(said_by(error))
