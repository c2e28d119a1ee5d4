"""Model files as an output for the registry: of scripts, exports and other machines."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

from modules.artifacts import ExportedModel, OnnxModel, read_json
from modules.files.disk import disk_errors, scratch_folder
from modules.files.hashing import hash_file, stat_fingerprint
from modules.foreign_model import ForeignModel, framework_of
from modules.models.registered_model import link_or_copy
from pipelines.errors import NotFoundError, RefusedError
from pipelines.sentences import refusals
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.manifest import MANIFEST, seal

PORT = "model"
MADE_BY = "registered by hand"
ONNX_FILE, CARD_FILE, LABELS_FILE = OnnxModel.FILES[0], "card.json", "labels.txt"
EXPORTED_FILES = (ONNX_FILE, CARD_FILE, LABELS_FILE, "README.md")
"""Files of Export Model that are registered; older exports may lack some of them."""


def files_of_export(artifacts: ArtifactStore, artifact_id: str, port: str) -> str:
    """Return the id of an output with the files of an exported ONNX model, for the registry.

    Raises ``NotFoundError`` if the export is gone or damaged, ``RefusedError`` for other formats.
    """
    record, folder = artifacts.index.get(artifact_id), artifacts.folder(artifact_id, port)
    if record is None or record.damaged or not folder.is_dir():
        raise NotFoundError(refusals.NO_OUTPUT, output=f"{artifact_id}/{port}")
    exported = ExportedModel(folder)
    if not (folder / ONNX_FILE).is_file():
        suffix = exported.model_path.suffix
        raise RefusedError(refusals.EXPORT_NOT_REGISTERED, port=port, suffix=suffix)

    def fill(files: Path) -> Path:
        for name in EXPORTED_FILES:
            if (folder / name).is_file():
                link_or_copy(folder / name, files / name)
        return files / ONNX_FILE

    return stored_files(artifacts, fill, record.run_id, record.node)


def is_exported_type(name: str) -> bool:
    """Return True for the types of Export Model's output."""
    return name in (ExportedModel.__name__, OnnxModel.__name__)


def type_in(folder: Path) -> str:
    """Return the type of an output by its manifest; empty without one."""
    try:
        return str(read_json(folder / MANIFEST)["type"])
    except (OSError, ValueError, LookupError, TypeError):
        return ""


def stored_files(
    artifacts: ArtifactStore, fill: Callable[[Path], Path], run_id: str = "", node: str = ""
) -> str:
    """Return the id of the output with files; an existing one if they are known.

    Args:
        artifacts: The store.
        fill: Function that writes the files into a folder and returns the model's own.
        run_id: The run that wrote them; empty for files from elsewhere.
        node: Its node.
    """
    with disk_errors(artifacts.root), scratch_folder(artifacts.root) as staging:
        folder = staging / PORT
        (folder / "files").mkdir(parents=True)
        file = fill(folder / "files")
        identity = f"{MADE_BY}\0{run_id}\0{node}\0{file.name}\0{hash_file(file)}"
        key = hashlib.sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()
        if existing := artifacts.find(key):
            return existing.id
        model = ForeignModel.write(folder, main=file.name, framework=framework_of(file))
        seal(folder, model, {"key": key, "run_id": run_id, "node": node, "module": MADE_BY})
        return artifacts.commit(staging, key, run_id, node, stat_fingerprint(staging))


def copied_at_rest(file: Path, target: Path) -> Path:
    """Copy a file that does not change meanwhile; return the copy."""
    try:
        before = file.stat()
        shutil.copyfile(file, target)
        after = file.stat()
    except (FileNotFoundError, IsADirectoryError):
        raise NotFoundError(refusals.FILE_IS_GONE, file=file.name) from None
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise RefusedError(refusals.FILE_IS_WRITTEN, file=file.name)
    return target
