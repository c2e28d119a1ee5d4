"""Objects of the replay endpoints."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.editor import EventShape
from designer_app.schemas.shape import Document, Shape
from pipelines.inspection.preview_models import Preview
from pipelines.replay.format import (
    RecordedArtifact,
    RecordedEnvironment,
    RecordedLog,
    RecordedRun,
)
from pipelines.replay.library import ReplayEntry


class ReplayList(Shape):
    replays: list[ReplayEntry]


class ReplayCreated(Shape):
    id: str
    name: str


class ReplayLog(RecordedLog):
    """Log; its lines have no times, players spread them over the duration of the node."""

    text: str = Field(description="The end of the log, at most 64 kB.")


class ReplayAnswer(Shape):
    """Replay. Its events have ids from 1 and are in order."""

    id: str
    run: RecordedRun
    document: Document
    environment: RecordedEnvironment
    artifacts: list[RecordedArtifact]
    logs: list[ReplayLog]
    previews: list[Preview]
    events: list[EventShape]
    pictures: dict[str, str] = Field(description="Name to JPEG in base64.")
