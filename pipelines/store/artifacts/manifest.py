"""Manifest of an output: its type, origin and the hashes of its files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NotRequired, TypedDict

from modules.artifacts import Artifact, read_json, write_json
from modules.files.hashing import hash_file, hash_folder
from pipelines.sentences import _

MANIFEST = "manifest.json"


class StepResult(TypedDict):
    """Outputs of a step in its staging folder, as its host reports them in ``result.json``."""

    fingerprint: str
    num_bytes: int
    references: list[str]
    outputs: NotRequired[list[str]]
    seconds: NotRequired[float]
    cut_short: NotRequired[bool]
    content: NotRequired[str]
    """Name in the object store, if the machine of the step has uploaded them."""


def seal(folder: Path, artifact: Artifact, made_by: Mapping[str, object]) -> list[str]:
    """Write an output's manifest: its type, origin, references and the hashes of its files.

    Return the references.
    """
    content = {entry.name: _hash(entry) for entry in sorted(folder.iterdir())}
    references = sorted(artifact.references)
    manifest = {
        "type": type(artifact).__name__,
        "schema_version": type(artifact).schema_version,
        **made_by,
        "references": references,
        "content": content,
    }
    write_json(folder / MANIFEST, manifest)
    return references


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
