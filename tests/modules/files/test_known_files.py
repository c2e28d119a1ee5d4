"""Files remembered by path, size, time and inode: one changed file of many is read alone.

Whether a file was read shows in its hash: one that was changed behind the back of its facts still
counts as what it was, unless it is read.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from modules.context import Context, Report
from modules.files import known_files, progress, scanning
from modules.files.hashing import HashCache, content_hash, hash_folder

Fill = Callable[..., Path]
FILES: dict[str, bytes | None] = {f"{label}/{n}": b"%d" % n for label in "ab" for n in range(5)}


@pytest.fixture(autouse=True)
def _same_change_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test can set a change time; what depends on it is in ``test_change_times``."""
    monkeypatch.setattr(scanning, "change_time", lambda _facts: 1)


@pytest.fixture
def folder(fill: Fill) -> Path:
    made = fill(FILES)
    age(made)
    return made


@pytest.fixture
def cache(tmp_path: Path) -> HashCache:
    return HashCache(tmp_path / "hashes")


def age(folder: Path, seconds: float = 100) -> None:
    then = time.time() - seconds
    for path in folder.rglob("*"):
        os.utime(path, (then, then))


def change_unseen(path: Path, content: bytes) -> None:
    """Other bytes with the same size, modification time and inode."""
    facts = path.stat()
    with path.open("r+b") as file:
        assert file.write(content) == facts.st_size
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))


def hash_with(folder: Path, path: str, content: bytes) -> str:
    """What the folder hashes to with that content in one file; the folder stays as it is."""
    before = (folder / path).read_bytes()
    change_unseen(folder / path, content)
    try:
        return hash_folder(folder)
    finally:
        change_unseen(folder / path, before)


def test_one_changed_file_is_read_alone(folder: Path, cache: HashCache) -> None:
    content_hash(folder, cache)
    change_unseen(folder / "a/1", b"x")
    (folder / "b/2").write_bytes(b"changed")
    assert content_hash(folder, cache) == hash_with(folder, "a/1", b"1")


@pytest.mark.parametrize("fact", ["time", "size", "inode", "path"])
def test_every_fact_counts(folder: Path, cache: HashCache, fact: str) -> None:
    content_hash(folder, cache)
    path, facts = folder / "a/1", (folder / "a/1").stat()
    if fact == "inode":
        (folder / "new").write_bytes(b"x")
        (folder / "new").replace(path)
    elif fact == "path":
        change_unseen(path, b"x")
        path.rename(folder / "a/renamed")
        path = folder / "a/renamed"
    else:
        path.write_bytes(b"x" if fact == "time" else b"xx")
    later = facts.st_mtime_ns + (fact == "time")
    os.utime(path, ns=(facts.st_atime_ns, later))
    assert content_hash(folder, cache) == hash_folder(folder)


def test_a_young_file_is_read_again_and_the_old_ones_are_not(
    folder: Path, cache: HashCache
) -> None:
    (folder / "b/young").write_bytes(b"1")
    content_hash(folder, cache)
    change_unseen(folder / "b/young", b"2")
    change_unseen(folder / "a/1", b"x")
    assert content_hash(folder, cache) == hash_with(folder, "a/1", b"1")


def test_what_was_broken_off_is_not_read_twice(
    folder: Path, cache: HashCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PROGRESS_SECONDS", 0.0)
    told: list[Report] = []

    def hear(event: Report) -> None:
        told.append(event)
        if event["unit"] == "files checked" and event["done"] == 7:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        content_hash(folder, cache, context=Context(folder, emit=hear))
    assert [each["total"] for each in told if each["unit"] == "files checked"] == [10] * 7
    change_unseen(folder / "a/1", b"x")
    change_unseen(folder / "b/4", b"y")
    assert content_hash(folder, cache) == hash_with(folder, "a/1", b"1")


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "zeros"])
def test_what_is_damaged_counts_as_nothing_known(
    folder: Path, cache: HashCache, damage: str
) -> None:
    content_hash(folder, cache)
    (path,) = cache.folder.glob("*.files")
    whole = path.read_bytes()
    half = len(whole) // 2
    flipped = whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1 :]
    damaged = {"cut": whole[:half], "flipped": flipped, "empty": b"", "zeros": bytes(len(whole))}
    path.write_bytes(damaged[damage])
    (folder / "b/2").write_bytes(b"changed")
    assert content_hash(folder, cache) == hash_folder(folder)


def test_it_stays_as_small_as_what_there_is(
    folder: Path, cache: HashCache, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    content_hash(folder, cache)
    (path,) = cache.folder.glob("*.files")
    size = path.stat().st_size
    for number in range(5):
        (folder / f"a/{number}").unlink()
    content_hash(folder, cache)
    assert path.stat().st_size < 0.7 * size
    monkeypatch.setattr(known_files, "MAX_FOLDERS", 2)
    for number in range(4):
        other = fill(FILES, f"other-{number}")
        age(other)
        content_hash(other, cache)
    assert len(list(cache.folder.glob("*.files"))) == 2
    assert not list(cache.folder.glob(".partial-*"))


def test_any_name_is_remembered(folder: Path, cache: HashCache) -> None:
    for name in (b"line\nbreak", b"\xff\xfe", b"blank at the end "):
        Path(os.fsdecode(os.fsencode(folder) + b"/a/" + name)).write_bytes(b"1")
    age(folder)
    content_hash(folder, cache)
    change_unseen(folder / "a/line\nbreak", b"x")
    (folder / "b/2").write_bytes(b"changed")
    assert content_hash(folder, cache) == hash_with(folder, "a/line\nbreak", b"1")
