"""The outputs of a workspace that lie in an object store, and bringing them here to be read."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cached_property
from typing import Self

from modules.files.hashing import stat_fingerprint
from pipelines.artifacts.artifact_cache import REST_SECONDS, ArtifactCache
from pipelines.artifacts.object_address import ObjectAddress
from pipelines.artifacts.object_store import ObjectStore, StoredContent
from pipelines.errors import ObjectDamagedError, ObjectStoreError
from pipelines.sentences import object_stores as say
from pipelines.store.artifacts import ArtifactIndex, ArtifactRecord
from pipelines.store.facts import WorkspaceFacts
from pipelines.workspace import Workspace
from pipelines.workspace_settings import artifacts_address, artifacts_cache_bytes


class RemoteArtifacts:
    """What an object store has of one workspace. Threads may use it at once."""

    def __init__(
        self,
        workspace: Workspace,
        index: ArtifactIndex,
        address: str,
        *,
        takes_new: bool = True,
        rest_seconds: float = REST_SECONDS,
    ) -> None:
        """``takes_new``: whether what is made from now on goes there too."""
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
        """That of a workspace: named by its settings, else where its outputs lie; else None.

        Raises ``ObjectStoreError`` where the two are not the same.
        """
        named = artifacts_address(workspace.root)
        known = WorkspaceFacts(index.database).artifacts_address
        if named is None:
            return None if known is None else cls(workspace, index, known, takes_new=False)
        address = ObjectAddress.parse(named).place
        if known is not None and known != address:
            raise ObjectStoreError(say.ELSEWHERE, old=known, new=address)
        return cls(workspace, index, address)

    @cached_property
    def store(self) -> ObjectStore:
        """The contents there; fsspec is imported when one is first asked for."""
        return ObjectStore(self.place, WorkspaceFacts(self._index.database).own_id)

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return self._address.place

    @cached_property
    def _cache(self) -> ArtifactCache:
        limit = artifacts_cache_bytes(self._workspace.root)
        marks = self._workspace.cache_dir / "artifact_uses"
        return ArtifactCache(self.root, marks, limit, self._rest_seconds)

    def claim(self) -> None:
        """See to it that outputs can go there, and remember that they lie there from now on."""
        facts = WorkspaceFacts(self._index.database)
        is_known = facts.artifacts_address is not None
        self.store.claim(is_known=is_known)
        if not is_known:
            facts.remember_address(self.place)

    def put(self, record: ArtifactRecord) -> str:
        """Store an output that lies here; gives the name of its content."""
        self.claim()
        return self.store.put(self.root / record.id, self.root)

    def is_here(self, artifact_id: str) -> bool:
        """Whether it, and what it refers to, can be read without the store; marked as used then."""
        uses = [self._cache.use(each) for each in self._closure(artifact_id)]  # each is marked
        return all(uses)

    def bring(self, artifact_id: str) -> None:
        """Have it here, and what it refers to.

        Raises ``ObjectDamagedError``, and marks it as damaged, where the store has not what was
        put there; ``ObjectStoreError``; ``OSError`` where the disk is full.
        """
        missing = [each for each in self._closure(artifact_id) if not self._cache.use(each)]
        if not missing:
            return
        with self._fetching:
            for each in missing:
                if not self._cache.use(each):
                    self._fetch(each)
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
                raise  # else another process was faster
        self._index.set_fingerprint(artifact_id, stat_fingerprint(folder))

    def _closure(self, artifact_id: str) -> list[str]:
        """It and all whose files it needs."""
        if artifact_id not in self._closures:
            found: list[str] = []
            waiting = [artifact_id]
            while waiting:
                current = waiting.pop()
                record = self._index.get(current) if current not in found else None
                if record is not None:
                    found.append(current)
                    waiting += record.references
            if not found:  # not entered yet: nothing to remember
                return [artifact_id]
            self._closures[artifact_id] = found
        return self._closures[artifact_id]

    def is_entered(self, artifact_id: str) -> bool:
        """Whether the index knows it: what was made a moment ago is entered a little later."""
        return self._index.get(artifact_id) is not None

    def contents(self, artifact_ids: Iterable[str]) -> dict[str, str] | None:
        """Of these, and what they refer to, the names in the store; None before all are there."""
        found = {each for artifact_id in artifact_ids for each in self._closure(artifact_id)}
        contents = {each.id: each.content for each in self._index.of_ids(found)}
        named = {each: content for each, content in contents.items() if content is not None}
        return named if len(named) == len(found) else None

    def has(self, record: ArtifactRecord) -> bool:
        """Whether the store has it, as far as can be told without reading it."""
        return record.content is not None and self.store.has(record.content)

    def is_damaged(self, record: ArtifactRecord) -> bool:
        """Read what the store has of it; True where that is not what was put there."""
        return record.content is not None and self.store.damage(record.content, self.root)

    def drop(self, artifact_id: str) -> None:
        """Remove the copy here: it is read from the store again."""
        self._cache.drop(artifact_id)

    def evict(self) -> list[str]:
        """Keep to the limit of copies; gives what went."""
        records = {each.id: each for each in self._index.all()}
        stored = [record for record in records.values() if record.content is not None]
        wanted = {
            each
            for run in self._index.wanted_now()
            if run in records
            for each in self._closure(run)
        }
        return self._cache.evict(stored, wanted)

    def unused(self, kept: Iterable[ArtifactRecord]) -> list[StoredContent]:
        """What the store has and none of these needs."""
        return self.store.unused({each.content for each in kept if each.content is not None})
