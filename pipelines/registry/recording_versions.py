"""Versions of recordings: their pictures become a dataset version like any other."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from modules.datasets.folder_summary import folder_summary
from modules.datasets.registered import versions_of
from modules.files.disk import disk_errors, scratch_folder
from modules.files.json_files import JsonObject
from modules.files.names import folder_name
from modules.files.whole_files import replacing
from modules.files.workspace_folder import UPLOADED
from pipelines.errors import NotFoundError, RefusedError
from pipelines.registry.datasets import PREFIX, RegisteredDatasets
from pipelines.registry.recordings import ENDING, CameraRecording, Recordings
from pipelines.sentences import recordings as say

SAVED_FILE = "saved.json"
LEAST_PICTURES = 2
"""Pictures of a class that training needs: one to learn from and one to test with."""
_SAVING = threading.Lock()


@dataclass(frozen=True)
class SavedRecording:
    """Last version of a recording, and the pipeline and run that used it."""

    version: int = 0
    """0 if it was never saved."""
    content: str = ""
    """Hash of the classes and pictures of that version."""
    versions: tuple[int, ...] = ()
    """All versions of the dataset that were recorded here."""
    pipeline_id: str = ""
    run_id: str = ""


class RecordingVersions:
    """Versions of the recordings of a workspace."""

    def __init__(self, recordings: Recordings, datasets: RegisteredDatasets, cache: Path) -> None:
        self._recordings = recordings
        self._datasets = datasets
        self._cache = cache

    def saved(self, name: str) -> SavedRecording:
        """Return what was saved of a recording; versions that were deleted do not count."""
        stored = _read(self._recordings.home(name) / SAVED_FILE)
        existing = versions_of(self._datasets.folder, name)
        kept = tuple(version for version in stored.versions if version in existing)
        version = stored.version if stored.version in existing else 0
        return replace(stored, versions=kept, version=version)

    def is_saved(self, recording: CameraRecording) -> bool:
        """Return True if the newest version has exactly these pictures."""
        saved = self.saved(recording.name)
        return bool(saved.version) and saved.content == _hash_of(recording)

    def is_recorded(self, name: str, version: int) -> bool:
        """Return True if a version of a dataset was recorded here."""
        return self._recordings.has(name) and version in self.saved(name).versions

    def save(self, name: str) -> SavedRecording:
        """Save the stored pictures as the next version, unless the last one has the same.

        Raises ``RefusedError`` if there are none, or if the names of classes have another meaning
        in a dataset.
        """
        with _SAVING:
            recording = self._recordings.get(name)
            if recording.num_pictures == 0:
                raise RefusedError(say.NO_PICTURES_YET)
            saved = self.saved(name)
            if self.is_saved(recording):
                return saved
            with scratch_folder(self._cache, UPLOADED) as scratch:
                made = self._gathered(recording, scratch / name)
                added = self._datasets.add(made, name)
            saved = replace(
                saved,
                version=added.version,
                content=_hash_of(recording),
                versions=(*saved.versions, added.version),
            )
            self._write(name, saved)
            self._recordings.forget_removed(name)
            return saved

    def remember(self, name: str, pipeline_id: str, run_id: str) -> None:
        """Note the pipeline and the run that train with the newest version."""
        with _SAVING:
            saved = replace(self.saved(name), pipeline_id=pipeline_id, run_id=run_id)
            self._write(name, saved)

    def _gathered(self, recording: CameraRecording, target: Path) -> Path:
        """Return a new folder with a subfolder per class that has pictures."""
        names: Counter[str] = Counter()
        with disk_errors(self._cache):
            for category in recording.classes:
                # two classes of one name, made by two processes at once, become one
                folder = target / folder_name(category.name)
                for picture in category.pictures:
                    with suppress(NotFoundError):  # removed in the meantime
                        path = self._recordings.picture(recording.name, category.id, picture)
                        folder.mkdir(parents=True, exist_ok=True)
                        _link(path, folder / f"{picture}{ENDING}")
                        names[folder.name] += 1
        if len(names) > 1 and folder_summary(target).num_classes != len(names):
            raise RefusedError(say.NAMES_ARE_PARTS, names=sorted(names))
        return target

    def _write(self, name: str, saved: SavedRecording) -> None:
        path = self._recordings.home(name) / SAVED_FILE
        with disk_errors(path.parent), replacing(path, durably=True) as temporary:
            temporary.write_text(json.dumps(vars(saved)), encoding="utf-8")


def require_trainable(recording: CameraRecording) -> None:
    """Raise ``RefusedError`` unless two classes have enough pictures to train and to test."""
    enough = [one for one in recording.classes if len(one.pictures) >= LEAST_PICTURES]
    if len(enough) < 2:
        raise RefusedError(say.TOO_FEW_TO_TRAIN, least=LEAST_PICTURES)


def source_of(name: str, version: int) -> str:
    """Return the reference of a version for Import Images."""
    return f"{PREFIX}{name}@{version}"


def _hash_of(recording: CameraRecording) -> str:
    listed = sorted(
        (category.name, picture) for category in recording.classes for picture in category.pictures
    )
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()


def _link(source: Path, target: Path) -> None:
    """Link or copy a picture: pictures never change after they were stored."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _read(path: Path) -> SavedRecording:
    """Return the stored facts; the defaults if there are none or if the file is damaged."""
    try:
        content: JsonObject = json.loads(path.read_text(encoding="utf-8"))
        return SavedRecording(
            version=int(content["version"]),
            content=str(content["content"]),
            versions=tuple(int(number) for number in content["versions"]),
            pipeline_id=str(content["pipeline_id"]),
            run_id=str(content["run_id"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return SavedRecording()
