"""What a ``.replay`` file holds, as models, and how large each part of it may be.

    replay.json                      ``Replay``: run, document, environment, artifacts, contents
    events.jsonl                     one ``RecordedEvent`` a line, in order
    logs/<node>/<file>               the end of each log
    previews/<name>.jpg              the pictures that previews name

Models are strict and know no other fields: what is read is what this program could have written.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

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
MAX_LOG_BYTES = 64 * 2**10
MAX_PICTURE_BYTES = 64 * 2**10
MAX_PICTURE_EDGE = 512

MAX_STEP_BACK = 1.0
"""Seconds by which an event may be older than the one before it: they come in batches."""

NODE = r"[a-z0-9][a-z0-9_-]{0,63}"
LOG_FILE = r"70_[a-z]{1,20}_log(_[0-9]{1,6})?\.txt"
PICTURE = r"[a-z0-9][a-z0-9_-]{0,99}\.jpg"

Text = Annotated[str, Field(max_length=20_000)]
Name = Annotated[str, Field(max_length=300)]
NodeId = Annotated[str, Field(pattern=rf"^{NODE}$")]
PictureName = Annotated[str, Field(pattern=rf"^{PICTURE}$")]
Moment = Annotated[float, Field(ge=0, le=1e11)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{8,128}$")]
Count = Annotated[int, Field(ge=0)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


class RecordedEvent(_Part):
    """Something that happened; the same as ``pipelines.events.Event`` without its id."""

    kind: Annotated[str, Field(pattern=r"^[A-Za-z]{1,40}$")]
    node: NodeId | None = None
    data: dict[str, JsonValue] = {}
    time: Moment


class RecordedRun(_Part):
    """The run that was recorded; times are seconds since the epoch."""

    id: Annotated[str, Field(pattern=r"^[0-9]{8}-[0-9]{6}-[0-9a-f]{4}$")]
    name: Name
    experiment: Name
    description: Text = ""
    to_node: NodeId | None = None
    status: Annotated[str, Field(pattern=r"^[a-z ]{1,20}$")]
    created: Moment
    started: Moment | None
    finished: Moment | None


class RecordedEnvironment(_Part):
    """The machine that recorded the run, as it was then."""

    recorded: Moment
    program: Name
    python: Name
    platform: Name
    processor: Name
    libraries: dict[Name, Name]
    cores: Count
    gpus: Count
    memory_bytes: Count


class RecordedArtifact(_Part):
    """An output and what its files hash to: what a rerun is compared with."""

    node: NodeId
    port: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")]
    type: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")]
    schema_version: Count
    key: Hash
    artifact_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$")]
    content: dict[Name, Hash]
    """File or folder of the output to its hash, as in the output's manifest."""


class RecordedLog(_Part):
    """The end of a log, in ``logs/<node>/<file>``."""

    node: NodeId
    file: Annotated[str, Field(pattern=rf"^{LOG_FILE}$")]
    num_bytes: Count
    """Of the whole log; the file may hold only its end."""


class ClassCount(_Part):
    name: Name
    images: Count


class Sample(_Part):
    """A picture of a directory."""

    picture: PictureName
    label: Name | None


class ImagesPreview(_Part):
    """What an ImageDirectory holds: counts, and pictures of several classes."""

    kind: Literal["images"] = "images"
    node: NodeId
    port: Name
    num_images: Count
    num_classes: Count
    classes: Annotated[list[ClassCount], Field(max_length=60)]
    samples: Annotated[list[Sample], Field(max_length=24)]


class Prediction(_Part):
    """A picture and what the model said of it."""

    picture: PictureName | None
    actual: Name | None
    predicted: Name
    confidence: Annotated[float, Field(ge=0, le=1)] | None


class PredictionsPreview(_Part):
    """Some rows of a scored table, mistakes among them."""

    kind: Literal["predictions"] = "predictions"
    node: NodeId
    port: Name
    num_images: Count
    num_wrong: Count | None
    samples: Annotated[list[Prediction], Field(max_length=24)]


class EvaluationPreview(_Part):
    """An evaluation's figures and its confusion matrix, rows are the actual classes."""

    kind: Literal["evaluation"] = "evaluation"
    node: NodeId
    port: Name
    metrics: dict[Name, float | None]
    classes: Annotated[list[Name], Field(max_length=60)]
    confusion: Annotated[list[list[Count]], Field(max_length=60)]
    """Empty where there are more classes than a small file can hold."""


class ModelPreview(_Part):
    """A trained model: what it is and the curves of its training, one value an epoch."""

    kind: Literal["model"] = "model"
    node: NodeId
    port: Name
    architecture: Name
    num_classes: Count
    best_epoch: Count | None
    curves: dict[Name, Annotated[list[float | None], Field(max_length=500)]]


Preview = Annotated[
    ImagesPreview | PredictionsPreview | EvaluationPreview | ModelPreview,
    Field(discriminator="kind"),
]


class Replay(_Part):
    """``replay.json``. ``document`` is read by ``parse_document``."""

    format: Literal["pipeline-designer-replay/1"] = "pipeline-designer-replay/1"
    run: RecordedRun
    document: dict[str, Any]
    environment: RecordedEnvironment
    artifacts: Annotated[list[RecordedArtifact], Field(max_length=20_000)]
    logs: Annotated[list[RecordedLog], Field(max_length=400)]
    previews: Annotated[list[Preview], Field(max_length=400)]
    num_events: Annotated[int, Field(ge=1, le=MAX_EVENTS)]

    def pictures(self) -> set[str]:
        """The names of every picture that a preview shows."""
        named = (
            sample.picture
            for preview in self.previews
            if isinstance(preview, ImagesPreview | PredictionsPreview)
            for sample in preview.samples
        )
        return {name for name in named if name is not None}
