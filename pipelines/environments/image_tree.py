"""Files of an image on this disk: unchanged but read-only, without links that leave the folder.

Each is recorded with its hash like packages do (``RECORD``), so that damage is found in the same
way.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import tarfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any

from modules.errors import EnvironmentNotMadeError
from modules.files.names import printable
from modules.operating_system.image_mounts import MADE
from modules.sentences.sentence import Sentence
from pipelines.environments.containers import Image
from pipelines.sentences import environments as say

TREE = "root"
RECORD = Path("image.dist-info", "RECORD")
ROOT = PurePosixPath()
CHUNK_BYTES = 2**20


def unpack_image(image: Image, stream: IO[bytes], folder: Path) -> None:
    """Write the files of a tar stream below ``folder``. Raises ``EnvironmentNotMadeError``."""
    (folder / RECORD).parent.mkdir(parents=True)
    (folder / TREE).mkdir()
    with (folder / RECORD).open("x", encoding="utf-8", errors="surrogateescape") as file:
        writer = _TreeWriter(image, folder / TREE, csv.writer(file))
        try:
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                for entry in archive:
                    writer.add(entry, archive)
        except tarfile.TarError as error:
            raise EnvironmentNotMadeError(
                say.IMAGE_NOT_EXPORTED,
                image=image.reference,
                reported=str(error),
                parameter="environment",
            ) from error
    _make_places(folder / TREE)


def _make_places(tree: Path) -> None:
    """Create the mount points for running programs in it."""
    for name in MADE:
        path = tree / name
        (path.parent if "/" in name else path).mkdir(exist_ok=True)
        if "/" in name:
            path.touch(mode=0o444)


@dataclass
class _TreeWriter:
    """Writer of entries that never writes through a link or over another entry."""

    image: Image
    tree: Path
    record: Any
    _folders: set[PurePosixPath] = field(default_factory=lambda: {ROOT})
    _files: set[PurePosixPath] = field(default_factory=set)

    def add(self, entry: tarfile.TarInfo, archive: tarfile.TarFile) -> None:
        path = self._path(entry, entry.name)
        if str(path) in MADE:
            return
        try:
            if entry.isdir():
                self._make_folder(path)
                os.chmod(self.tree / path, 0o700 | entry.mode & 0o777)
            elif entry.issym():
                self._make_folder(path.parent)
                os.symlink(_within(path.parent, entry.linkname), self.tree / path)
                self._files.add(path)
            elif entry.islnk():
                self._link(entry, path)
            elif entry.isreg():
                self._write(entry, path, archive)
        except FileExistsError:
            raise self._refused(entry, say.ENTRY_TWICE) from None

    def _path(self, entry: tarfile.TarInfo, name: str) -> PurePosixPath:
        parts = PurePosixPath(name.lstrip("/")).parts
        if ".." in parts or "\0" in name:
            raise self._refused(entry, say.NO_USUAL_PATH)
        return PurePosixPath(*parts)

    def _make_folder(self, path: PurePosixPath) -> None:
        if path not in self._folders:
            self._make_folder(path.parent)
            os.mkdir(self.tree / path)
            self._folders.add(path)

    def _link(self, entry: tarfile.TarInfo, path: PurePosixPath) -> None:
        target = self._path(entry, entry.linkname)
        if target not in self._files:
            raise self._refused(entry, say.NO_LINK_TARGET)
        self._make_folder(path.parent)
        os.link(self.tree / target, self.tree / path, follow_symlinks=False)

    def _write(self, entry: tarfile.TarInfo, path: PurePosixPath, archive: tarfile.TarFile) -> None:
        self._make_folder(path.parent)
        content, digest = archive.extractfile(entry), hashlib.sha256()
        assert content is not None
        with (self.tree / path).open("xb") as file:
            while chunk := content.read(CHUNK_BYTES):
                digest.update(chunk)
                file.write(chunk)
            os.fchmod(file.fileno(), 0o400 | entry.mode & 0o555)
        os.utime(self.tree / path, (entry.mtime, entry.mtime))  # it identifies bytecode
        value = base64.urlsafe_b64encode(digest.digest()).decode().rstrip("=")
        self.record.writerow((f"{TREE}/{path}", f"sha256={value}", entry.size))
        self._files.add(path)

    def _refused(self, entry: tarfile.TarInfo, reason: Sentence) -> EnvironmentNotMadeError:
        facts: dict[str, object] = {
            "image": self.image.reference,
            "entry": printable(entry.name)[:200],
        }
        statement = say.IMAGE_REFUSED.about({**facts, "what": reason.about({})})
        return EnvironmentNotMadeError(statement, parameter="environment")


def _within(folder: PurePosixPath, target: str) -> str:
    """Return a link's target as a relative path that starts upwards, valid on any machine."""
    path = PurePosixPath(target)
    parts = [] if path.is_absolute() else list(folder.parts)
    for part in path.parts:
        if part == "..":
            del parts[-1:]
        elif part != "/":
            parts.append(part)
    return os.path.relpath("/" + "/".join(parts), "/" + str(folder))
