"""Secrets of running steps, with the values that each attempt was submitted with.

They are kept until the attempt's files were redacted, whatever happens to its processes, its runner
or the secrets meanwhile: the runner's successor reads them here. Only the user can read the file,
and it is removed with the last entry.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from modules.files.redaction import Redaction
from pipelines.workers.private_json import PrivateJson
from pipelines.workspace import Workspace

logger = logging.getLogger(__name__)

WRITTEN = ("70_*.txt", "{attempt}/*.json", "{attempt}/*.jsonl", "{attempt}/agents/*.log")
REPORTS = "{attempt}/working/reports/*.json"
"""Files that the designer writes for a step, relative to its node's folder."""


class SecretsInUse:
    """Values that attempts were given and that their logs may contain."""

    def __init__(self, workspace: Workspace) -> None:
        self._root = workspace.root
        self._file = PrivateJson(workspace.secrets_in_use_path)

    def keep(self, attempt_dir: Path, values: Mapping[str, str]) -> None:
        """Record the values of an attempt before it starts. Raises ``OSError``."""
        if values:
            with self._file.changing() as stored:
                stored[self._name(attempt_dir)] = dict(values)

    def of(self, attempt_dir: Path) -> dict[str, str] | None:
        """Return the values of an attempt by their names; None if none are kept."""
        values = self._file.read().get(self._name(attempt_dir))
        return None if values is None else dict(values)

    def values(self) -> list[str]:
        """Return all values that are kept."""
        return [value for values in self._file.read().values() for value in values.values()]

    def redact(self, attempt_dir: Path) -> bool:
        """Redact the files of an attempt; return False if some could not be redacted."""
        redaction = Redaction((self.of(attempt_dir) or {}).values())
        redacted = [_redact(redaction, path) for path in _written(attempt_dir) if redaction]
        return all(redacted)

    def release(self, attempt_dir: Path) -> None:
        """Forget the values of an attempt; on a full disk only ``settle`` can, later."""
        name = self._name(attempt_dir)
        if name not in self._file.read():
            return
        try:
            with self._file.changing() as stored:
                stored.pop(name, None)
        except OSError as error:
            logger.warning("The secrets of %s are still stored: %s", name, error)

    def settle(self, is_ended: Callable[[str, str, str], bool]) -> None:
        """Redact and forget every attempt that has ended.

        Other attempts, and those that could not be redacted, are left to the next call.

        Args:
            is_ended: Called with the run, the folder of the node and that of the attempt.
        """
        for name in self._file.read():
            run_id, node, attempt = Path(name).parts[-3:]
            folder = self._root / name
            if is_ended(run_id, node, attempt) and self.redact(folder):
                self.release(folder)

    def _name(self, attempt_dir: Path) -> str:
        """Return the attempt's folder relative to the workspace, which may be moved."""
        folder = attempt_dir.absolute()
        is_inside = folder.is_relative_to(self._root)
        return (folder.relative_to(self._root) if is_inside else folder).as_posix()


def _written(attempt_dir: Path) -> Iterator[Path]:
    for pattern in (*WRITTEN, REPORTS):
        yield from attempt_dir.parent.glob(pattern.format(attempt=attempt_dir.name))


def _redact(redaction: Redaction, path: Path) -> bool:
    try:
        redaction.redact_file(path)
    except FileNotFoundError:  # removed meanwhile
        return True
    except (OSError, ValueError) as error:
        logger.warning("The secrets in %s could not be redacted: %s", path, error)
        return False
    return True
