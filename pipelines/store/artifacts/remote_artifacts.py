"""Outputs of a workspace in an object store, and their download for reading."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cached_property
from typing import Self

from modules.files.hashing import stat_fingerprint
from pipelines.errors import ObjectDamagedError, ObjectStoreError
from pipelines.sentences import object_stores as say
from pipelines.store.database.artifacts import ArtifactIndex, ArtifactRecord
from pipelines.store.database.facts import WorkspaceFacts
from pipelines.store.objects.artifact_cache import RECENT_USE_SECONDS, ArtifactCache
from pipelines.store.objects.object_address import ObjectAddress
from pipelines.store.objects.object_store import ObjectStore, StoredContent
from pipelines.workspace import Workspace
from pipelines.workspace_settings import artifacts_address, artifacts_cache_bytes


class RemoteArtifacts:
    """Outputs of one workspace in an object store; thread-safe."""

    def __init__(
        self,
        workspace: Workspace,
        index: ArtifactIndex,
        address: str,
        *,
        takes_new: bool = True,
        rest_seconds: float = RECENT_USE_SECONDS,
    ) -> None:
        """Create a client; ``takes_new``: new outputs go there too."""
        self.takes_new = takes_new
        self.root = workspace.artifacts_dir
        self._workspace = workspace
        self._index = index
        self._address = ObjectAddress.parse(address)
        self._rest_seconds = rest_seconds
        self._closures: dict[str, list[str]] = {}
        self._fetching = threading.Lock()

    @classmethod
    def of(cls, workspace: Workspace, index: ArtifactIndex) -> Self | None:
        """Return that of a workspace: set in its settings, otherwise where its outputs are; None
        without one.

        Raises ``ObjectStoreError`` if the two differ.
        """
        named = artifacts_address(workspace.root)
        recorded = WorkspaceFacts(index.database).artifacts_address
        if named is None:
            return None if recorded is None else cls(workspace, index, recorded, takes_new=False)
        address = ObjectAddress.parse(named).place
        if recorded is not None and recorded != address:
            raise ObjectStoreError(say.ELSEWHERE, old=recorded, new=address)
        return cls(workspace, index, address)

    @cached_property
    def store(self) -> ObjectStore:
        """The contents there; fsspec is imported on first use."""
        return ObjectStore(self.place, WorkspaceFacts(self._index.database).own_id)

    @property
    def place(self) -> str:
        """Return its location for display."""
        return self._address.place

    @cached_property
    def _cache(self) -> ArtifactCache:
        limit = artifacts_cache_bytes(self._workspace.root)
        marks = self._workspace.cache_dir / "artifact_uses"
        return ArtifactCache(self.root, marks, limit, self._rest_seconds)

    def claim(self) -> None:
        """Claim the store for outputs, and record that they are there from now on."""
        facts = WorkspaceFacts(self._index.database)
        is_known = facts.artifacts_address is not None
        self.store.claim(is_known=is_known)
        if not is_known:
            facts.remember_address(self.place)

    def put(self, record: ArtifactRecord) -> str:
        """Upload a local output; return the name of its content."""
        self.claim()
        return self.store.put(self.root / record.id, self.root)

    def is_here(self, artifact_id: str) -> bool:
        """Return whether it and its references can be read without the store; mark them as used."""
        # A list, because each one must be marked.
        uses = [self._cache.use(member_id) for member_id in self._closure(artifact_id)]
        return all(uses)

    def bring(self, artifact_id: str) -> None:
        """Download it and its references if needed.

        Raises ``ObjectDamagedError``, and marks it as damaged, if the store's content is wrong;
        ``ObjectStoreError``; ``OSError`` if the disk is full.
        """
        missing = [
            member_id for member_id in self._closure(artifact_id) if not self._cache.use(member_id)
        ]
        if not missing:
            return
        with self._fetching:
            for member_id in missing:
                if not self._cache.use(member_id):
                    self._fetch(member_id)
        self.evict()

    def _fetch(self, artifact_id: str) -> None:
        record = self._index.get(artifact_id)
        if record is None or record.content is None:
            return  # it was only ever here
        folder = self.root / artifact_id
        try:
            self.store.fetch(record.content, folder, self.root)
        except ObjectDamagedError:
            self._index.mark_damaged(artifact_id)
            raise
        except OSError:
            if not folder.is_dir():
                raise  # otherwise another process was faster
        self._index.set_fingerprint(artifact_id, stat_fingerprint(folder))

    def _closure(self, artifact_id: str) -> list[str]:
        """Return it and all its references."""
        if artifact_id not in self._closures:
            members: list[str] = []
            waiting = [artifact_id]
            while waiting:
                current = waiting.pop()
                record = self._index.get(current) if current not in members else None
                if record is not None:
                    members.append(current)
                    waiting += record.references
            if not members:  # not recorded yet: nothing to mark
                return [artifact_id]
            self._closures[artifact_id] = members
        return self._closures[artifact_id]

    def is_entered(self, artifact_id: str) -> bool:
        """Return whether the index knows it: new outputs are recorded a little later."""
        return self._index.get(artifact_id) is not None

    def contents(self, artifact_ids: Iterable[str]) -> dict[str, str] | None:
        """Return the names of these and their references; None until all are stored."""
        members = {
            member_id for artifact_id in artifact_ids for member_id in self._closure(artifact_id)
        }
        contents = {record.id: record.content for record in self._index.of_ids(members)}
        named = {
            member_id: content for member_id, content in contents.items() if content is not None
        }
        return named if len(named) == len(members) else None

    def has(self, record: ArtifactRecord) -> bool:
        """Return whether the store has it, as far as can be known without reading it."""
        return record.content is not None and self.store.has(record.content)

    def is_damaged(self, record: ArtifactRecord) -> bool:
        """Read the store's content; return True if it differs from what was stored."""
        return record.content is not None and self.store.damage(record.content, self.root)

    def drop(self, artifact_id: str) -> None:
        """Remove the local copy: it is downloaded again."""
        self._cache.drop(artifact_id)

    def evict(self) -> list[str]:
        """Enforce the limit of copies; return what was removed."""
        records = {record.id: record for record in self._index.all()}
        stored = [record for record in records.values() if record.content is not None]
        needed = {
            member_id
            for run in self._index.wanted_now()
            if run in records
            for member_id in self._closure(run)
        }
        return self._cache.evict(stored, needed)

    def unused(self, records: Iterable[ArtifactRecord]) -> list[StoredContent]:
        """Return what the store has and none of these needs."""
        return self.store.unused(
            {record.content for record in records if record.content is not None}
        )
