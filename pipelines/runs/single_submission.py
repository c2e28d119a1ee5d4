"""Submission of a run that happens at most once for a key, also if a process is killed midway.

The key is claimed by a unique row before the run is submitted, and the run carries the key. A
process that finds a claim of a dead one looks for that run before it submits it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from modules.operating_system.processes import ProcessIdentity
from pipelines.errors import RefusedError
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.sentences import calling
from pipelines.store.database.submissions import Submission, SubmissionStore


class Submitted(NamedTuple):
    """The run of a key, and True if this call has started it."""

    run_id: str
    is_new: bool


class SingleSubmission:
    """Submissions of one source, such as ``published:nightly``."""

    def __init__(self, runs: RunService, source: str) -> None:
        self._runs = runs
        self._source = source
        self._store = SubmissionStore(runs.database)

    def submit(self, key: str, request: RunRequest, call: Mapping[str, Any]) -> Submitted:
        """Submit a run for a key, or return the run that was started for it.

        ``call`` is what the caller sent. Raises ``RefusedError`` if the key belongs to another
        call, or if a living process is submitting its run; ``PipelineError`` releases the key.
        """
        digest = hashlib.sha256(json.dumps(call, sort_keys=True).encode()).hexdigest()
        own = asdict(ProcessIdentity.of())
        if not self._store.claim(self._source, key, digest, own):
            earlier = self._store.get(self._source, key)
            if earlier is not None:
                done = self._known_run(earlier, digest, own)
                if done is not None:
                    return Submitted(done, is_new=False)
            elif not self._store.claim(self._source, key, digest, own):
                raise RefusedError(calling.CALL_UNDER_WAY, key=key)
        try:
            run_id = self._runs.submit(replace(request, submission=self._mark(key)))
        except BaseException:
            created = self._store.run_of(self._mark(key), self._created(key))
            if created is None:  # otherwise it is queued, and only its runner did not start
                self._store.release(self._source, key)
                raise
            self._store.finish(self._source, key, created)
            raise
        self._store.finish(self._source, key, run_id)
        return Submitted(run_id, is_new=True)

    def _known_run(self, earlier: Submission, digest: str, own: Mapping[str, Any]) -> str | None:
        """Return the run of an earlier call; None if this process is to submit it."""
        if earlier.digest != digest:
            raise RefusedError(calling.KEY_OF_OTHER_CALL, key=earlier.key)
        if earlier.run_id is not None:
            return earlier.run_id
        created = self._store.run_of(self._mark(earlier.key), earlier.created)
        if created is not None:
            self._store.finish(self._source, earlier.key, created)
            return created
        if earlier.holder is not None and ProcessIdentity(**earlier.holder).is_alive:
            raise RefusedError(calling.CALL_UNDER_WAY, key=earlier.key)
        if not self._store.take_over(earlier, own):
            raise RefusedError(calling.CALL_UNDER_WAY, key=earlier.key)
        return None

    def _mark(self, key: str) -> str:
        return f"{self._source} {key}"

    def _created(self, key: str) -> float:
        submission = self._store.get(self._source, key)
        return submission.created if submission else 0.0
