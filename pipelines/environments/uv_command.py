"""Location and execution of uv, which resolves and installs packages."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from modules.errors import EnvironmentNotMadeError
from pipelines.environments.index_settings import is_without_index, uv_variables
from pipelines.environments.uv_failures import failure_of
from pipelines.sentences import environments as say

Report = Callable[[str], None]
SAFE = ("--no-config", "--no-sources", "--no-python-downloads")
"""Options: no settings of the working folder, no project addresses, no Python downloads."""
WHEELS_ONLY = ("--only-binary", ":all:")


def find_uv() -> Path | None:
    """Return the uv of the extra ``environments`` or of the path; None if there is none."""
    try:
        return Path(importlib.import_module("uv").find_uv_bin())
    except (ImportError, OSError):
        folders = os.pathsep.join([os.environ.get("PATH", ""), str(Path(sys.executable).parent)])
        path = shutil.which("uv", path=folders)
        return None if path is None else Path(path)


@dataclass(frozen=True)
class Uv:
    """uv with a separate cache on the disk of the environments, so that files are shared."""

    program: Path
    cache: Path

    @classmethod
    def with_cache(cls, root: Path) -> Uv:
        """Return uv for the environments in ``root``.

        Raises ``EnvironmentNotMadeError`` without it.
        """
        program = find_uv()
        if program is None:
            raise EnvironmentNotMadeError(say.NO_UV, parameter="environment")
        return cls(program, root / "cache")

    def run(self, *arguments: str, report: Report = lambda _: None, offline: bool = False) -> None:
        """Run ``uv pip ARGUMENTS``; each line of output is reported.

        Raises the result of ``failure_of`` on failure.
        """
        lines: list[str] = []
        command = [str(self.program), "pip", *arguments, *self._options(offline)]
        with _started(command) as process:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line.rstrip())
                report(line.rstrip())
        if process.returncode:
            raise failure_of(lines, self.cache.parent)

    def forget(self, packages: Sequence[str]) -> None:
        """Remove packages from the cache whose files are no longer as downloaded."""
        command = [str(self.program), "cache", "clean", "--quiet", *packages]
        self._quietly(command)

    def prune(self) -> None:
        """Remove from the cache what no environment links to."""
        self._quietly([str(self.program), "cache", "prune", "--quiet"])

    def _quietly(self, command: Sequence[str]) -> None:
        options = ["--cache-dir", str(self.cache), "--no-config"]
        subprocess.run([*command, *options], env=uv_variables(), check=False, capture_output=True)

    def _options(self, offline: bool) -> list[str]:
        options = ["--cache-dir", str(self.cache)]
        if offline:
            options.append("--offline")
        return [*SAFE, *options, *(["--no-index"] if is_without_index() else [])]


def _started(command: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=uv_variables(),
        text=True,
        encoding="utf-8",
        errors="replace",
    )
