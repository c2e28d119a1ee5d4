"""Content of a ``.replay`` file as models, and the size limits of its parts.

    replay.json                      ``Replay``: run, document, environment, artifacts, contents
    events.jsonl                     one ``RecordedEvent`` per line, in order
    logs/<node>/<file>               the end of each log
    previews/<name>.jpg              images named by previews

Models are strict and forbid other fields: this program could have written everything it reads.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from modules.schema_reference import DocumentData
from pipelines.inspection.preview_models import (
    Count,
    ImagesPreview,
    Name,
    NodeId,
    PredictionsPreview,
    Preview,
    PreviewModel,
)

FORMAT_NAME = "pipeline-designer-replay"
FORMAT_VERSION = 1
FORMAT = f"{FORMAT_NAME}/{FORMAT_VERSION}"

HEAD = "replay.json"
EVENTS = "events.jsonl"

MAX_FILE_BYTES = 16 * 2**20
MAX_UNPACKED_BYTES = 64 * 2**20
MAX_MEMBERS = 1000
MAX_HEAD_BYTES = 16 * 2**20
MAX_EVENTS_BYTES = 40 * 2**20
MAX_EVENTS = 100_000
MAX_PREVIEWS = 400
MAX_LOG_BYTES = 64 * 2**10
MAX_PICTURE_EDGE = 512

MAX_STEP_BACK = 1.0
"""Limit in seconds by which an event may precede the one before it: they arrive in batches."""

LOG_FILE = r"70_[a-z]{1,20}_log(_[0-9]{1,6})?\.txt"

Text = Annotated[str, Field(max_length=20_000)]
Moment = Annotated[float, Field(ge=0, le=1e11)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{8,128}$")]


class RecordedEvent(PreviewModel):
    """Event, the same as ``pipelines.events.Event`` without its id."""

    kind: Annotated[str, Field(pattern=r"^[A-Za-z]{1,40}$")]
    node: NodeId | None = None
    data: dict[str, JsonValue] = {}
    time: Moment


class RecordedRun(PreviewModel):
    """Recorded run; times are seconds since the epoch."""

    id: Annotated[str, Field(pattern=r"^[0-9]{8}-[0-9]{6}-[0-9a-f]{4}$")]
    name: Name
    experiment: Name
    description: Text = ""
    to_node: NodeId | None = None
    status: Annotated[str, Field(pattern=r"^[a-z ]{1,20}$")]
    created: Moment
    started: Moment | None
    finished: Moment | None


class RecordedEnvironment(PreviewModel):
    """Machine that recorded the run, as of then."""

    recorded: Moment
    program: Name
    python: Name
    platform: Name
    processor: Name
    libraries: dict[Name, Name]
    cores: Count
    gpus: Count
    memory_bytes: Count


class RecordedArtifact(PreviewModel):
    """Output and the hashes of its files, with which a rerun is compared."""

    node: NodeId
    port: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")]
    type: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")]
    schema_version: Count
    key: Hash
    artifact_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$")]
    content: dict[Name, Hash]
    """Hash of each file or folder, as in the output's manifest."""


class RecordedLog(PreviewModel):
    """End of a log, in ``logs/<node>/<file>``."""

    node: NodeId
    file: Annotated[str, Field(pattern=rf"^{LOG_FILE}$")]
    num_bytes: Count
    """Size of the whole log; the file may contain only its end."""


class Replay(PreviewModel):
    """Content of ``replay.json``. ``parse_document`` reads ``document``."""

    format: Literal["pipeline-designer-replay/1"] = "pipeline-designer-replay/1"
    run: RecordedRun
    document: DocumentData
    environment: RecordedEnvironment
    artifacts: Annotated[list[RecordedArtifact], Field(max_length=20_000)]
    logs: Annotated[list[RecordedLog], Field(max_length=400)]
    previews: Annotated[list[Preview], Field(max_length=MAX_PREVIEWS)]
    num_events: Annotated[int, Field(ge=1, le=MAX_EVENTS)]

    def pictures(self) -> set[str]:
        """Return the names of every image that a preview shows."""
        named = (
            sample.picture
            for preview in self.previews
            if isinstance(preview, ImagesPreview | PredictionsPreview)
            for sample in preview.samples
        )
        return {name for name in named if name is not None}
