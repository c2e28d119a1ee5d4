"""Files of replays: written atomically, read as untrusted input.

A zip of plain members with known names. Nothing is unpacked to disk: members are read into memory
within the limits of ``format``, whatever their headers promise.
"""

from __future__ import annotations

import json
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from modules.files.regular_files import read_regular
from modules.files.whole_files import replacing
from modules.sentences.sentence import Sentence, Statement, stated
from pipelines.document import strict_json
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.errors import RefusedError
from pipelines.events import Event, RunState, fold
from pipelines.inspection.preview_models import MAX_PICTURE_BYTES, NODE, PICTURE
from pipelines.problems import INVALID_REPLAY, NEWER_REPLAY, PipelineError
from pipelines.replay.consistency import check_consistency, check_picture
from pipelines.replay.format import (
    EVENTS,
    FORMAT_NAME,
    FORMAT_VERSION,
    HEAD,
    LOG_FILE,
    MAX_EVENTS,
    MAX_EVENTS_BYTES,
    MAX_FILE_BYTES,
    MAX_HEAD_BYTES,
    MAX_LOG_BYTES,
    MAX_MEMBERS,
    MAX_UNPACKED_BYTES,
    RecordedEvent,
    Replay,
)
from pipelines.replay.recording import Recording
from pipelines.sentences import refusals, replays

EPOCH = (1980, 1, 1, 0, 0, 0)
MEMBERS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(re.escape(HEAD)), MAX_HEAD_BYTES),
    (re.compile(re.escape(EVENTS)), MAX_EVENTS_BYTES),
    (re.compile(rf"logs/{NODE}(/{NODE}){{0,16}}/{LOG_FILE}"), MAX_LOG_BYTES),
    (re.compile(rf"previews/{PICTURE}"), MAX_PICTURE_BYTES),
)
"""Allowed names of members and their size limits."""


@dataclass(frozen=True)
class OpenReplay:
    """Replay that was read and validated."""

    replay: Replay
    document: PipelineDocument
    events: list[RecordedEvent]
    logs: dict[str, bytes]
    """``<node>/<file>`` to the end of the log."""
    pictures: dict[str, bytes]

    def state(self, until: float | None = None) -> RunState:
        """Return the run's state at a time (seconds since the epoch), by default at its end."""
        shown = (event for event in self.events if until is None or event.time <= until)
        return fold(Event(event.kind, event.node, dict(event.data), event.time) for event in shown)


def pack(recording: Recording) -> bytes:
    """Return the file's bytes."""
    members: dict[str, bytes] = {
        HEAD: _json(recording.replay.model_dump(mode="json")),
        EVENTS: b"".join(_json(event.model_dump(mode="json")) for event in recording.events),
        **{f"logs/{name}": content for name, content in recording.logs.items()},
        **{f"previews/{name}": content for name, content in recording.pictures.items()},
    }
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in members.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            # Deflating a JPEG again costs time and gains nothing.
            is_packed = name.endswith(".jpg")
            kind = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compress_type=kind)
    return buffer.getvalue()


def write_file(content: bytes, path: Path) -> None:
    """Write bytes to a file atomically."""
    with replacing(path, durably=True) as temporary:
        temporary.write_bytes(content)


def read_file(path: Path) -> bytes:
    """Return the bytes of a file within the size limit of replays."""
    try:
        return read_regular(path, MAX_FILE_BYTES + 1)
    except OSError as error:
        raise RefusedError(refusals.FILE_UNREADABLE, file=path, error=error.strerror) from None


def unpack(content: bytes) -> OpenReplay:
    """Return the replay in a file's bytes.

    Raises ``PipelineError`` with the reason for an invalid one.
    """
    if len(content) > MAX_FILE_BYTES:
        raise refused(replays.TOO_LARGE, mebibytes=MAX_FILE_BYTES // 2**20)
    if not content.startswith(b"PK\x03\x04"):
        raise refused(replays.NO_ARCHIVE)
    with _damage_explained(), zipfile.ZipFile(BytesIO(content)) as archive:
        members = _members(archive)
    # From here on a part is trusted once it has been checked, in the order of their dependencies.
    replay = _head(members)
    document = _document(replay)
    events = _events(members, replay)
    logs = _below(members, "logs/")
    pictures = _below(members, "previews/")
    for name, picture in pictures.items():
        if why := check_picture(name, picture):
            raise refused(why)
    if why := check_consistency(replay, document, events, set(logs), set(pictures)):
        raise refused(why)
    return OpenReplay(replay, document, events, logs, pictures)


def refused(why: Sentence | Statement, **facts: Any) -> PipelineError:
    """Return the error of a rejected file."""
    return PipelineError.of(INVALID_REPLAY, replays.NO_REPLAY_FILE, why=stated(why, facts))


def _members(archive: zipfile.ZipFile) -> dict[str, bytes]:
    # The table of contents is checked before a byte is unpacked: number, names, kinds and sizes. It
    # may lie, so contents are measured again as they are read.
    entries = archive.infolist()
    if len(entries) > MAX_MEMBERS:
        raise refused(replays.TOO_MANY_PARTS, most=MAX_MEMBERS)
    limits = {entry.filename: _limit_of(entry) for entry in entries}
    if len(limits) < len(entries):
        raise refused(replays.SAME_PART)
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise refused(replays.UNPACKED_TOO_LARGE, mebibytes=MAX_UNPACKED_BYTES // 2**20)
    return {entry.filename: _content(archive, entry, limits[entry.filename]) for entry in entries}


def _limit_of(entry: zipfile.ZipInfo) -> int:
    """Return the size limit of a member; reject one that does not belong in a replay."""
    # The upper half of the attributes is a Unix file's mode; 0 from other systems.
    kind = stat.S_IFMT(entry.external_attr >> 16)
    shown = ascii(entry.orig_filename[:100])
    if kind not in (0, stat.S_IFREG) or entry.flag_bits & 0x1:
        raise refused(replays.PART_NO_FILE, part=shown)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise refused(replays.PART_COMPRESSION, part=shown)
    for pattern, limit in MEMBERS:
        if pattern.fullmatch(entry.orig_filename) and entry.filename == entry.orig_filename:
            if entry.file_size > limit:
                raise refused(replays.PART_TOO_LARGE, part=shown, most=limit)
            return limit
    raise refused(replays.PART_STRANGE, part=shown)


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> bytes:
    with archive.open(entry) as file:
        # One byte above the limit suffices to reject what would fill the memory.
        content = file.read(limit + 1)
        if len(content) > limit or len(content) != entry.file_size or file.read(1):
            raise refused(replays.PART_OTHER_SIZE, part=ascii(entry.filename))
    return content


@contextmanager
def _damage_explained() -> Iterator[None]:
    try:
        yield
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        zlib.error,
        struct.error,
        EOFError,
        OSError,
        RuntimeError,
        NotImplementedError,  # of a newer zip
        OverflowError,
        ValueError,
        IndexError,
    ):
        raise refused(replays.DAMAGED) from None


def _head(members: dict[str, bytes]) -> Replay:
    if HEAD not in members or EVENTS not in members:
        raise refused(replays.PART_MISSING, part=HEAD if HEAD not in members else EVENTS)
    head = _parsed(members[HEAD], HEAD)
    _check_version(head)
    try:
        return Replay.model_validate(head)
    except ValidationError as error:
        raise refused(replays.PART_WRONG, part=HEAD, fault=_first_fault(error)) from None


def _check_version(head: Any) -> None:
    text = head.get("format") if isinstance(head, dict) else None
    match = re.fullmatch(rf"{FORMAT_NAME}/([1-9][0-9]{{0,5}})", str(text))
    if match is None:
        raise refused(replays.NO_FORMAT, part=HEAD)
    if int(match.group(1)) > FORMAT_VERSION:
        raise PipelineError.of(NEWER_REPLAY, replays.NEWER_REPLAY, format=match.group(1))


def _document(replay: Replay) -> PipelineDocument:
    try:
        return parse_document(replay.document)
    except PipelineError as error:
        fault = error.problems[0].message
        raise refused(replays.PIPELINE_UNREADABLE, fault=fault) from None


def _events(members: dict[str, bytes], replay: Replay) -> list[RecordedEvent]:
    lines = members[EVENTS].splitlines()
    if len(lines) != replay.num_events or len(lines) > MAX_EVENTS:
        raise refused(replays.EVENTS_MISSING, promised=replay.num_events, count=len(lines))
    events = []
    for number, line in enumerate(lines, start=1):
        try:
            events.append(RecordedEvent.model_validate(_parsed(line, EVENTS)))
        except ValidationError as error:
            facts = {"part": EVENTS, "line": number, "fault": _first_fault(error)}
            raise refused(replays.LINE_WRONG, **facts) from None
    return events


def _parsed(text: bytes, name: str) -> Any:
    try:
        return strict_json.parse_checked(text)
    except PipelineError as error:
        fault = error.problems[0].message
        raise refused(replays.PART_UNREADABLE, part=name, fault=fault) from None


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_input=False)[0]
    location = ".".join(str(part)[:100] for part in fault["loc"]) or "it"
    return f"{location}: {fault['msg']}."


def _below(members: dict[str, bytes], folder: str) -> dict[str, bytes]:
    return {
        name.removeprefix(folder): content
        for name, content in members.items()
        if name.startswith(folder)
    }


def _json(content: object) -> bytes:
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"
