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
    return sorted(path for path in root.rglob("*") if path.is_file())


def contents(root: Path) -> dict[str, bytes]:
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in all_files(root)}


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
    folder, there = make("a", "b"), make("b", "a")
    (folder.root / "ein Ordner" / "tief").mkdir(parents=True)
    (folder.root / "ein Ordner" / "tief" / "Größe (1) %20.json").write_text("{}")
    (there.root / "other").write_bytes(b"\0\n\r\n")
    for item in (folder, there, folder):
        item.sync()
    assert contents(folder.root) == contents(there.root)
    assert len(contents(folder.root)) == 2
    assert not folder.put()  # what was taken in is nobody's news
    assert not there.put()


def test_what_is_appended_travels_as_pieces(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirrored_folder, "LARGE_BYTES", 10)
    folder, there = make("a", "b"), make("b", "a")
    log = folder.root / "70_driver_log_0.txt"
    for text in ("half a li", "ne\nüber", " mehr als zehn Zeichen\n", "x" * 35):
        with log.open("a", encoding="utf-8") as file:
            file.write(text)
        folder.put()
        there.take()
        assert log.read_bytes().startswith(contents(there.root)[log.name])
    folder.put_all()
    there.take()
    assert contents(there.root) == contents(folder.root)
    # It goes on elsewhere, from where it was taken in.
    with (there.root / log.name).open("a") as file:
        file.write("on")
    there.put_all()
    folder.take()
    assert log.read_text(encoding="utf-8").endswith("xon")
    log.write_text("shorter")
    folder.put_all()
    there.take()
    assert contents(there.root)[log.name] == b"shorter"


def test_a_replaced_file_comes_whole_and_a_touch_is_told(make: Make) -> None:
    folder, there = make("a", "b"), make("b", "a")
    for text in ("first", "other", "a longer one", ""):
        (folder.root / ".new.tmp").write_text(text)
        os.replace(folder.root / ".new.tmp", folder.root / "told.json")
        folder.put()
        there.take()
        assert contents(there.root) == {"told.json": text.encode()}
    before = (there.root / "told.json").stat().st_mtime_ns
    (folder.root / "told.json").touch()
    folder.put()
    there.take()
    assert (there.root / "told.json").stat().st_mtime_ns != before


def test_of_a_large_file_the_last_one_alone_stays(
    make: Make, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirrored_folder, "LARGE_BYTES", 100)
    folder, there = make("a", "b", reports_removals=True), make("b", "a")
    for epoch in range(5):
        (folder.root / "weights.pt").write_bytes(bytes([epoch]) * 1000)
        folder.put()
    sizes = [item.num_bytes for item in opened(address).listed("steps/one/a")]
    assert sum(size == 1000 for size in sizes) == 1
    there.take()
    assert contents(there.root) == {"weights.pt": b"\4" * 1000}
    (folder.root / "weights.pt").unlink()
    folder.put()
    there.take()
    assert contents(there.root) == {}
    assert all(item.num_bytes < 1000 for item in opened(address).listed("steps/one/a"))


def test_who_comes_late_takes_in_everything(make: Make) -> None:
    folder = make("a", "b c")
    for number in range(7):
        (folder.root / f"{number}.json").write_text(str(number))
        with (folder.root / "events-0.jsonl").open("a") as file:
            file.write(f"{number}\n")
        folder.put()
    late = make("b", "a")
    late.sync()
    assert contents(late.root) == contents(folder.root)
    assert not late.put()


def test_a_successor_reads_on_and_puts_what_follows(make: Make, tmp_path: Path) -> None:
    """As a runner that was killed: the next one has the folder, and how far it had read."""
    state = tmp_path / "state.json"
    there = make("b", "a")
    for number in range(2):
        folder = make("a", "b", state_path=state, own_files=lambda: [tmp_path / "a" / "lease"])
        (folder.root / "lease").touch()
        with (there.root / "events-0.jsonl").open("a") as file:
            file.write(f"{number}\n")
        there.sync()
        folder.sync()
        there.sync()
    assert contents(folder.root) == contents(there.root)
    assert contents(folder.root)["events-0.jsonl"] == b"0\n1\n"


def test_who_sees_an_end_sees_all_that_came_before_it(make: Make, tmp_path: Path) -> None:
    def ends_first() -> list[Path]:
        ends = sorted((tmp_path / "a").glob("end-*"))
        (tmp_path / "a" / "result.json").write_text("made meanwhile")
        (tmp_path / "a" / "end-late").touch()
        return [*ends, *sorted((tmp_path / "a").glob("result*"))]

    folder, there = make("a", "", own_files=ends_first), make("b", "a")
    folder.put()
    there.take()
    assert list(contents(there.root)) == ["result.json"]
    folder.put()
    there.take()
    assert "end-late" in contents(there.root)


def test_what_an_end_follows_is_applied_before_it(make: Make, tmp_path: Path) -> None:
    (tmp_path / "end").mkdir()
    end, early = make("end", ""), make("early", "")
    (end.root / "end").touch()
    (early.root / "checkpoint").touch()
    for item in (early, end):
        item.put()
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
    others = [make(str(number), "") for number in range(5)]
    there = make("runner", "0 1 2 3 4")
    read = ObjectFiles.read

    def appends_meanwhile(self: ObjectFiles, name: str) -> bytes:
        if name.endswith("/0/00000000"):
            for other in (*others[1:], others[0]):
                (other.root / f"end-{other.root.name}").touch()
                other.put()
        return read(self, name)

    monkeypatch.setattr(ObjectFiles, "read", appends_meanwhile)
    there.take()
    assert set(contents(there.root)) == {f"end-{rank}" for rank in range(5)}
    ends = sorted(all_files(there.root), key=lambda file: file.stat().st_mtime_ns)
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
    folder = make("a", "")
    (folder.root / "x").write_text("x")
    monkeypatch.setattr(folder, "_name", lambda _: "../x")
    (tmp_path / "x").write_text("mine")
    folder.put()
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
    results, there = (participant(address, tmp_path / name, other) for name, other in ("ab", "ba"))
    monkeypatch.setattr(mirrored_folder, "UNREACHABLE_SECONDS", 0.0)
    with s3.running(port, "bucket"):
        (results.root / "before").touch()
        results.sync()
    (results.root / "meanwhile").write_text("x")
    for item in (results, there):
        with pytest.raises(ObjectStoreAwayError):
            item.sync()
        assert item.is_unreachable
    with s3.running(port, "bucket"):  # in memory: what was there is gone, what follows is not
        results.sync()
        assert [entry.name for entry in results.files.listed("steps/one")] == [
            "steps/one/a/00000001"
        ]


def test_a_put_that_arrived_unheard_is_not_put_twice(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, there = make("a", "b"), make("b", "a")
    create = ObjectFiles.create

    def unheard(self: ObjectFiles, name: str, content: bytes) -> bool:
        create(self, name, content)
        raise ObjectStoreAwayError("there", "cut")

    with (folder.root / "log.txt").open("w") as file:
        file.write("once")
    with monkeypatch.context() as patch:
        patch.setattr(ObjectFiles, "create", unheard)
        with pytest.raises(ObjectStoreAwayError):
            folder.put()
    with (folder.root / "log.txt").open("a") as file:
        file.write(" and on")
    folder.put_all()
    there.take()
    assert contents(there.root) == {"log.txt": b"once and on"}
    assert len(folder.files.listed("steps/one")) == 2


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
