"""State of a watched dataset or folder, to fire when it has changed and is then stable."""

from __future__ import annotations

import hashlib
from pathlib import Path

from modules.errors import ModuleError
from modules.files.scanning import scan
from pipelines.errors import RefusedError
from pipelines.sentences import scheduling

DATASET = "dataset:"


def absolute_source(source: str, folder: Path) -> str:
    """Return a source with an absolute path; relative ones start in ``folder``."""
    if source.startswith(DATASET):
        return source
    return str((folder / Path(source.removeprefix("file:")).expanduser()).resolve())


def snapshot_of(source: str, datasets_dir: Path) -> str:
    """Return a text that changes with the content of a source.

    Of a dataset, the versions count; of a folder, names, sizes and times of all files. Raises
    ``RefusedError`` if it cannot be read.
    """
    if source.startswith(DATASET):
        return _dataset_state(source, datasets_dir)
    root = Path(source)
    if not root.is_dir():
        why = scheduling.NO_FOLDER_THERE.about({})
        raise RefusedError(scheduling.NOT_WATCHED, source=source[:200], why=why)
    digest = hashlib.sha256()
    try:
        for file in sorted(scan(root).files):
            line = f"{file.path}\0{file.num_bytes}\0{file.mtime_ns}\n"
            digest.update(line.encode("utf-8", "surrogateescape"))
    except (OSError, ModuleError) as error:
        raise RefusedError(
            scheduling.NOT_WATCHED, source=source[:200], why=str(error)[:200]
        ) from None
    return digest.hexdigest()


def _dataset_state(source: str, datasets_dir: Path) -> str:
    home = datasets_dir / source.removeprefix(DATASET).partition("@")[0]
    versions = (
        sorted(int(path.name) for path in home.iterdir() if path.name.isdecimal())
        if source != DATASET and home.parent == datasets_dir and home.is_dir()
        else []
    )
    if not versions:
        why = scheduling.NO_DATASET_THERE.about({})
        raise RefusedError(scheduling.NOT_WATCHED, source=source[:200], why=why)
    return ",".join(map(str, versions))
