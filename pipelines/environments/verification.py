"""Verification of installed packages by their recorded hashes."""

from __future__ import annotations

import base64
import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MISSING = "missing"
CHANGED = "changed"


@dataclass(frozen=True)
class DamagedFile:
    """File that differs from the installed one."""

    package: str
    file: str
    kind: str
    """``missing`` or ``changed``."""


def damages_of(site_packages: Path) -> list[DamagedFile]:
    """Return every missing or changed file of every package."""
    records = sorted(site_packages.glob("*.dist-info/RECORD"))
    return [damage for record in records for damage in _damages_of(record)]


def _damages_of(record: Path) -> Iterator[DamagedFile]:
    package = record.parent.name.partition("-")[0]
    with record.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        for name, expected, *_ in csv.reader(file):
            kind = _damage(record.parent.parent / name, expected)
            if kind is not None:
                yield DamagedFile(package, name, kind)


def _damage(path: Path, expected: str) -> str | None:
    """Return what is wrong with a file; None if nothing is or it has no record."""
    algorithm, _, value = expected.partition("=")
    if not value:
        return None
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, algorithm)
    except OSError:
        return MISSING
    actual = base64.urlsafe_b64encode(digest.digest()).decode().rstrip("=")
    return None if actual == value else CHANGED
