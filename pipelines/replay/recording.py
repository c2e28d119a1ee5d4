"""Recording of a finished run as a replay."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from modules.artifacts import read_json
from modules.files.redaction import Redaction
from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from pipelines.events import Event
from pipelines.execution.environment import describe_environment
from pipelines.inspection.previews import PictureBox, Previewer
from pipelines.problems import INVALID_REPLAY, PipelineError
from pipelines.replay.downsampling import thinned
from pipelines.replay.format import (
    MAX_LOG_BYTES,
    MAX_PREVIEWS,
    MAX_STEP_BACK,
    RecordedArtifact,
    RecordedEnvironment,
    RecordedEvent,
    RecordedLog,
    RecordedRun,
    Replay,
)
from pipelines.runs.run_service import RunService
from pipelines.sentences import replays
from pipelines.store.artifacts.manifest import MANIFEST
from pipelines.store.database.lineage import environment_of
from pipelines.store.database.runs import RunRecord
from pipelines.workers.secret_store import SecretStore
from pipelines.workspace import node_of

MAX_LOGS = 200
MAX_TEXT = 20_000
LOG_TAIL_BYTES = MAX_LOG_BYTES // 2
PAGE = 10_000


@dataclass(frozen=True)
class Recording:
    """Content of a replay file; ``logs`` and ``pictures`` by their names in it."""

    replay: Replay
    events: list[RecordedEvent]
    logs: dict[str, bytes]
    pictures: dict[str, bytes]


def record(runs: RunService, run_id: str) -> Recording:
    """Record a finished run. Raises ``PipelineError`` while it is in progress."""
    run_record, state = runs.store.record(run_id), runs.store.state(run_id)
    if run_record is None or not state.is_finished:
        raise PipelineError.of(INVALID_REPLAY, replays.RUN_NOT_ENDED, run=run_id)
    events = [_recorded(event) for event in thinned(_all_events(runs, run_id))]
    # Logs and previews are those that exist now: deleted outputs are left out.
    box = PictureBox()
    redaction = SecretStore(runs.workspace).redaction()
    logs, tails = _logs(runs.workspace.runs_dir / run_id, redaction)
    outputs = _Outputs(runs, run_record)
    previewer = Previewer(box, outputs.source_of)
    drawn = (
        preview
        for artifact in outputs.recorded
        if (
            preview := previewer.preview(
                artifact.type, artifact.node, artifact.port, outputs.folder(artifact)
            )
        )
    )
    previews = list(islice(drawn, MAX_PREVIEWS))
    replay = Replay(
        run=_run(run_record, state.status, state.started, state.finished),
        document=run_record.document,
        environment=_environment(runs, run_id),
        artifacts=outputs.recorded,
        logs=logs,
        previews=previews,
        num_events=len(events),
    )
    return Recording(replay, _in_order(events), tails, box.pictures)


def _environment(runs: RunService, run_id: str) -> RecordedEnvironment:
    """Return the environment recorded at the run's start; for an old run, this machine's."""
    environment = environment_of(runs.database, run_id) or describe_environment()
    recorded = {
        name: environment[name] for name in RecordedEnvironment.model_fields if name in environment
    }
    return RecordedEnvironment(recorded=time.time(), **recorded)


class _Outputs:
    """Outputs that a run's steps produced or reused, as far as they still exist."""

    def __init__(self, runs: RunService, record: RunRecord) -> None:
        self._artifacts = runs.artifacts
        self._links = expanded(parse_document(record.document)).links
        steps = runs.store.state(record.id).steps
        artifacts = (
            _artifact(node, step.artifact_id or "", Path(folder))
            for node, step in steps.items()
            for folder in runs.artifacts.outputs(step).values()
        )
        self.recorded = [artifact for artifact in artifacts if artifact is not None]
        self._folders = {
            (artifact.node, artifact.port): self.folder(artifact) for artifact in self.recorded
        }

    def folder(self, artifact: RecordedArtifact) -> Path:
        return self._artifacts.folder(artifact.artifact_id, artifact.port)

    def source_of(self, node: str, port: str) -> Path | None:
        """Return the folder of the output linked to an input."""
        for link in self._links:
            if (link.to.node, link.to.port) == (node, port):
                return self._folders.get((link.from_.node, link.from_.port))
        return None


def _artifact(node: str, artifact_id: str, folder: Path) -> RecordedArtifact | None:
    """Return the artifact's manifest; None if it is missing or damaged."""
    try:
        manifest = read_json(folder / MANIFEST)
        return RecordedArtifact(
            node=node,
            port=folder.name,
            type=manifest["type"],
            schema_version=manifest["schema_version"],
            key=manifest["key"],
            artifact_id=artifact_id,
            content=manifest["content"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _all_events(runs: RunService, run_id: str) -> list[Event]:
    events: list[Event] = []
    while page := runs.store.events_after(run_id, events[-1].id or 0 if events else 0, PAGE):
        events += page
    return events


def _recorded(event: Event) -> RecordedEvent:
    return RecordedEvent(kind=event.kind, node=event.node, data=_plain(event.data), time=event.time)


def _in_order(events: list[RecordedEvent]) -> list[RecordedEvent]:
    """Return events whose times hardly go back, although the machine's clock may have."""
    latest, ordered = 0.0, []
    for event in events:
        latest = max(latest, event.time)
        is_late = event.time < latest - MAX_STEP_BACK
        ordered.append(event.model_copy(update={"time": latest}) if is_late else event)
    return ordered


def _plain(value: Any) -> Any:
    """Replace NaN and infinity by null, which JSON lacks, and shorten long texts."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return value[:MAX_TEXT]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _run(
    record: RunRecord, status: str, started: float | None, finished: float | None
) -> RecordedRun:
    return RecordedRun(
        id=record.id,
        name=record.name[:300],
        experiment=record.experiment[:300],
        description=record.options.description,
        to_node=record.options.to_node,
        status=status,
        created=record.created,
        started=started,
        finished=finished,
    )


def _logs(folder: Path, redaction: Redaction) -> tuple[list[RecordedLog], dict[str, bytes]]:
    """Return the list of logs and the end of each, whole lines."""
    listed, tails = [], {}
    for path in sorted(folder.glob("*/70_*_log*.txt"))[:MAX_LOGS]:
        content = redaction.raw(path.read_bytes())
        tail = content[-LOG_TAIL_BYTES:]
        if len(tail) < len(content):  # the first line is cut, possibly within a character
            tail = tail.partition(b"\n")[2] or tail
        node = node_of(path.parent)
        listed.append(RecordedLog(node=node, file=path.name, num_bytes=len(content)))
        tails[f"{node}/{path.name}"] = tail.decode(errors="replace").encode()
    return listed, tails
