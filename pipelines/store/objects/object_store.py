"""Contents in an object store: one tar each, its index, and a manifest that is written last.

A content is named by the SHA-256 of its tar: ``data.tar``, ``index.json`` and ``manifest.json`` in
``contents/<hash>/``. It does not exist without its manifest, so no reader sees an incomplete one.
Objects are only created; an existing one is compared and adopted. Everything read is hashed, and an
object that does not match its name is damaged.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from modules.files.disk import scratch_folder
from modules.files.hashing import hash_file
from pipelines.errors import ObjectDamagedError, ObjectStoreAwayError, ObjectStoreError
from pipelines.sentences import object_stores as say
from pipelines.store.objects.artifact_cache import FETCHED
from pipelines.store.objects.object_address import ObjectAddress
from pipelines.store.objects.object_files import ObjectFiles
from pipelines.store.objects.tar_archive import Index, index_bytes, pack, unpack

FORMAT = 1
OWNER = "workspace.json"
NOT_OURS = f"{OWNER} is missing"
REMOVAL_AGE_SECONDS = 86_400.0
"""Age below which nothing is removed that another process may be about to use."""


STEPS = "steps"
"""Folder for mirroring steps while they run."""


class StoredManifest(TypedDict):
    """Size of a content, and the hash of its index."""

    num_bytes: int
    index: str


@dataclass(frozen=True)
class StoredContent:
    """Content in the store, or its remains; ``is_whole``: it has its manifest."""

    name: str
    num_bytes: int
    modified: float
    is_whole: bool


class ObjectStore:
    """Contents of one workspace below an address."""

    def __init__(self, address: str, own_id: Callable[[], str]) -> None:
        """Create a client; ``own_id`` returns the id of the workspace."""
        self._files = ObjectFiles(ObjectAddress.parse(address))
        self._own_id = own_id
        self._is_claimed = False

    @property
    def place(self) -> str:
        """Return its location for display."""
        return self._files.place

    def claim(self, *, is_known: bool = False) -> None:
        """Claim the address for this workspace. Raises ``ObjectStoreError`` for another one's.

        ``is_known``: it was claimed before; if it has no owner now, it is not the store but, for
        example, an unmounted folder.
        """
        if self._is_claimed:
            return
        own = {"workspace": self._own_id()}
        if is_known and self._files.num_bytes(OWNER) is None:
            raise ObjectStoreAwayError(self.place, NOT_OURS)
        if not self._files.create(OWNER, json.dumps(own).encode()):
            self.check()
        self._is_claimed = True

    def check(self) -> None:
        """Check that it responds and its owner, without changes.

        Raises ``ObjectStoreError`` for another workspace's.
        """
        try:
            owner = self._files.read(OWNER)
        except FileNotFoundError:
            return
        if _parsed(owner) != {"workspace": self._own_id()}:
            raise ObjectStoreError(say.OF_ANOTHER, place=self.place)

    def put(self, folder: Path, scratch: Path) -> str:
        """Store the content of a folder and return its name; ``scratch`` needs as much space."""
        self.claim()
        with scratch_folder(scratch, FETCHED) as space:
            name, index = pack(folder, space / "data.tar")
            self._put(name, space / "data.tar", index_bytes(index))
        return name

    def _put(self, name: str, tar: Path, index: bytes) -> None:
        base = f"contents/{name}"
        if not self._files.create_from(f"{base}/data.tar", tar) and self._damage(name, tar.parent):
            self._files.write_from(f"{base}/data.tar", tar)
        if not self._files.create(f"{base}/index.json", index):
            self._files.write(f"{base}/index.json", index)
        if self._files.num_bytes(f"{base}/data.tar") != tar.stat().st_size:
            raise ObjectDamagedError(self.place)
        manifest = {
            "format": FORMAT,
            "num_bytes": tar.stat().st_size,
            "index": hashlib.sha256(index).hexdigest(),
            "stored": time.time(),
        }
        content = json.dumps(manifest).encode()
        if not self._files.create(f"{base}/manifest.json", content):
            # Another process was faster. Rewritten it is young, so that it is not removed
            # meanwhile.
            self._files.write(f"{base}/manifest.json", content)

    def has(self, name: str) -> bool:
        """Return whether it exists, by its manifest and size; its content is not read."""
        try:
            manifest = self._manifest(name)
        except ObjectDamagedError:
            return False
        return self._files.num_bytes(f"contents/{name}/data.tar") == int(manifest["num_bytes"])

    def fetch(self, name: str, folder: Path, scratch: Path) -> None:
        """Create a folder from the content of this name.

        Raises ``ObjectDamagedError`` if it is incomplete, ``ObjectStoreError``, and ``OSError`` if
        the disk is full.
        """
        with scratch_folder(scratch, FETCHED) as space:
            index = self._index(name)
            self._fetch_tar(name, space / "data.tar")
            try:
                unpack(space / "data.tar", index, space / "unpacked")
            except (ValueError, TypeError, KeyError):
                raise ObjectDamagedError(self.place) from None
            (space / "unpacked").rename(folder)

    def damage(self, name: str, scratch: Path) -> bool:
        """Read all of it; return True if it differs from what was stored."""
        try:
            self._index(name)
        except ObjectDamagedError:
            return True
        with scratch_folder(scratch, FETCHED) as space:
            return self._damage(name, space)

    def _damage(self, name: str, space: Path) -> bool:
        try:
            self._fetch_tar(name, space / "there.tar")
        except ObjectDamagedError:
            return True
        return False

    def _fetch_tar(self, name: str, target: Path) -> None:
        for _ in range(2):  # the transfer may be at fault
            try:
                self._files.fetch(f"contents/{name}/data.tar", target)
            except FileNotFoundError:
                raise self._missing() from None
            if hash_file(target) == name:
                return
        raise ObjectDamagedError(self.place)

    def _index(self, name: str) -> Index:
        try:
            content = self._files.read(f"contents/{name}/index.json")
        except FileNotFoundError:
            raise self._missing() from None
        if hashlib.sha256(content).hexdigest() != self._manifest(name)["index"]:
            raise ObjectDamagedError(self.place)
        return list(json.loads(content))

    def _manifest(self, name: str) -> StoredManifest:
        try:
            manifest = json.loads(self._files.read(f"contents/{name}/manifest.json"))
            return {"num_bytes": int(manifest["num_bytes"]), "index": str(manifest["index"])}
        except FileNotFoundError:
            raise self._missing() from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ObjectDamagedError(self.place) from None

    def _missing(self) -> Exception:
        """Return the error for a missing object: damage, or an unavailable store."""
        if self._files.num_bytes(OWNER) is None:
            return ObjectStoreAwayError(self.place, NOT_OURS)
        return ObjectDamagedError(self.place)

    def contents(self) -> Iterator[StoredContent]:
        """Return all contents."""
        by_content: dict[str, list[tuple[str, int, float]]] = {}
        for name, num_bytes, modified in self._files.listed("contents"):
            _, content, file = name.split("/", 2)
            by_content.setdefault(content, []).append((file, num_bytes, modified))
        for content, objects in by_content.items():
            yield StoredContent(
                content,
                sum(num_bytes for _, num_bytes, _ in objects),
                max(modified for _, _, modified in objects),
                any(file == "manifest.json" for file, _, _ in objects),
            )

    def unused(self, needed: Collection[str]) -> list[StoredContent]:
        """Return unneeded contents that are old enough that no process is about to use them."""
        self.claim()
        before = time.time() - REMOVAL_AGE_SECONDS
        return [
            content
            for content in self.contents()
            if content.modified < before and (content.name not in needed or not content.is_whole)
        ]

    def abandoned_steps(self) -> list[str]:
        """Return remains of mirrored steps without recent reports."""
        latest: dict[str, float] = {}
        for name, _, modified in self._files.listed(STEPS):
            step = "/".join(name.split("/")[:2])
            latest[step] = max(modified, latest.get(step, 0.0))
        before = time.time() - REMOVAL_AGE_SECONDS
        return sorted(step for step, modified in latest.items() if modified < before)

    def remove_step(self, name: str) -> None:
        """Remove the remains of a mirrored step."""
        self._files.remove(name)

    def remove(self, name: str) -> None:
        """Remove the manifest first: from then on it does not exist."""
        self._files.remove(f"contents/{name}/manifest.json")
        self._files.remove(f"contents/{name}")


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None
