"""Consistency of the parts of a replay beyond what models can express."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise

from pydantic import ValidationError

from modules.sentences.sentence import Statement
from pipelines.document.document import PipelineDocument
from pipelines.document.expansion import expanded
from pipelines.replay.event_data import check_data
from pipelines.replay.format import MAX_PICTURE_EDGE, MAX_STEP_BACK, RecordedEvent, Replay
from pipelines.sentences import replays

JPEG_START = b"\xff\xd8\xff"


def check_consistency(
    replay: Replay,
    document: PipelineDocument,
    events: Sequence[RecordedEvent],
    logs: set[str],
    pictures: set[str],
) -> Statement | None:
    """Return the inconsistency; None if there is none."""
    # Lists are compared with their files both ways: an unlisted file could hide something.
    nodes = {node.id for node in expanded(document).nodes}
    named = {event.node for event in events if event.node} | {log.node for log in replay.logs}
    named |= {item.node for item in (*replay.artifacts, *replay.previews)}
    if strangers := sorted(named - nodes):
        return replays.STRANGE_NODE.about({"name": strangers[0]})
    if {f"{log.node}/{log.file}" for log in replay.logs} != logs:
        return replays.OTHER_LOGS.about({})
    if replay.pictures() - pictures:
        return replays.PICTURE_MISSING.about({})
    if pictures - replay.pictures():
        return replays.PICTURE_STRANGE.about({})
    return _fault_of_events(events) or _fault_of_previews(replay)


def check_picture(name: str, content: bytes) -> Statement | None:
    """Return why a preview is not shown; only the header is read."""
    from PIL import Image

    if not content.startswith(JPEG_START):
        return replays.PICTURE_NO_JPEG.about({"picture": name})
    try:
        with Image.open(BytesIO(content), formats=("JPEG",)) as image:
            width, height = image.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return replays.PICTURE_DAMAGED.about({"picture": name})
    if max(width, height) > MAX_PICTURE_EDGE:
        facts = {"picture": name, "most": MAX_PICTURE_EDGE}
        return replays.PICTURE_TOO_LARGE.about(facts)
    return None


def _fault_of_events(events: Sequence[RecordedEvent]) -> Statement | None:
    if any(later.time < earlier.time - MAX_STEP_BACK for earlier, later in pairwise(events)):
        return replays.EVENTS_OUT_OF_ORDER.about({})
    for number, event in enumerate(events, start=1):
        try:
            check_data(event.kind, event.node, event.data)
        except ValidationError:
            return replays.EVENT_WRONG.about({"number": number, "kind": event.kind})
    return None


def _fault_of_previews(replay: Replay) -> Statement | None:
    for preview in replay.previews:
        if preview.kind == "evaluation":
            size = len(preview.classes)
            rows = preview.confusion
            if rows and (len(rows) != size or any(len(row) != size for row in rows)):
                return replays.MATRIX_NOT_SQUARE.about({"name": preview.node})
    return None
