"""A folder that participants keep equal through an object store: on a folder and on S3."""

from __future__ import annotations

import os
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pipelines.errors import ObjectStoreAwayError
from pipelines.store.objects import mirrored_folder
from pipelines.store.objects.mirrored_folder import MirroredFolder
from pipelines.store.objects.object_address import ObjectAddress
from pipelines.store.objects.object_files import ObjectFiles
from tests import s3

pytestmark = pytest.mark.extended

Make = Callable[..., MirroredFolder]


def all_files(root: Path) -> list[Path]:
    return sorted(each for each in root.rglob("*") if each.is_file())


def contents(root: Path) -> dict[str, bytes]:
    return {each.relative_to(root).as_posix(): each.read_bytes() for each in all_files(root)}


def opened(address: str) -> ObjectFiles:
    return ObjectFiles(ObjectAddress.parse(address))


def participant(address: str, root: Path, others: str, **more: Any) -> MirroredFolder:
    """One that is named as its folder is, and puts all that is in it."""
    root.mkdir(exist_ok=True)
    facts = {"own_files": lambda: all_files(root), **more}
    return MirroredFolder(
        opened(address), "steps/one", root.name, root, others=others.split(), **facts
    )


@pytest.fixture
def make(address: str, tmp_path: Path) -> Make:
    return lambda name, others, **more: participant(address, tmp_path / name, others, **more)


def test_each_has_what_the_others_made(make: Make) -> None:
    here, there = make("a", "b"), make("b", "a")
    (here.root / "ein Ordner" / "tief").mkdir(parents=True)
    (here.root / "ein Ordner" / "tief" / "Größe (1) %20.json").write_text("{}")
    (there.root / "other").write_bytes(b"\0\n\r\n")
    for each in (here, there, here):
        each.sync()
    assert contents(here.root) == contents(there.root)
    assert len(contents(here.root)) == 2
    assert not here.put()  # what was taken in is nobody's news
    assert not there.put()


def test_what_is_appended_travels_as_pieces(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirrored_folder, "LARGE_BYTES", 10)
    here, there = make("a", "b"), make("b", "a")
    log = here.root / "70_driver_log_0.txt"
    for text in ("half a li", "ne\nüber", " mehr als zehn Zeichen\n", "x" * 35):
        with log.open("a", encoding="utf-8") as file:
            file.write(text)
        here.put()
        there.take()
        assert log.read_bytes().startswith(contents(there.root)[log.name])
    here.put_all()
    there.take()
    assert contents(there.root) == contents(here.root)
    # It goes on elsewhere, from where it was taken in.
    with (there.root / log.name).open("a") as file:
        file.write("on")
    there.put_all()
    here.take()
    assert log.read_text(encoding="utf-8").endswith("xon")
    log.write_text("shorter")
    here.put_all()
    there.take()
    assert contents(there.root)[log.name] == b"shorter"


def test_a_replaced_file_comes_whole_and_a_touch_is_told(make: Make) -> None:
    here, there = make("a", "b"), make("b", "a")
    for text in ("first", "other", "a longer one", ""):
        (here.root / ".new.tmp").write_text(text)
        os.replace(here.root / ".new.tmp", here.root / "told.json")
        here.put()
        there.take()
        assert contents(there.root) == {"told.json": text.encode()}
    before = (there.root / "told.json").stat().st_mtime_ns
    (here.root / "told.json").touch()
    here.put()
    there.take()
    assert (there.root / "told.json").stat().st_mtime_ns != before


def test_of_a_large_file_the_last_one_alone_stays(
    make: Make, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirrored_folder, "LARGE_BYTES", 100)
    here, there = make("a", "b", reports_removals=True), make("b", "a")
    for epoch in range(5):
        (here.root / "weights.pt").write_bytes(bytes([epoch]) * 1000)
        here.put()
    sizes = [each.num_bytes for each in opened(address).listed("steps/one/a")]
    assert sum(size == 1000 for size in sizes) == 1
    there.take()
    assert contents(there.root) == {"weights.pt": b"\4" * 1000}
    (here.root / "weights.pt").unlink()
    here.put()
    there.take()
    assert contents(there.root) == {}
    assert all(each.num_bytes < 1000 for each in opened(address).listed("steps/one/a"))


def test_who_comes_late_takes_in_everything(make: Make) -> None:
    here = make("a", "b c")
    for number in range(7):
        (here.root / f"{number}.json").write_text(str(number))
        with (here.root / "events-0.jsonl").open("a") as file:
            file.write(f"{number}\n")
        here.put()
    late = make("b", "a")
    late.sync()
    assert contents(late.root) == contents(here.root)
    assert not late.put()


def test_a_successor_reads_on_and_puts_what_follows(make: Make, tmp_path: Path) -> None:
    """As a runner that was killed: the next one has the folder, and how far it had read."""
    state = tmp_path / "state.json"
    there = make("b", "a")
    for number in range(2):
        here = make("a", "b", state_path=state, own_files=lambda: [tmp_path / "a" / "lease"])
        (here.root / "lease").touch()
        with (there.root / "events-0.jsonl").open("a") as file:
            file.write(f"{number}\n")
        there.sync()
        here.sync()
        there.sync()
    assert contents(here.root) == contents(there.root)
    assert contents(here.root)["events-0.jsonl"] == b"0\n1\n"


def test_who_sees_an_end_sees_all_that_came_before_it(make: Make, tmp_path: Path) -> None:
    def ends_first() -> list[Path]:
        ends = sorted((tmp_path / "a").glob("end-*"))
        (tmp_path / "a" / "result.json").write_text("made meanwhile")
        (tmp_path / "a" / "end-late").touch()
        return [*ends, *sorted((tmp_path / "a").glob("result*"))]

    here, there = make("a", "", own_files=ends_first), make("b", "a")
    here.put()
    there.take()
    assert list(contents(there.root)) == ["result.json"]
    here.put()
    there.take()
    assert "end-late" in contents(there.root)


def test_what_an_end_follows_is_applied_before_it(make: Make, tmp_path: Path) -> None:
    (tmp_path / "end").mkdir()
    end, early = make("end", ""), make("early", "")
    (end.root / "end").touch()
    (early.root / "checkpoint").touch()
    for each in (early, end):
        each.put()
    there = make("b", "end early")
    there.take()
    times = [(there.root / name).stat().st_mtime_ns for name in ("checkpoint", "end")]
    assert times == sorted(times)


def test_rare_channels_are_read_where_another_has_told_something_and_now_and_then(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirrored_folder, "RARE_INTERVAL_SECONDS", 3600.0)
    rank, checkpoints = make("0", ""), make("0.checkpoint", "")
    there = make("runner", "0", rare=["0.checkpoint"])
    there.take()
    (checkpoints.root / "weights.pt").touch()
    checkpoints.put()
    there.take()
    assert contents(there.root) == {}
    (rank.root / "saved").touch()
    rank.put()
    there.take()
    assert set(contents(there.root)) == {"weights.pt", "saved"}
    times = [(there.root / name).stat().st_mtime_ns for name in ("weights.pt", "saved")]
    assert times == sorted(times)
    (checkpoints.root / "last.pt").touch()
    checkpoints.put()
    there.take()
    assert "last.pt" not in contents(there.root)
    monkeypatch.setattr(there, "_rare_at", 0.0)
    there.take()
    assert "last.pt" in contents(there.root)


def test_what_the_first_one_saw_of_the_rest_is_there_with_its_word(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest answer at the same time, and after it."""
    others = [make(str(each), "") for each in range(5)]
    there = make("runner", "0 1 2 3 4")
    read = ObjectFiles.read

    def tells_meanwhile(self: ObjectFiles, name: str) -> bytes:
        if name.endswith("/0/00000000"):
            for each in (*others[1:], others[0]):
                (each.root / f"end-{each.root.name}").touch()
                each.put()
        return read(self, name)

    monkeypatch.setattr(ObjectFiles, "read", tells_meanwhile)
    there.take()
    assert set(contents(there.root)) == {f"end-{rank}" for rank in range(5)}
    ends = sorted(all_files(there.root), key=lambda each: each.stat().st_mtime_ns)
    assert ends[-1].name == "end-0"


def test_a_look_at_what_is_not_there_is_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = s3.lacks()
    if missing:
        pytest.skip(missing)
    asked: list[str] = []

    class Empty(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.command} {self.path}")
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, *words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Empty) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        for name, value in s3.environment(server.server_port).items():
            monkeypatch.setenv(name, value)
        with pytest.raises(FileNotFoundError):
            opened("s3://bucket/prefix").read("steps/one/0/00000000")
        server.shutdown()
    assert asked == ["GET /bucket/prefix/steps/one/0/00000000"]


def test_nothing_is_written_outside(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = make("a", "")
    (here.root / "x").write_text("x")
    monkeypatch.setattr(here, "_name", lambda _: "../x")
    (tmp_path / "x").write_text("mine")
    here.put()
    there = make("b", "a")
    there.take()
    assert (tmp_path / "x").read_text() == "mine"
    assert contents(there.root) == {}


def test_an_unreachable_store_costs_time_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = s3.lacks()
    if missing:
        pytest.skip(missing)
    port = s3.free_port()
    for name, value in s3.environment(port).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    address = "s3://bucket/prefix"
    here, there = (participant(address, tmp_path / name, other) for name, other in ("ab", "ba"))
    monkeypatch.setattr(mirrored_folder, "UNREACHABLE_SECONDS", 0.0)
    with s3.running(port, "bucket"):
        (here.root / "before").touch()
        here.sync()
    (here.root / "meanwhile").write_text("x")
    for each in (here, there):
        with pytest.raises(ObjectStoreAwayError):
            each.sync()
        assert each.is_unreachable
    with s3.running(port, "bucket"):  # in memory: what was there is gone, what follows is not
        here.sync()
        assert [each.name for each in here.files.listed("steps/one")] == ["steps/one/a/00000001"]


def test_a_put_that_arrived_unheard_is_not_put_twice(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = make("a", "b"), make("b", "a")
    create = ObjectFiles.create

    def unheard(self: ObjectFiles, name: str, content: bytes) -> bool:
        create(self, name, content)
        raise ObjectStoreAwayError("there", "cut")

    with (here.root / "log.txt").open("w") as file:
        file.write("once")
    with monkeypatch.context() as patch:
        patch.setattr(ObjectFiles, "create", unheard)
        with pytest.raises(ObjectStoreAwayError):
            here.put()
    with (here.root / "log.txt").open("a") as file:
        file.write(" and on")
    here.put_all()
    there.take()
    assert contents(there.root) == {"log.txt": b"once and on"}
    assert len(here.files.listed("steps/one")) == 2


def test_a_successor_whose_first_put_failed_still_says_what_it_has_to_say(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    predecessor = make("a", "")
    (predecessor.root / "order.json").touch()
    predecessor.put()
    successor, there = make("a", "", own_files=lambda: [tmp_path / "a" / "over"]), make("b", "a")
    (tmp_path / "a" / "over").touch()

    def away(*_: object) -> bool:
        raise ObjectStoreAwayError("there", "cut")

    with monkeypatch.context() as patch:
        patch.setattr(ObjectFiles, "create", away)
        with pytest.raises(ObjectStoreAwayError):
            successor.put()
    successor.put()
    there.take()
    assert set(contents(there.root)) == {"order.json", "over"}
