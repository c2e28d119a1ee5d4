"""Manifest of an output: its type, origin and the hashes of its files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from modules.artifacts import Artifact, read_json, write_json
from modules.files.hashing import hash_file, hash_folder
from pipelines.sentences import _

MANIFEST = "manifest.json"


def seal(folder: Path, artifact: Artifact, made_by: dict[str, Any]) -> dict[str, Any]:
    """Write an output's manifest: its type, origin, references and the hashes of its files."""
    content = {entry.name: _hash(entry) for entry in sorted(folder.iterdir())}
    manifest = {
        "type": type(artifact).__name__,
        "schema_version": type(artifact).schema_version,
        **made_by,
        "references": sorted(artifact.references),
        "content": content,
    }
    write_json(folder / MANIFEST, manifest)
    return manifest


def _hash(entry: Path) -> str:
    return hash_folder(entry) if entry.is_dir() else hash_file(entry)


def damages_of(folder: Path) -> Iterator[str]:
    """Return the differences between one port's folder and its manifest, a sentence each."""
    try:
        content: dict[str, str] = read_json(folder / MANIFEST)["content"]
    except (OSError, ValueError, KeyError):
        yield _("its manifest is missing or unreadable")
        return
    for name, expected in content.items():
        entry = folder / name
        if not entry.exists():
            yield _("{name} is missing", name=name)
        elif _hash(entry) != expected:
            yield _("{name} has changed", name=name)
    for entry in folder.iterdir():
        if entry.name not in content and entry.name != MANIFEST:
            yield _("{name} was added", name=entry.name)


def folder_bytes(folder: Path) -> int:
    """Return the total size of the files below a folder, in bytes."""
    if not folder.is_dir():
        return folder.stat().st_size if folder.exists() else 0
    total = 0
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            total += folder_bytes(Path(entry.path))
        else:
            total += entry.stat(follow_symlinks=False).st_size
    return total
