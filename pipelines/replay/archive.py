"""The ``.replay`` file itself: written in one stroke, read as if a stranger had made it.

A zip of plain members whose names are all known beforehand. Nothing is ever unpacked to disk: every
member is read into memory within the limits of ``format``, whatever its header promises.
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

from modules.files.whole_files import replacing
from pipelines.documents import strict_json
from pipelines.documents.document import PipelineDocument, parse_document
from pipelines.errors import RefusedError
from pipelines.events import Event, RunState, fold
from pipelines.problems import INVALID_REPLAY, NEWER_REPLAY, PipelineError, Problem
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
    MAX_PICTURE_BYTES,
    MAX_UNPACKED_BYTES,
    NODE,
    PICTURE,
    RecordedEvent,
    Replay,
)
from pipelines.replay.recording import Recording
from pipelines.sentences import refusals

EPOCH = (1980, 1, 1, 0, 0, 0)
CURE = "Ask for the file again, or export the run anew: `designer replay export RUN`."
MEMBERS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(re.escape(HEAD)), MAX_HEAD_BYTES),
    (re.compile(re.escape(EVENTS)), MAX_EVENTS_BYTES),
    (re.compile(rf"logs/{NODE}/{LOG_FILE}"), MAX_LOG_BYTES),
    (re.compile(rf"previews/{PICTURE}"), MAX_PICTURE_BYTES),
)
"""The names that members may have, and how large each may be."""


@dataclass(frozen=True)
class OpenReplay:
    """A replay that was read and found to be whole."""

    replay: Replay
    document: PipelineDocument
    events: list[RecordedEvent]
    logs: dict[str, bytes]
    """``<node>/<file>`` to the end of the log."""
    pictures: dict[str, bytes]

    def state(self, until: float | None = None) -> RunState:
        """How the run stood at a moment (seconds since the epoch), by default at its end."""
        shown = (each for each in self.events if until is None or each.time <= until)
        return fold(Event(each.kind, each.node, dict(each.data), each.time) for each in shown)


def pack(recording: Recording) -> bytes:
    """The file's bytes."""
    members: dict[str, bytes] = {
        HEAD: _json(recording.replay.model_dump(mode="json")),
        EVENTS: b"".join(_json(each.model_dump(mode="json")) for each in recording.events),
        **{f"logs/{name}": content for name, content in recording.logs.items()},
        **{f"previews/{name}": content for name, content in recording.pictures.items()},
    }
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in members.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            is_packed = name.endswith(".jpg")
            kind = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compress_type=kind)
    return buffer.getvalue()


def write_file(content: bytes, path: Path) -> None:
    """Put bytes where they belong; half of them are never there under that name."""
    with replacing(path, durably=True) as temporary:
        temporary.write_bytes(content)


def read_file(path: Path) -> bytes:
    """The bytes of a file that is not larger than a replay may be."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise RefusedError(refusals.FILE_UNREADABLE, file=path, error=error.strerror) from None
    return content


def unpack(content: bytes) -> OpenReplay:
    """The replay in a file's bytes; raises ``PipelineError`` with the reason for any other."""
    if len(content) > MAX_FILE_BYTES:
        raise refused(f"It is larger than {MAX_FILE_BYTES // 2**20} MiB.")
    if not content.startswith(b"PK\x03\x04"):
        raise refused("It is no such file, or it was cut off.")
    with _damage_explained(), zipfile.ZipFile(BytesIO(content)) as archive:
        members = _members(archive)
    replay = _head(members)
    document = _document(replay)
    events = _events(members, replay)
    logs = _below(members, "logs/")
    pictures = _below(members, "previews/")
    for name, picture in pictures.items():
        if reason := check_picture(picture):
            raise refused(f"Its picture {name} {reason}.")
    if reason := check_consistency(replay, document, events, set(logs), set(pictures)):
        raise refused(reason)
    return OpenReplay(replay, document, events, logs, pictures)


def refused(reason: str) -> PipelineError:
    """The error of a file that is not opened."""
    message = f"This is not a replay that can be opened. {reason}"
    return PipelineError([Problem.of(INVALID_REPLAY, message, CURE)])


def _members(archive: zipfile.ZipFile) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > MAX_MEMBERS:
        raise refused(f"It holds more than {MAX_MEMBERS:,} parts.")
    limits = {entry.filename: _limit_of(entry) for entry in entries}
    if len(limits) < len(entries):
        raise refused("It holds two parts of the same name.")
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise refused(f"Unpacked it is larger than {MAX_UNPACKED_BYTES // 2**20} MiB.")
    return {entry.filename: _content(archive, entry, limits[entry.filename]) for entry in entries}


def _limit_of(entry: zipfile.ZipInfo) -> int:
    """How large a member may be; refuses one that has no business in a replay."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    shown = ascii(entry.orig_filename[:100])
    if kind not in (0, stat.S_IFREG) or entry.flag_bits & 0x1:
        raise refused(f"Its part {shown} is a link, a device or encrypted.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise refused(f"Its part {shown} is compressed in another way.")
    for pattern, limit in MEMBERS:
        if pattern.fullmatch(entry.orig_filename) and entry.filename == entry.orig_filename:
            if entry.file_size > limit:
                raise refused(f"Its part {shown} is larger than {limit:,} bytes.")
            return limit
    raise refused(f"It holds {shown}, which is no part of a replay.")


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> bytes:
    with archive.open(entry) as file:
        content = file.read(limit + 1)
        if len(content) > limit or len(content) != entry.file_size or file.read(1):
            raise refused(f"Its part {entry.filename!a} is not as large as it says.")
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
        NotImplementedError,
        OverflowError,
        ValueError,
        IndexError,
    ):
        raise refused("It is damaged or was cut off.") from None


def _head(members: dict[str, bytes]) -> Replay:
    if HEAD not in members or EVENTS not in members:
        raise refused(f"It holds no {HEAD if HEAD not in members else EVENTS}.")
    head = _parsed(members[HEAD], HEAD)
    _check_version(head)
    try:
        return Replay.model_validate(head)
    except ValidationError as error:
        raise refused(f"{HEAD}: {_first_fault(error)}") from None


def _check_version(head: Any) -> None:
    given = head.get("format") if isinstance(head, dict) else None
    match = re.fullmatch(rf"{FORMAT_NAME}/([1-9][0-9]{{0,5}})", str(given))
    if match is None:
        raise refused(f"{HEAD} names no format of this program.")
    if int(match.group(1)) > FORMAT_VERSION:
        message = f"A newer version of the program made this replay (format {match.group(1)})."
        cure = "Update the program, or have the run exported with this version."
        raise PipelineError([Problem.of(NEWER_REPLAY, message, cure)])


def _document(replay: Replay) -> PipelineDocument:
    try:
        return parse_document(replay.document)
    except PipelineError as error:
        raise refused(f"Its pipeline cannot be read: {error.problems[0].message}") from None


def _events(members: dict[str, bytes], replay: Replay) -> list[RecordedEvent]:
    lines = members[EVENTS].splitlines()
    if len(lines) != replay.num_events or len(lines) > MAX_EVENTS:
        raise refused(f"It promises {replay.num_events:,} events and holds {len(lines):,}.")
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(RecordedEvent.model_validate(_parsed(line, EVENTS)))
        except ValidationError as error:
            raise refused(f"{EVENTS}, line {number}: {_first_fault(error)}") from None
    return found


def _parsed(text: bytes, name: str) -> Any:
    try:
        return strict_json.checked(strict_json.parse(text))
    except PipelineError as error:
        raise refused(f"{name} cannot be read: {error.problems[0].message}") from None


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part)[:100] for part in fault["loc"]) or "it"
    return f"{place}: {fault['msg']}."


def _below(members: dict[str, bytes], folder: str) -> dict[str, bytes]:
    return {
        name.removeprefix(folder): content
        for name, content in members.items()
        if name.startswith(folder)
    }


def _json(content: object) -> bytes:
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"
