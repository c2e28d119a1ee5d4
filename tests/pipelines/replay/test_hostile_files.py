"""Damaged and hostile replay files: refused with a reason, and nothing is written."""

from __future__ import annotations

import json
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.problems import INVALID_REPLAY, NEWER_REPLAY, PipelineError
from pipelines.replay.archive import pack, unpack
from pipelines.replay.format import (
    EVENTS,
    HEAD,
    MAX_FILE_BYTES,
    MAX_UNPACKED_BYTES,
    RecordedEvent,
)
from pipelines.replay.library import ReplayShelf
from pipelines.replay.recording import Recording
from pipelines.workspace import Workspace
from tests.pipelines.replay.conftest import members_of, zipped

pytestmark = pytest.mark.extended

Members = dict[str, bytes]
Change = Callable[[Members], object]


def with_head(change: Callable[[dict[str, Any]], object]) -> Change:
    """Another ``replay.json``."""

    def changed(members: Members) -> None:
        head = json.loads(members[HEAD])
        change(head)
        members[HEAD] = json.dumps(head).encode()

    return changed


def with_event(place: int, change: Callable[[dict[str, Any]], object]) -> Change:
    """Another event."""

    def changed(members: Members) -> None:
        lines = members[EVENTS].splitlines()
        event = json.loads(lines[place])
        change(event)
        lines[place] = json.dumps(event).encode()
        members[EVENTS] = b"\n".join(lines)

    return changed


def named(name: str, content: bytes = b"x") -> Change:
    return lambda members: members.update({name: content})


CASES: dict[str, tuple[Change, str]] = {
    "a way out": (named("../../evil.txt"), "unexpected part"),
    "a way out of the logs": (named("logs/../70_driver_log_0.txt"), "unexpected part"),
    "an absolute path": (named("/etc/cron.d/evil"), "unexpected part"),
    "a path of Windows": (named("logs\\..\\evil.txt"), "unexpected part"),
    "script in a name": (named("previews/<script>alert(1)</script>.jpg"), "unexpected part"),
    "a page": (named("previews/index.html", b"<script>"), "unexpected part"),
    "a hidden ending": (named("previews/a.jpg\n.html"), "unexpected part"),
    "a page in a picture": (named("previews/p9999.jpg", b"<html>"), "is not a JPEG"),
    "a broken picture": (named("previews/p9999.jpg", b"\xff\xd8\xff\xe0"), "damaged JPEG"),
    "a log nobody names": (named("logs/import/70_driver_log_7.txt"), "list of logs"),
    "a large log": (named("logs/import/70_driver_log_7.txt", b"x" * 100_000), "larger than"),
    "no head": (lambda members: members.pop(HEAD), "replay.json is missing"),
    "no events": (lambda members: members.pop(EVENTS), "events.jsonl is missing"),
    "no JSON": (lambda members: members.update({HEAD: b"{"}), "Cannot read"),
    "no object": (lambda members: members.update({HEAD: b"[]"}), "no known format"),
    "deep JSON": (
        lambda members: members.update({HEAD: b"[" * 200_000 + b"]" * 200_000}),
        "Cannot read",
    ),
    "another format": (with_head(lambda head: head.update(format="zip/1")), "no known format"),
    "a field too many": (with_head(lambda head: head.update(more=1)), "more"),
    "a field of another type": (with_head(lambda head: head.update(logs="x")), "logs"),
    "a document that is none": (
        with_head(lambda head: head["document"].update(nodes=[{"id": "<script>"}])),
        "Cannot read its pipeline",
    ),
    "a wrong count": (with_head(lambda head: head.update(num_events=10**4)), "10,000 events"),
    "a picture that is not there": (
        with_head(lambda head: head["previews"][0]["samples"][0].update(picture="p9998.jpg")),
        "picture",
    ),
    "a picture elsewhere": (
        with_head(lambda head: head["previews"][0]["samples"][0].update(picture="../a.jpg")),
        "picture",
    ),
    "a node that is not there": (
        with_event(3, lambda event: event.update(node="nobody")),
        "does not contain",
    ),
    "a time that goes back": (with_event(4, lambda event: event.update(time=1.0)), "order"),
    "an endless time": (with_event(0, lambda event: event.update(time=1e300)), "time"),
    "an object for a list": (
        with_event(0, lambda event: event.update(data={"nodes": {"a": 1}})),
        "has invalid data",
    ),
    "not a number": (
        lambda members: members.update(
            {EVENTS: members[EVENTS].replace(b'"time":', b'"time":NaN,"x":', 1)}
        ),
        "Cannot read",
    ),
}


def refusal(content: bytes, workspace: Workspace) -> str:
    """Why a file is refused; asserts that nothing was written."""
    with pytest.raises(PipelineError) as caught:
        ReplayShelf(workspace).add(content)
    assert not workspace.root.exists()
    [problem] = caught.value.problems
    assert problem.code in (INVALID_REPLAY.code, NEWER_REPLAY.code)
    assert problem.cure
    return problem.message


@pytest.mark.parametrize("case", CASES)
def test_a_hostile_part_is_refused(case: str, content: bytes, workspace: Workspace) -> None:
    change, reason = CASES[case]
    members = members_of(content)
    change(members)
    assert reason in refusal(zipped(members), workspace)


def test_the_file_as_it_was_is_taken(content: bytes, workspace: Workspace) -> None:
    assert ReplayShelf(workspace).add(zipped(members_of(content)))


def test_one_that_leaves_its_nodes_out_is_listed_beside_the_others(
    content: bytes, workspace: Workspace
) -> None:
    empty = {"format": "pipeline-designer/2", "id": "x"}
    changed = {"document": empty, "artifacts": [], "logs": [], "previews": [], "num_events": 2}
    ends: dict[str, dict[str, Any]] = {
        "RunQueued": {"nodes": []},
        "RunFinished": {"status": "completed"},
    }
    events = [
        RecordedEvent(kind=kind, node=None, data=data, time=time)
        for time, (kind, data) in enumerate(ends.items(), 1)
    ]
    shelf, replay = ReplayShelf(workspace), unpack(content).replay.model_copy(update=changed)
    bare = shelf.add(pack(Recording(replay, events, {}, {})))
    whole = shelf.add(content)
    counts = {item.id: item.num_nodes for item in shelf.all()}
    assert (counts[bare], counts[whole] > 0) == (0, True)


def test_a_newer_version_is_told_apart(content: bytes, workspace: Workspace) -> None:
    members = members_of(content)
    with_head(lambda head: head.update(format="pipeline-designer-replay/2", new_part=1))(members)
    assert "newer version" in refusal(zipped(members), workspace)


def test_links_devices_and_folders_are_refused(content: bytes, workspace: Workspace) -> None:
    for kind in (stat.S_IFLNK, stat.S_IFCHR, stat.S_IFDIR, stat.S_IFIFO):
        buffer = BytesIO(content)
        with zipfile.ZipFile(buffer, "a") as archive:
            entry = zipfile.ZipInfo("previews/p9999.jpg")
            entry.external_attr = (kind | 0o777) << 16
            archive.writestr(entry, "/etc/passwd")
        assert "link" in refusal(buffer.getvalue(), workspace)


def test_two_parts_of_one_name_are_refused(content: bytes, workspace: Workspace) -> None:
    buffer = BytesIO(content)
    with zipfile.ZipFile(buffer, "a") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr(HEAD, members_of(content)[HEAD])
    assert "two parts with the same name" in refusal(buffer.getvalue(), workspace)


def test_bombs_are_refused_before_they_are_unpacked(content: bytes, workspace: Workspace) -> None:
    members = members_of(content)
    bomb = {**members, EVENTS: b" " * (MAX_UNPACKED_BYTES + 1)}
    assert "larger than" in refusal(zipped(bomb), workspace)
    crowd = {**members, **{f"logs/import/70_driver_log_{n}.txt": b"" for n in range(2_000)}}
    assert "more than 1,000 parts" in refusal(zipped(crowd), workspace)
    assert "larger than" in refusal(content + b"\0" * MAX_FILE_BYTES, workspace)


def test_a_size_that_lies_is_refused(content: bytes, workspace: Workspace) -> None:
    """The central directory promises ten bytes where there are more."""
    changed = bytearray(content)
    with zipfile.ZipFile(BytesIO(content)) as archive:
        start = archive.start_dir
    changed[start + 24 : start + 28] = struct.pack("<L", 10)
    assert refusal(bytes(changed), workspace)


def test_encrypted_parts_are_refused(content: bytes, workspace: Workspace) -> None:
    changed = bytearray(content)
    with zipfile.ZipFile(BytesIO(content)) as archive:
        changed[archive.start_dir + 8] |= 1
    assert "encrypted" in refusal(bytes(changed), workspace)


NOT_OURS = [b"", b"PK\x03\x04", b"{}", b"\x89PNG\r\n", b"PK\x05\x06" + b"\0" * 18]


@pytest.mark.parametrize("other", NOT_OURS)
def test_what_is_no_such_file_is_refused(other: bytes, workspace: Workspace) -> None:
    assert "Invalid replay file" in refusal(other, workspace)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_file_cut_off_or_changed_anywhere_is_refused_or_whole(
    content: bytes, workspace: Workspace, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(content) - 1))
    assert refusal(content[:cut], workspace)
    changed = bytearray(content)
    changed[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    with suppress(PipelineError):
        assert unpack(bytes(changed)).state().status == "completed"
