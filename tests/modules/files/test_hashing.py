"""Hashes of files and folders, and their cache."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from modules.errors import InvalidDatasetError
from modules.files import scanning
from modules.files.hashing import (
    HashCache,
    content_hash,
    hash_file,
    hash_folder,
    snapshot,
    stat_fingerprint,
)
from modules.files.scanning import scan

Fill = Callable[..., Path]


@pytest.fixture
def same_change_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test can set a change time; what depends on it is in ``test_change_times``."""
    monkeypatch.setattr(scanning, "change_time", lambda _facts: 1)


def _age(folder: Path, seconds: float = 100) -> None:
    then = time.time() - seconds
    for path in folder.rglob("*"):
        os.utime(path, (then, then))


def test_the_hash_of_a_folder_is_that_of_its_sorted_lines(fill: Fill) -> None:
    folder = fill({"b.txt": b"two", "a/x.txt": b"one"})
    digests = [hashlib.sha256(each).hexdigest().encode() for each in (b"one", b"two")]
    expected = hashlib.sha256(b"a/x.txt\0" + digests[0] + b"\nb.txt\0" + digests[1] + b"\n")
    assert hash_folder(folder) == expected.hexdigest()
    assert hash_file(folder / "b.txt") == digests[1].decode()


def test_names_and_contents_count_and_places_do_not(fill: Fill) -> None:
    files: dict[str, bytes | None] = {"a": b"1", "b": b"2"}
    first = hash_folder(fill(files))
    assert hash_folder(fill(files, "elsewhere")) == first
    assert hash_folder(fill({"a": b"2", "b": b"1"}, "swapped")) != first
    assert hash_folder(fill({"a": b"1", "c": b"2"}, "renamed")) != first
    assert hash_folder(fill({"x/a": b"1", "x/b": b"2"}, "deeper")) != first


def test_links_are_not_followed_out_of_the_folder(fill: Fill) -> None:
    outside = fill({"secret": b"s"}, "outside")
    folder = fill({"a": b"1"})
    (folder / "out").symlink_to(outside / "secret")
    (folder / "folder").symlink_to(outside)
    (folder / "nowhere").symlink_to(folder / "gone")
    (folder / "inside").symlink_to(folder / "a")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe")
    tree = scan(folder)
    assert [file.path for file in tree.files] == ["a", "inside"]
    assert dict(tree.passed_over) == {
        "out": "a link that leads out of the folder",
        "folder": "a link that leads out of the folder",
        "nowhere": "a link that leads nowhere",
        "loop": "a link to a folder",
        "pipe": "not a regular file",
    }
    before = hash_folder(folder)
    (outside / "secret").write_bytes(b"changed")
    assert hash_folder(folder) == before


def test_the_stat_fingerprint_sees_every_change(fill: Fill) -> None:
    folder = fill({"a": b"1", "b": b"2"})
    seen = {stat_fingerprint(folder)}
    (folder / "a").write_bytes(b"longer")
    seen.add(stat_fingerprint(folder))
    os.utime(folder / "a", (1, 1))
    seen.add(stat_fingerprint(folder))
    (folder / "a").rename(folder / "c")
    seen.add(stat_fingerprint(folder))
    facts = (folder / "b").stat()
    (folder / "new").write_bytes(b"3")
    (folder / "new").replace(folder / "b")
    os.utime(folder / "b", ns=(facts.st_atime_ns, facts.st_mtime_ns))
    seen.add(stat_fingerprint(folder))
    assert len(seen) == 5


@pytest.mark.usefixtures("same_change_time")
def test_a_cached_hash_is_used_only_while_nothing_changed(fill: Fill, tmp_path: Path) -> None:
    folder, cache = fill({"a": b"1"}), HashCache(tmp_path / "hashes")
    _age(folder)
    first = content_hash(folder, cache)
    assert first == hash_folder(folder)
    cache.put(folder.resolve(), snapshot(folder), "from the cache")
    assert content_hash(folder, cache) == "from the cache"
    (folder / "a").write_bytes(b"2")
    _age(folder, 50)
    assert content_hash(folder, cache) == hash_folder(folder) != first
    assert sorted(each.suffix for each in cache.folder.iterdir()) == [".files", ".json"]


@pytest.mark.usefixtures("same_change_time")
def test_young_files_are_never_trusted(fill: Fill, tmp_path: Path) -> None:
    folder, cache = fill({"a": b"1"}), HashCache(tmp_path / "hashes")
    cache.put(folder.resolve(), snapshot(folder), "from the cache")
    assert content_hash(folder, cache) == hash_folder(folder)
    cache.put(folder.resolve(), snapshot(folder, with_change_times=False), "from the cache")
    assert content_hash(folder, cache, trust_young=True) == "from the cache"
    _age(folder, -1000)  # From the future, as a wrong clock makes them.
    cache.put(folder.resolve(), snapshot(folder), "from the cache")
    assert content_hash(folder, cache) == hash_folder(folder)


@pytest.mark.usefixtures("same_change_time")
def test_a_damaged_cache_is_ignored(fill: Fill, tmp_path: Path) -> None:
    folder, cache = fill({"a": b"1"}), HashCache(tmp_path / "hashes")
    _age(folder)
    first = content_hash(folder, cache)
    for entry in (tmp_path / "hashes").iterdir():
        entry.write_bytes(b"\xff{")
    assert content_hash(folder, cache) == first


def test_what_cannot_be_read_is_0018(tmp_path: Path) -> None:
    for read in (hash_file, hash_folder, content_hash):
        with pytest.raises(InvalidDatasetError, match="cannot be read"):
            read(tmp_path / "gone")


def test_names_that_are_no_text_are_hashed(tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.png")).write_bytes(b"1")
    assert len(hash_folder(folder)) == len(stat_fingerprint(folder)) == 64
