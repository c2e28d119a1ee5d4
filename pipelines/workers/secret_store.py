"""Secrets: values that only steps' processes receive, by the names that pipelines use.

They are in a file next to the database that only its user can read, and reach a step's host through
a socket: no document, event, log or replay ever contains one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from modules.files.redaction import FEWEST_BYTES, Redaction
from pipelines.errors import NotFoundError, RefusedError
from pipelines.sentences import refusals
from pipelines.workers.private_json import PrivateJson
from pipelines.workers.secrets_in_use import SecretsInUse
from pipelines.workspace import Workspace

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
MOST_BYTES = 32_768


class SecretStore:
    """Secrets of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._file = PrivateJson(workspace.secrets_path)
        self.in_use = SecretsInUse(workspace)

    def versions(self) -> dict[str, int]:
        """Return the names with the number of times each was set, which is what keys contain."""
        return {
            name: entry["version"] for name, entry in self._file.read().items() if _is_set(entry)
        }

    def values(self, names: Iterable[str]) -> dict[str, str]:
        """Return the values of those names that are set."""
        entries = self._file.read()
        return {name: entries[name]["value"] for name in names if _is_set(entries.get(name))}

    def of_attempt(self, attempt_dir: Path, names: Iterable[str]) -> dict[str, str]:
        """Return the values that an attempt was submitted with, else the current ones."""
        secrets = self.in_use.of(attempt_dir)
        return self.values(names) if secrets is None else secrets

    def redaction(self) -> Redaction:
        """Return what redacts the current values, and those that steps under way were given."""
        current = [entry["value"] for entry in self._file.read().values() if _is_set(entry)]
        return Redaction([*current, *self.in_use.values()])

    def set(self, name: str, value: str) -> int:
        """Store a value; return its version.

        Raises ``RefusedError`` for an invalid name or value.
        """
        _require(name, value)
        return self._change(name, value)

    def remove(self, name: str) -> None:
        """Remove a value; its version continues if it is set again."""
        if name not in self.versions():
            raise NotFoundError(refusals.NO_SECRET, secret=name)
        self._change(name, None)

    def _change(self, name: str, value: str | None) -> int:
        with self._file.changing() as entries:
            version = entries.get(name, {"version": 0})["version"] + (value is not None)
            entries[name] = {"value": value, "version": version}
        return int(version)


def _is_set(entry: dict[str, Any] | None) -> bool:
    return entry is not None and entry["value"] is not None


def _require(name: str, value: str) -> None:
    if NAME.fullmatch(name) is None:
        raise RefusedError(refusals.NO_SECRET_NAME, text=name[:80])
    size = len(value.encode())
    if not FEWEST_BYTES <= size <= MOST_BYTES or "\0" in value:
        raise RefusedError(refusals.NO_SECRET_VALUE, fewest=FEWEST_BYTES, most=MOST_BYTES)
