"""Download of outputs from the object store before a step reads them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from pipelines.errors import DatabaseAwayError, ObjectDamagedError, ObjectStoreAwayError
from pipelines.events import Event, ProblemData
from pipelines.execution.active_run import ActiveRun
from pipelines.execution.plan import Step
from pipelines.execution.step_events import planning_problem, waits_for
from pipelines.problems import INPUT_LOST, Problem
from pipelines.store.artifacts.artifact_store import ArtifactStore, ModelFolders
from pipelines.store.database.artifacts import ArtifactRecord

PRESENT_CACHE_SECONDS = 0.1
STORED_CACHE_SECONDS = 1.0
RETRY_DELAY_SECONDS = 1.0
"""Retry delay for a store or index that does not respond."""


def bring_needed(
    artifacts: ArtifactStore, steps: Mapping[str, Step], stored: dict[str, ArtifactRecord]
) -> None:
    """Download what steps will read and ``stored`` lacks; remove damaged ones from it.

    Those are recomputed, which needs the inputs of their steps too: children come first. Raises
    ``ObjectStoreError``.
    """
    remote = artifacts.remote
    if remote is None:
        return
    if remote.takes_new:
        remote.claim()
    recomputed = {
        node
        for node, step in steps.items()
        if step.pinned is None and (step.forced or step.key not in stored)
    }
    read = {parent for node in recomputed for parent in steps[node].parents}
    for node, step in reversed(list(steps.items())):
        if node in recomputed or step.pinned or stored[step.key].content is None:
            continue
        if not _is_whole(artifacts, stored[step.key], is_read=node in read):
            del stored[step.key]
            recomputed.add(node)
            read |= step.parents


def _is_whole(artifacts: ArtifactStore, record: ArtifactRecord, *, is_read: bool) -> bool:
    """Return whether it can be reused: its files are compared with the uploaded content."""
    remote = artifacts.remote
    assert remote is not None
    if is_read:
        try:
            remote.bring(record.id)
        except ObjectDamagedError:
            return False
    elif not remote.is_here(record.id) and not remote.has(record):
        artifacts.index.mark_damaged(record.id)
        return False
    return True


@dataclass
class _Answers:
    """Cache of recent answers: waiting steps check many times a second."""

    _known: dict[frozenset[str], tuple[float, bool]] = field(default_factory=dict)

    def recent(self, needed: frozenset[str]) -> bool | None:
        """Return the recent answer; None if it is too old."""
        when, answer = self._known.get(needed, (-math.inf, False))
        return answer if time.monotonic() - when < STORED_CACHE_SECONDS else None

    def keep(self, needed: frozenset[str], answer: bool) -> bool:
        self._known[needed] = (time.monotonic(), answer)
        return answer

    def clear(self) -> None:
        self._known.clear()


class StoredInputs:
    """Inputs of starting steps, downloaded in other threads if they are not in the workspace."""

    def __init__(self, artifacts: ArtifactStore, wake: Callable[[], None]) -> None:
        self._artifacts = artifacts
        self._wake = wake
        self._here, self._stored = _Answers(), _Answers()
        self._fetches: dict[str, Future[None]] = {}
        self._threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="fetch")

    def are_here(self, run: ActiveRun, step: Step) -> bool:
        """Return whether a step can read its inputs; otherwise start the downloads.

        Raises ``ObjectDamagedError`` if that will never be possible.
        """
        remote = self._artifacts.remote
        if remote is None:
            return True
        needed = read_by(run, step)
        if self._here.recent(needed):
            return True  # what was checked is kept for a while
        missing = [
            artifact_id
            for artifact_id in needed
            if artifact_id in self._fetches or not remote.is_here(artifact_id)
        ]
        if [artifact_id for artifact_id in missing if not self._arrived(artifact_id)]:
            return False
        return self._here.keep(needed, True)

    def are_stored(self, run: ActiveRun, step: Step) -> bool:
        """Return whether the store has all inputs of a step whose machines download them."""
        remote = self._artifacts.remote
        if remote is None:
            return True
        needed = read_by(run, step)
        answer = self._stored.recent(needed)
        if answer is not None:
            return answer
        return self._stored.keep(needed, remote.contents(needed) is not None)

    def look_again(self) -> None:
        """Discard the recent answers: a new output may have been stored."""
        self._here.clear()
        self._stored.clear()

    def shut_down(self) -> None:
        """Start no more downloads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _arrived(self, artifact_id: str) -> bool:
        fetch = self._fetches.get(artifact_id)
        if fetch is None:
            fetch = self._threads.submit(self._bring, artifact_id)
            self._fetches[artifact_id] = fetch
            fetch.add_done_callback(lambda _: self._wake())
        if not fetch.done():
            return False
        del self._fetches[artifact_id]
        fetch.result()
        return True

    def _bring(self, artifact_id: str) -> None:
        assert self._artifacts.remote is not None
        remote = self._artifacts.remote
        while True:
            try:
                remote.bring(artifact_id)
                if (remote.root / artifact_id).is_dir() or remote.is_entered(artifact_id):
                    return
                time.sleep(PRESENT_CACHE_SECONDS)
            except (DatabaseAwayError, ObjectStoreAwayError):
                time.sleep(RETRY_DELAY_SECONDS)


def read_by(run: ActiveRun, step: Step) -> frozenset[str]:
    """Return the artifacts whose files a step receives."""
    models = run.models
    named = {value for value in step.parameters.model_dump().values() if isinstance(value, str)}
    inputs = frozenset(run.artifact_id(end.node) for end in step.inputs.values())
    if not isinstance(models, ModelFolders):
        return inputs
    return inputs | {models.artifact_of(name) for name in named if name in models}


def input_problem(error: Exception, node: str) -> ProblemData:
    """Return the problem of a step without its inputs."""
    if isinstance(error, ObjectDamagedError):
        return Problem.relayed(INPUT_LOST, error, node=node).to_json()
    return replace(planning_problem(error), node=node).to_json()


def store_waits(run: ActiveRun, trouble: Exception) -> Iterator[Event]:
    """Return the event, once, that steps wait for an answer of the store."""
    if isinstance(trouble, ObjectStoreAwayError):
        awaited = f"a response from {trouble.facts['place']}"
        for node in run.unfinished():
            phases = run.state.steps[node].phases
            if not phases or phases[-1]["facts"].get("waits_for") != awaited:
                yield waits_for(node, awaited)
