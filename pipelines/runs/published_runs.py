"""Runs of published pipelines: values, limits, and at most one run for a key."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.parameter_values import with_parameter_values
from pipelines.errors import NotFoundError, RefusedError, TooManyCallsError
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.runs.single_submission import SingleSubmission, Submitted
from pipelines.sentences import calling
from pipelines.store.database.published import PublishedStore, PublishedVersion
from pipelines.store.database.run_options import root_texts
from pipelines.store.database.submissions import SubmissionStore

RATE_SECONDS = 60.0
RETRY_SECONDS = 10
OTHER_PROCESS_SECONDS = 30.0
"""Time for which a repeated key waits until another process has created its run."""
POLL_SECONDS = 0.05
KEY = re.compile(r"[\x21-\x7e]{1,200}")
_STARTING = threading.Lock()
"""Held from the check of the limits to the submission: calls at once do not exceed them, and a
repeated key waits for the run of the first call.
"""


@dataclass(frozen=True)
class CallLimits:
    """Limits of the callers of one published pipeline."""

    calls_per_minute: int = 60
    unfinished_runs: int = 20
    other_process_seconds: float = OTHER_PROCESS_SECONDS


class PublishedRuns:
    """Runs that are started from published pipelines."""

    def __init__(self, runs: RunService, limits: CallLimits | None = None) -> None:
        self._runs = runs
        self._limits = limits or CallLimits()
        self._published = PublishedStore(runs.database)
        self._submissions = SubmissionStore(runs.database)

    def start(
        self,
        name: str,
        parameters: Mapping[str, JsonValue] | None = None,
        *,
        version: int | None = None,
        idempotency_key: str | None = None,
        owner: Mapping[str, Any] | None = None,
        allowed_roots: Sequence[Path | str] | None = None,
        run_name: str | None = None,
    ) -> Submitted:
        """Start a run with other values of its parameters, or return that of a repeated key.

        A key whose run another process is creating waits for that run. Raises ``NotFoundError``,
        ``TooManyCallsError``, ``RefusedError`` for a key that was used for another call, and
        ``PipelineError`` for unknown parameters and invalid values.
        """
        chosen = self._version(name, version)
        values = dict(parameters or {})
        source, key = f"published:{name}", idempotency_key
        if key is None:
            key = f"- {secrets.token_hex(8)}"  # no caller's key contains a space
        elif KEY.fullmatch(key) is None:
            raise RefusedError(calling.NO_IDEMPOTENCY_KEY)
        request = RunRequest(
            with_parameter_values(parse_document(chosen.document), values),
            name=run_name,
            experiment=name,
            description=chosen.description,
            owner=owner,
            allowed_roots=root_texts(allowed_roots),
        )
        call = {"parameters": values, "version": version}
        deadline = time.monotonic() + self._limits.other_process_seconds
        while True:
            try:
                with _STARTING:
                    if self._submissions.get(source, key) is None:
                        self._check_limits(name, source)
                    return SingleSubmission(self._runs, source).submit(key, request, call)
            except RefusedError as error:
                is_under_way = error.reason == calling.CALL_UNDER_WAY.key
                if not is_under_way or time.monotonic() >= deadline:
                    raise
            time.sleep(POLL_SECONDS)  # without the lock: calls with other keys do not wait

    def document(self, name: str, version: int | None = None) -> PipelineDocument:
        """Return the document of a version; the newest for None."""
        return parse_document(self._version(name, version).document)

    def require_started(self, name: str, run_id: str) -> None:
        """Raise ``NotFoundError`` unless a published pipeline has started a run."""
        submission = self._submissions.of_run(run_id)
        if submission is None or submission.source != f"published:{name}":
            raise NotFoundError(calling.PUBLISHED_RUN_UNKNOWN, name=name, run=run_id)

    def _version(self, name: str, number: int | None) -> PublishedVersion:
        pipeline = self._published.get(name)
        if pipeline is None:
            raise NotFoundError(calling.NO_PUBLISHED, name=name[:100])
        version = pipeline.version(number)
        if version is None:
            raise NotFoundError(calling.NO_PUBLISHED_VERSION, name=name, version=number)
        return version

    def _check_limits(self, name: str, source: str) -> None:
        now = time.time()
        count, first = self._submissions.count_since(source, now - RATE_SECONDS)
        if count >= self._limits.calls_per_minute:
            seconds = max(1, round(first + RATE_SECONDS - now + 0.5))
            raise TooManyCallsError(calling.TOO_MANY_CALLS, seconds=seconds, name=name, count=count)
        waiting = self._submissions.num_unfinished(source)
        if waiting >= self._limits.unfinished_runs:
            raise TooManyCallsError(
                calling.TOO_MANY_WAITING, seconds=RETRY_SECONDS, name=name, count=waiting
            )
