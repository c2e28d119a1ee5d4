"""Background uploads of outputs to the workspace's object store.

An output counts when it is in the workspace's folder: the next steps start at once. The run ends
after all its uploads. Uploads are retried while the store does not respond, and the next runner
uploads the rest, which the index lists.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field

from pipelines.errors import DatabaseAwayError, ObjectDamagedError, WorkspaceError
from pipelines.events import Event
from pipelines.execution.step_events import warning
from pipelines.sentences import object_stores as say
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.remote_artifacts import RemoteArtifacts
from pipelines.store.database.artifacts import ArtifactRecord

RETRY_DELAY_SECONDS = 2.0
NUM_THREADS = 3


@dataclass
class Upload:
    """Upload of one output; ``trouble`` is the reason of a delay, reported once."""

    record: ArtifactRecord
    content: Future[str | None]
    trouble: list[str] = field(default_factory=list)
    was_reported: bool = False


class ArtifactUploads:
    """Uploads of one executor."""

    def __init__(self, artifacts: ArtifactStore, wake: Callable[[], None]) -> None:
        self._artifacts = artifacts
        self._wake = wake
        self._uploads: dict[str, Upload] = {}
        self._closed = threading.Event()
        self._threads = ThreadPoolExecutor(max_workers=NUM_THREADS, thread_name_prefix="store")

    def resume(self) -> None:
        """Upload what earlier runners left."""
        if self._remote() is not None:
            for record in self._artifacts.index.unstored():
                self.start(record)

    def start(self, record: ArtifactRecord) -> None:
        """Upload an output, if the workspace has an object store for it."""
        remote = self._remote()
        if remote is None or record.id in self._uploads or record.content is not None:
            return
        trouble: list[str] = []
        content = self._threads.submit(self._store, remote, record, trouble)
        self._uploads[record.id] = Upload(record, content, trouble)
        content.add_done_callback(lambda _: self._wake())

    def stored(self) -> Iterator[tuple[str, str]]:
        """Return the outputs uploaded since the last call with their names."""
        for artifact_id, upload in list(self._uploads.items()):
            if upload.content.done():
                content = upload.content.result()
                del self._uploads[artifact_id]
                if content is not None:
                    yield artifact_id, content

    def troubles(self, run_id: str) -> Iterator[Event]:
        """Yield a warning for each output that has been waiting for the store since last time."""
        for upload in self._uploads.values():
            if upload.record.run_id == run_id and upload.trouble and not upload.was_reported:
                upload.was_reported = True
                yield warning(upload.record.node, say.OUTPUT_WAITS, why=upload.trouble[0])

    def holds(self, run_id: str) -> bool:
        """Return whether an output of the run is not uploaded yet."""
        return any(upload.record.run_id == run_id for upload in self._uploads.values())

    def shut_down(self) -> None:
        """Leave the rest to the next runner."""
        self._closed.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _remote(self) -> RemoteArtifacts | None:
        try:
            remote = self._artifacts.remote
        except WorkspaceError:  # planning rejects runs for this
            return None
        return remote if remote is not None and remote.takes_new else None

    def _store(
        self, remote: RemoteArtifacts, record: ArtifactRecord, trouble: list[str]
    ) -> str | None:
        """Return the name of the content; None if there is nothing to upload, or no time."""
        while not self._closed.is_set() and (remote.root / record.id).is_dir():
            try:
                content = remote.put(record)
            except (DatabaseAwayError, ObjectDamagedError, OSError) as error:
                trouble.append(str(error))
                self._wake()
                self._closed.wait(RETRY_DELAY_SECONDS)
            else:
                # The cache is trimmed another time if the index or the disk does not respond now.
                with suppress(DatabaseAwayError, OSError):
                    remote.evict()
                return content
        return None
