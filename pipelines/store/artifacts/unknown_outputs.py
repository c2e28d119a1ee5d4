"""Outputs unknown to the database, recorded again from their manifests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from modules.artifacts import read_json
from modules.files.hashing import stat_fingerprint
from pipelines.store.artifacts.artifact_store import ArtifactStore, facts_of, record_of
from pipelines.store.artifacts.garbage_collection import UnknownFolders
from pipelines.store.artifacts.manifest import MANIFEST, damages_of
from pipelines.store.database.artifacts import ArtifactRecord

FACTS = ("key", "run_id", "node")


def enter_unknown_outputs(store: ArtifactStore) -> list[str]:
    """Record each intact output folder without a row, so that runs reuse it; return the ids.

    Every file is hashed. A damaged folder is left alone.
    """
    entered = []
    for folder in UnknownFolders.of(store.workspace, store.index).artifacts:
        record = _record_of_folder(folder)
        if record is not None:
            store.index.add(record)
            entered.append(record.id)
    return entered


def _record_of_folder(folder: Path) -> ArtifactRecord | None:
    """Return the row of an output folder from its manifests; None if it is damaged."""
    ports = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    try:
        manifests = [read_json(port / MANIFEST) for port in ports]
        key, run_id, node = (str(manifests[0][name]) for name in FACTS)
        is_damaged = any(True for port in ports for _ in damages_of(port))
        if is_damaged or not folder.name.startswith(f"{key[:20]}-"):
            return None
        facts = facts_of(folder, stat_fingerprint(folder))
        record = record_of(folder.name, key, run_id, node, facts)
        return replace(record, created=folder.stat().st_mtime)
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError):
        return None  # a manifest of another kind
