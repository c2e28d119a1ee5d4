"""Registration of a file that a script wrote, as a separate output."""

from __future__ import annotations

import hashlib
import shutil
from functools import partial
from pathlib import Path

from modules.files.disk import disk_errors, scratch_folder
from modules.files.hashing import hash_file, stat_fingerprint
from modules.foreign_model import ForeignModel, framework_of
from pipelines.errors import NotFoundError, RefusedError
from pipelines.registry.models import ModelRegistry, RegisteredVersion
from pipelines.sentences import refusals
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.manifest import seal

PORT = "model"
MADE_BY = "registered by hand"


def register_file(
    registry: ModelRegistry,
    file: Path,
    run_id: str,
    node: str,
    name: str,
    *,
    description: str | None = None,
    alias: str | None = None,
) -> RegisteredVersion:
    """Register a copy of a node's file as the next version of a model.

    Raises ``RefusedError`` for invalid texts, and if the file is still being written.
    """
    take_in = partial(_taken_in, registry.artifacts, file, run_id, node)
    return registry.register_made(take_in, PORT, name, description, alias)


def _taken_in(artifacts: ArtifactStore, file: Path, run_id: str, node: str) -> str:
    """Return the id of the artifact with the file; an existing one if it is known."""
    with disk_errors(artifacts.root), scratch_folder(artifacts.root) as staging:
        folder = staging / PORT
        (folder / "files").mkdir(parents=True)
        copy = folder / "files" / file.name
        _copy_at_rest(file, copy)
        identity = f"{MADE_BY}\0{run_id}\0{node}\0{file.name}\0{hash_file(copy)}"
        key = hashlib.sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()
        if existing := artifacts.find(key):
            return existing.id
        model = ForeignModel.write(folder, main=file.name, framework=framework_of(file))
        seal(folder, model, {"key": key, "run_id": run_id, "node": node, "module": MADE_BY})
        return artifacts.commit(staging, key, run_id, node, stat_fingerprint(staging))


def _copy_at_rest(file: Path, target: Path) -> None:
    """Copy a file that does not change meanwhile."""
    try:
        before = file.stat()
        shutil.copyfile(file, target)
        after = file.stat()
    except FileNotFoundError:
        raise NotFoundError(refusals.FILE_IS_GONE, file=file.name) from None
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise RefusedError(refusals.FILE_IS_WRITTEN, file=file.name)
