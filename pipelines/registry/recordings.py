"""Recordings: pictures of named classes from a camera or files, on their way to a dataset.

    recordings/<name>/<class>/class.json            its name
    recordings/<name>/<class>/<picture>.jpg         stored pictures
    recordings/<name>/saved.json                    its versions, pipeline and run

Ids of classes and pictures consist of the time and a random part: tabs and processes add to the
same recording without a lock, and the order of ids is the order of time. A picture is complete or
absent: it is acknowledged once its file and its name are on the disk. Removed classes and pictures
are only renamed, until the recording is saved (``recording_versions``).
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import threading
import time
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from modules.datasets.dataset_names import check_name, free_name, is_name, normal_name
from modules.files.disk import ABANDONED_SECONDS, disk_errors, is_unchanged_for
from modules.files.names import class_name, is_junk
from modules.files.whole_files import replacing
from modules.operating_system.files import replace, sync_folder
from modules.operating_system.names import is_usable
from pipelines.errors import NameTakenError, NotFoundError, RefusedError
from pipelines.registry.recorded_pictures import cleaned
from pipelines.sentences import recordings as say
from pipelines.workspace import Workspace

DEFAULT_NAME = "camera"
MAX_CLASSES = 200
MAX_PICTURES = 5_000
MAX_CLASS_NAME = 60
CLASS_FILE = "class.json"
ENDING, REMOVED = ".jpg", ".removed"
CLASS_ID, PICTURE_ID = r"[0-9a-f]{16}", r"[0-9a-f]{24}"


@dataclass(frozen=True)
class RecordedClass:
    """A class of a recording with the ids of its stored pictures, oldest first."""

    id: str
    name: str
    pictures: tuple[str, ...]


@dataclass(frozen=True)
class CameraRecording:
    """A recording as it is stored."""

    name: str
    classes: tuple[RecordedClass, ...]

    @property
    def num_pictures(self) -> int:
        return sum(len(category.pictures) for category in self.classes)

    def class_named(self, name: str) -> RecordedClass | None:
        """Return the class of that name; names that differ only in case are the same."""
        wanted = name.casefold()
        return next((one for one in self.classes if one.name.casefold() == wanted), None)


class Recordings:
    """Recordings of a workspace: a folder per name with a folder per class."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._naming = threading.RLock()

    @property
    def folder(self) -> Path:
        return self._workspace.recordings_dir

    def all(self) -> list[CameraRecording]:
        """Return all recordings by name."""
        if not self.folder.is_dir():
            return []
        recordings = []
        for name in sorted(path.name for path in self.folder.iterdir()):
            with suppress(NotFoundError):  # another file, or deleted in the meantime
                recordings.append(self.get(name))
        return recordings

    def create(self, name: str | None) -> CameraRecording:
        """Create an empty recording; None names it like no dataset and no recording.

        Raises ``NameTakenError`` if a dataset has the name that was not recorded here.
        """
        datasets = self._workspace.datasets_dir
        with self._naming:
            if name is None:
                chosen = self._free_name()
            else:
                chosen = normal_name(name)
                check_name(chosen)
                folders = (self.folder, datasets) if not self.has(chosen) else ()
                if any(free_name(chosen, folder) != chosen for folder in folders):
                    raise NameTakenError(say.NAME_OF_DATASET, name=chosen)
            with disk_errors(self.folder):
                (self.folder / chosen).mkdir(parents=True, exist_ok=True)
                sync_folder(self.folder)
        return self.get(chosen)

    def _free_name(self) -> str:
        """Return the default name, with a number if a recording or a dataset has it."""
        chosen, number = DEFAULT_NAME, 1
        folders = (self.folder, self._workspace.datasets_dir)
        while any(free_name(chosen, folder) != chosen for folder in folders):
            number += 1
            chosen = f"{DEFAULT_NAME}-{number}"
        return chosen

    def has(self, name: str) -> bool:
        """Return True if a recording has this name."""
        return is_name(name) and (self.folder / name).is_dir()

    def get(self, name: str) -> CameraRecording:
        """Return a recording. Raises ``NotFoundError``."""
        home = self.home(name)
        folders = sorted(path for path in home.iterdir() if re.fullmatch(CLASS_ID, path.name))
        read = ((folder, _name_in(folder)) for folder in folders)
        classes = [
            RecordedClass(folder.name, name, tuple(_pictures_in(folder)))
            for folder, name in read
            if name is not None
        ]
        return CameraRecording(home.name, tuple(classes))

    def delete(self, name: str) -> None:
        """Delete a recording with its pictures; its datasets stay."""
        home = self.home(name)
        doomed = home.with_name(f".{home.name[:40]}-{secrets.token_hex(4)}{REMOVED}")
        replace(home, doomed)
        shutil.rmtree(doomed, ignore_errors=True)

    def add_class(self, name: str, label: str) -> RecordedClass:
        """Return the class of that name, which is added if it is new.

        Raises ``RefusedError`` for an invalid name or if there are too many.
        """
        label = _checked_label(label)
        with self._naming:
            recording = self.get(name)
            known = recording.class_named(label)
            if known is not None:
                return known
            if len(recording.classes) >= MAX_CLASSES:
                raise RefusedError(say.TOO_MANY_CLASSES, most=MAX_CLASSES)
            return RecordedClass(self._made_class(self.home(name), label), label, ())

    def _made_class(self, home: Path, label: str) -> str:
        """Create the folder of a class, complete or not at all; return its id."""
        class_id = f"{int(time.time() * 1000):012x}{secrets.token_hex(2)}"
        made = home / f".{class_id}.tmp"
        try:
            with disk_errors(home):
                made.mkdir()
                _write_name(made, label)
                replace(made, home / class_id)
                sync_folder(home)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
        return class_id

    def rename_class(self, name: str, class_id: str, label: str) -> RecordedClass:
        """Rename a class. Raises ``NameTakenError`` if another one has the name."""
        label = _checked_label(label)
        with self._naming:
            folder = self._class_folder(name, class_id)
            other = self.get(name).class_named(label)
            if other is not None and other.id != class_id:
                raise NameTakenError(say.CLASS_THERE, name=label)
            with disk_errors(folder):
                _write_name(folder, label)
        return RecordedClass(class_id, label, tuple(_pictures_in(folder)))

    def remove_class(self, name: str, class_id: str) -> None:
        """Remove a class with its pictures; ``restore_class`` undoes it."""
        folder = self._class_folder(name, class_id)
        replace(folder, folder.with_name(class_id + REMOVED))

    def restore_class(self, name: str, class_id: str) -> RecordedClass:
        """Undo the removal of a class. Raises ``NotFoundError`` if it is gone for good."""
        home = self.home(name)
        with self._naming:
            removed = home / (class_id + REMOVED)
            label = _name_in(removed)
            if label is None:
                raise NotFoundError(say.NO_CLASS, recording=name)
            if self.get(name).class_named(label) is not None:
                raise NameTakenError(say.CLASS_THERE, name=label)
            replace(removed, home / class_id)
        return RecordedClass(class_id, label, tuple(_pictures_in(home / class_id)))

    def add_picture(self, name: str, class_id: str, picture_id: str, content: bytes) -> None:
        """Store a picture; on return it survives a kill and a power cut.

        A repeated request with the same id changes nothing. Raises ``RefusedError`` if it is not an
        image or if there are too many, ``ModuleOutOfMemoryError`` if the disk is full; nothing is
        stored then.
        """
        folder = self._class_folder(name, class_id)
        target = folder / f"{picture_id}{ENDING}"
        if target.exists():
            return
        if _num_pictures(folder.parent) >= MAX_PICTURES:
            raise RefusedError(say.TOO_MANY_PICTURES, most=MAX_PICTURES)
        made = cleaned(content)
        try:
            with disk_errors(folder):
                with replacing(target, durably=True) as path:
                    path.write_bytes(made)
                sync_folder(folder)
        except FileNotFoundError:  # the class was removed in the meantime
            raise NotFoundError(say.NO_CLASS, recording=name) from None

    def picture(self, name: str, class_id: str, picture_id: str) -> Path:
        """Return the file of a stored picture. Raises ``NotFoundError``."""
        path = self._class_folder(name, class_id) / f"{picture_id}{ENDING}"
        if not path.is_file():
            raise NotFoundError(say.NO_PICTURE)
        return path

    def remove_picture(self, name: str, class_id: str, picture_id: str) -> None:
        """Remove a picture; ``restore_picture`` undoes it."""
        path = self.picture(name, class_id, picture_id)
        replace(path, path.with_name(path.name + REMOVED))

    def restore_picture(self, name: str, class_id: str, picture_id: str) -> None:
        """Undo the removal of a picture. Raises ``NotFoundError`` if it is gone for good."""
        path = self._class_folder(name, class_id) / f"{picture_id}{ENDING}"
        removed = path.with_name(path.name + REMOVED)
        if not removed.is_file():
            raise NotFoundError(say.NO_PICTURE)
        replace(removed, path)

    def forget_removed(self, name: str) -> None:
        """Delete removed classes and pictures for good, and what a killed process left."""
        home = self.home(name)
        left = (path for path in home.glob(".*.tmp") if is_unchanged_for(path, ABANDONED_SECONDS))
        for path in [*home.glob(f"*{REMOVED}"), *home.glob(f"*/*{REMOVED}"), *left]:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    def home(self, name: str) -> Path:
        """Return the folder of a recording. Raises ``NotFoundError``."""
        if not self.has(name):
            raise NotFoundError(say.NO_RECORDING, recording=name[:100])
        return self.folder / name

    def _class_folder(self, name: str, class_id: str) -> Path:
        folder = self.home(name) / class_id
        if re.fullmatch(CLASS_ID, class_id) is None or not folder.is_dir():
            raise NotFoundError(say.NO_CLASS, recording=name)
        return folder


def _checked_label(label: str) -> str:
    """Return the class name in its normal form; raises ``RefusedError`` for an invalid one."""
    name = " ".join(unicodedata.normalize("NFC", label).split())
    is_valid = (
        0 < len(name) <= MAX_CLASS_NAME
        and name.isprintable()
        and name == class_name(name)
        and not set(name) & set("/\\")
        and not is_junk(name)
        and is_usable(name)
    )
    if not is_valid:
        raise RefusedError(say.NO_CLASS_NAME, name=label[:100], most=MAX_CLASS_NAME)
    return name


def _pictures_in(folder: Path) -> Iterator[str]:
    pattern = re.compile(PICTURE_ID + re.escape(ENDING))
    try:
        names = sorted(path.name for path in folder.iterdir())
    except FileNotFoundError:  # removed in the meantime
        return
    yield from (name.removesuffix(ENDING) for name in names if pattern.fullmatch(name))


def _num_pictures(home: Path) -> int:
    """Return the number of stored pictures of a recording, without reading its classes."""
    with os.scandir(home) as folders:
        paths = [entry.path for entry in folders if re.fullmatch(CLASS_ID, entry.name)]
    return sum(file.endswith(ENDING) for path in paths for file in os.listdir(path))


def _name_in(folder: Path) -> str | None:
    """Return the name of the class in a folder; None if the folder is gone or no class."""
    try:
        content = json.loads((folder / CLASS_FILE).read_text(encoding="utf-8"))
        name = content["name"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return name if isinstance(name, str) else None


def _write_name(folder: Path, label: str) -> None:
    with replacing(folder / CLASS_FILE, durably=True) as path:
        path.write_text(json.dumps({"name": label}, ensure_ascii=False), encoding="utf-8")
    sync_folder(folder)
