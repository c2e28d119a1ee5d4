"""Event files are read while they grow, from the records that are whole and sound."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modules.scripts.intake.crc32c import crc32c
from modules.scripts.intake.event_folders import EventFolders
from modules.scripts.intake.metric_points import MetricPoints, PlottedPoint
from modules.scripts.intake.tensorboard_events import (
    MAX_RECORD_BYTES,
    DamagedEventFileError,
    EventFileTail,
)
from modules.sentences.sentence import Statement
from tests.modules.scripts.intake import event_file
from tests.modules.scripts.intake.event_file import event, simple, tensor, version, write

ALL = 2**30
NAME = "events.out.tfevents.1.host.7.0"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / NAME


def test_the_checksum_is_that_of_the_standard() -> None:
    assert crc32c(b"123456789") == 0xE3069283


@pytest.mark.parametrize(
    "value",
    [
        simple("loss", 0.5),
        tensor("loss", 0.5),
        tensor("loss", 0.5, "packed"),
        tensor("loss", 0.5, "one"),
        event_file.double("loss", 0.5),
    ],
    ids=["simple", "content", "packed", "one", "double"],
)
def test_a_scalar_is_read_in_every_form(path: Path, value: bytes) -> None:
    write(path, version(), event(3, value, event_file.text("note")), event(-1, value))
    assert EventFileTail(path).read(ALL) == [("loss", 3, 0.5), ("loss", -1, 0.5)]


def test_not_a_number_stays_one(path: Path) -> None:
    write(path, event(0, simple("loss", math.nan)), event(1, simple("loss", math.inf)))
    (_, _, first), (_, _, second) = EventFileTail(path).read(ALL)
    assert math.isnan(first)
    assert second == math.inf


def test_what_is_being_written_waits(path: Path) -> None:
    tail = EventFileTail(path)
    assert tail.read(ALL) == []
    whole = event(0, simple("loss", 1.0))
    for place in range(len(whole) - 1):
        write(path, whole[place : place + 1])
        assert tail.read(ALL) == []
    write(path, whole[-1:], event(1, simple("loss", 2.0)))
    assert [each.value for each in tail.read(ALL)] == [1.0, 2.0]
    assert tail.read(ALL) == []


def test_a_bounded_look_goes_on_where_it_ended(path: Path) -> None:
    write(path, *(event(step, simple("loss", step)) for step in range(50)))
    tail, found = EventFileTail(path), []
    while new := tail.read(100):
        assert len(new) < 5
        found += new
    assert [each.step for each in found] == list(range(50))


def test_pictures_are_passed_over(path: Path) -> None:
    picture = event_file.record(b"\0" * (MAX_RECORD_BYTES + 1))
    tail = EventFileTail(path)
    write(path, picture[:-1])
    assert tail.read(ALL) == []
    write(path, picture[-1:], event(4, simple("loss", 1.0)))
    assert tail.read(ALL) == [("loss", 4, 1.0)]


@pytest.mark.parametrize("place", [3, 9, 20, -2], ids=["length", "its checksum", "body", "end"])
def test_a_damaged_record_is_told(path: Path, place: int) -> None:
    damaged = bytearray(event(0, simple("loss", 1.0)))
    damaged[place] ^= 1
    write(path, event(0, simple("loss", 1.0)), bytes(damaged))
    with pytest.raises(DamagedEventFileError):
        EventFileTail(path).read(ALL)


@given(st.binary(max_size=60))
def test_whatever_a_record_holds_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("events") / NAME
    write(path, event_file.record(content), event_file.record(event_file.part(5, content)))
    with suppress(DamagedEventFileError):
        assert all(isinstance(each.value, float) for each in EventFileTail(path).read(ALL))


def followed(tmp_path: Path) -> tuple[EventFolders, MetricPoints, list[Statement]]:
    warnings: list[Statement] = []
    return EventFolders([tmp_path], warnings.append), MetricPoints(warnings.append), warnings


def test_the_folders_of_azure_pytorch_and_lightning_are_looked_into(tmp_path: Path) -> None:
    folders, points, _ = followed(tmp_path)
    for number, place in enumerate(["outputs/tb", "logs", "runs/a", "lightning_logs/version_0"]):
        write(tmp_path / place / NAME, event(number, simple(f"loss{number}", 1.0)))
    write(tmp_path / "data" / NAME, event(0, simple("elsewhere", 1.0)))
    assert folders.read(points, ALL, is_last=True) == 4
    assert [each.step for each in points.take()] == [0, 1, 2, 3]


def test_runs_of_the_same_names_are_told_apart(tmp_path: Path) -> None:
    folders, points, _ = followed(tmp_path)
    for name in ("train", "validation"):
        write(tmp_path / "logs" / name / NAME, event(0, simple("epoch_loss", 1.0)))
    for name in ("first", "second"):
        write(tmp_path / "runs" / name / NAME, event(0, simple("loss", 1.0)))
    folders.read(points, ALL, is_last=True)
    names = [each.name for each in points.take()]
    assert names == ["train/epoch_loss", "validation/epoch_loss", "loss", "second/loss"]


def test_what_was_written_before_does_not_count(tmp_path: Path) -> None:
    """Not even where it is copied in later, with the source."""
    folders, points, warnings = followed(tmp_path)
    path = tmp_path / "runs" / NAME
    write(path, version(at=event_file.BEFORE)[:-1])
    assert folders.read(points, ALL, is_last=True) == 0
    write(path, version(at=event_file.BEFORE)[-1:], event(0, simple("loss", 1.0)))
    assert folders.read(points, ALL, is_last=True) == 0
    write(path, event(1, simple("loss", 2.0)))
    folders.read(points, ALL, is_last=True)
    assert points.take() == [PlottedPoint("loss", 2.0, 1)]
    assert warnings == []


def test_a_file_may_go_and_another_one_come(tmp_path: Path) -> None:
    folders, points, warnings = followed(tmp_path)
    path = tmp_path / "runs" / NAME
    write(path, *(event(step, simple("loss", 1.0)) for step in range(3)))
    assert folders.read(points, ALL, is_last=True) == 3
    path.unlink()
    assert folders.read(points, ALL, is_last=True) == 0
    write(path, event(9, simple("loss", 1.0)))
    assert folders.read(points, ALL, is_last=True) == 1
    assert points.take()[-1].step == 9
    assert warnings == []


def test_a_damaged_file_is_told_of_once_and_the_others_go_on(tmp_path: Path) -> None:
    folders, points, warnings = followed(tmp_path)
    write(tmp_path / "runs" / "a" / NAME, b"no event file at all")
    write(tmp_path / "runs" / "b" / NAME, event(0, simple("loss", 1.0)))
    for _ in range(2):
        folders.read(points, ALL, is_last=True)
    assert [each.sentence.key for each in warnings] == ["event_file_damaged"]
    assert len(points.take()) == 1


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    folders, points, _ = followed(tmp_path)
    write(tmp_path / NAME, event(0, simple("secret", 1.0)))
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / NAME).symlink_to(tmp_path / NAME)
    assert folders.read(points, ALL, is_last=True) == 0
