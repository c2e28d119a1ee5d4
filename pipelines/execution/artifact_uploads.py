"""Putting what steps made into the workspace's object store, beside the loop.

An output counts as soon as it lies in the workspace's folder: what follows from it begins at once.
It is stored meanwhile, and a run ends only when all that it made is. While the store is away each
upload tries again; what a runner leaves behind the next one stores, for the index says what is not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field

from pipelines.artifacts.artifact_store import ArtifactStore
from pipelines.artifacts.remote_artifacts import RemoteArtifacts
from pipelines.errors import DatabaseAwayError, ObjectDamagedError, WorkspaceError
from pipelines.events import Event
from pipelines.execution.step_events import warning
from pipelines.sentences import object_stores as say
from pipelines.store.artifacts import ArtifactRecord

RETRY_SECONDS = 2.0
THREADS = 3


@dataclass
class Upload:
    """One output on its way; ``trouble`` says why it waits, and is told once."""

    record: ArtifactRecord
    content: Future[str | None]
    trouble: list[str] = field(default_factory=list)
    was_told: bool = False


class ArtifactUploads:
    """The uploads of one executor."""

    def __init__(self, artifacts: ArtifactStore, wake: Callable[[], None]) -> None:
        self._artifacts = artifacts
        self._wake = wake
        self._uploads: dict[str, Upload] = {}
        self._closed = threading.Event()
        self._threads = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="store")

    def resume(self) -> None:
        """Begin with all that earlier runners did not store."""
        if self._remote() is not None:
            for record in self._artifacts.index.unstored():
                self.begin(record)

    def begin(self, record: ArtifactRecord) -> None:
        """Store an output, where the workspace has an object store for it."""
        remote = self._remote()
        if remote is None or record.id in self._uploads or record.content is not None:
            return
        trouble: list[str] = []
        content = self._threads.submit(self._store, remote, record, trouble)
        self._uploads[record.id] = Upload(record, content, trouble)
        content.add_done_callback(lambda _: self._wake())

    def stored(self) -> Iterator[tuple[str, str]]:
        """The outputs that were stored since the last call, and under which name."""
        for artifact_id, upload in list(self._uploads.items()):
            if upload.content.done():
                content = upload.content.result()
                del self._uploads[artifact_id]
                if content is not None:
                    yield artifact_id, content

    def troubles(self, run_id: str) -> Iterator[Event]:
        """A warning for each output of a run that waits for the store since the last call."""
        for upload in self._uploads.values():
            if upload.record.run_id == run_id and upload.trouble and not upload.was_told:
                upload.was_told = True
                yield warning(upload.record.node, say.OUTPUT_WAITS, why=upload.trouble[0])

    def holds(self, run_id: str) -> bool:
        """Whether something that the run made is not stored yet."""
        return any(upload.record.run_id == run_id for upload in self._uploads.values())

    def shut_down(self) -> None:
        """Leave the rest to the next runner."""
        self._closed.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _remote(self) -> RemoteArtifacts | None:
        try:
            remote = self._artifacts.remote
        except WorkspaceError:  # runs are refused for it when they are planned
            return None
        return remote if remote is not None and remote.takes_new else None

    def _store(
        self, remote: RemoteArtifacts, record: ArtifactRecord, trouble: list[str]
    ) -> str | None:
        """The name of the content; None where there is nothing to store, or no time any more."""
        while not self._closed.is_set() and (remote.root / record.id).is_dir():
            try:
                content = remote.put(record)
            except (DatabaseAwayError, ObjectDamagedError, OSError) as error:
                trouble.append(str(error))
                self._wake()
                self._closed.wait(RETRY_SECONDS)
            else:
                # Room is made another time, where the index or the disk does not answer now.
                with suppress(DatabaseAwayError, OSError):
                    remote.evict()
                return content
        return None
