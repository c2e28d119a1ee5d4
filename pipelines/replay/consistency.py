"""Do the parts of a replay belong together: what models alone cannot say."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise

from pydantic import ValidationError

from pipelines.documents.document import PipelineDocument
from pipelines.replay.event_data import check_data
from pipelines.replay.format import MAX_PICTURE_EDGE, MAX_STEP_BACK, RecordedEvent, Replay

JPEG_START = b"\xff\xd8\xff"


def check_consistency(
    replay: Replay,
    document: PipelineDocument,
    events: Sequence[RecordedEvent],
    logs: set[str],
    pictures: set[str],
) -> str | None:
    """What does not fit, as a sentence; None where everything does."""
    nodes = {node.id for node in document.nodes}
    named = {event.node for event in events if event.node} | {each.node for each in replay.logs}
    named |= {each.node for each in (*replay.artifacts, *replay.previews)}
    if strangers := sorted(named - nodes):
        return f"It tells of {strangers[0]!r}, which its pipeline does not have."
    if {f"{each.node}/{each.file}" for each in replay.logs} != logs:
        return "Its list of logs is not that of the logs it holds."
    if replay.pictures() - pictures:
        return "A preview names a picture that it does not hold."
    if pictures - replay.pictures():
        return "It holds pictures that no preview shows."
    return _fault_of_events(events) or _fault_of_previews(replay)


def check_picture(content: bytes) -> str | None:
    """Why a preview is not shown: ``is no JPEG``; only the header is read."""
    from PIL import Image

    if not content.startswith(JPEG_START):
        return "is no JPEG"
    try:
        with Image.open(BytesIO(content), formats=("JPEG",)) as image:
            width, height = image.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return "is a damaged JPEG"
    if max(width, height) > MAX_PICTURE_EDGE:
        return f"has more than {MAX_PICTURE_EDGE} pixels on an edge"
    return None


def _fault_of_events(events: Sequence[RecordedEvent]) -> str | None:
    if any(later.time < earlier.time - MAX_STEP_BACK for earlier, later in pairwise(events)):
        return "Its events are not in the order of their times."
    for number, event in enumerate(events, start=1):
        try:
            check_data(event.kind, event.node, event.data)
        except ValidationError:
            return f"Event {number:,} ({event.kind}) is not what such an event holds."
    return None


def _fault_of_previews(replay: Replay) -> str | None:
    for preview in replay.previews:
        if preview.kind == "evaluation":
            size = len(preview.classes)
            rows = preview.confusion
            if rows and (len(rows) != size or any(len(row) != size for row in rows)):
                return f"The confusion matrix of {preview.node} is not square."
    return None
