"""Files that are corrected in place: only the system's change time shows it."""

from __future__ import annotations

import os
import time
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from modules.context import Context
from modules.files.hashing import HashCache, content_hash, hash_folder, stat_fingerprint
from modules.operating_system.change_times import has_change_times

Fill = Callable[..., Path]
_Mount = namedtuple("_Mount", "mountpoint fstype")


def _correct_in_place(path: Path, content: bytes) -> None:
    """Other bytes with the same size, modification time and inode."""
    facts = path.stat()
    with path.open("r+b") as file:
        assert file.write(content) == facts.st_size
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert path.stat().st_ino == facts.st_ino


def _old(folder: Path) -> Path:
    """The folder with files that are too old to be read each time."""
    for path in folder.rglob("*"):
        os.utime(path, (1.7e9, 1.7e9))
    time.sleep(0.15)
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> HashCache:
    return HashCache(tmp_path / "hashes")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no change times: files are read")
def test_a_file_that_is_corrected_in_place_is_read_again(fill: Fill, cache: HashCache) -> None:
    folder = _old(fill({"cat/1": b"1", "cat/2": b"2"}))
    first, fingerprint = content_hash(folder, cache), stat_fingerprint(folder)
    _correct_in_place(folder / "cat/1", b"x")
    for _ in range(2):
        assert content_hash(folder, cache) == hash_folder(folder) != first
        time.sleep(0.15)
    assert stat_fingerprint(folder) == fingerprint


def test_a_single_file_that_is_corrected_in_place_is_read_again(
    fill: Fill, cache: HashCache
) -> None:
    archive = _old(fill({"images.tar": b"1"})) / "images.tar"
    first = content_hash(archive, cache)
    _correct_in_place(archive, b"2")
    assert content_hash(archive, cache) != first


def test_a_second_name_does_not_count_in_folders_of_this_program(
    fill: Fill, cache: HashCache
) -> None:
    folder = _old(fill({"a": b"1"}))
    content_hash(folder, cache, trust_young=True)
    _correct_in_place(folder / "a", b"2")  # seen if the file were read
    os.link(folder / "a", folder.parent / "second name")
    assert content_hash(folder, cache, trust_young=True) != hash_folder(folder)


def test_files_are_read_each_time_where_change_times_cannot_be_trusted(
    fill: Fill, cache: HashCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = [_Mount("/", "vfat")]
    monkeypatch.setattr(psutil, "disk_partitions", lambda **_: mounts)
    monkeypatch.setattr("modules.files.scanning.change_time", lambda facts: facts.st_mtime_ns)
    folder = _old(fill({"a": b"1"}))
    first = content_hash(folder, cache)
    _correct_in_place(folder / "a", b"2")
    assert content_hash(folder, cache) == hash_folder(folder) != first


def test_followed_folders_count_with_their_own_file_system(
    fill: Fill, cache: HashCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, folder = _old(fill({"1": b"1"}, "store")), fill({"a/1": b"1"})
    (folder / "b").symlink_to(store)
    mounts = [_Mount("/", "ext4"), _Mount(os.path.realpath(store), "fuse.sshfs")]
    monkeypatch.setattr(psutil, "disk_partitions", lambda **_: mounts)
    monkeypatch.setattr("modules.files.scanning.change_time", lambda facts: facts.st_mtime_ns)
    _old(folder)
    first = content_hash(folder, cache, context=Context(folder))
    _correct_in_place(store / "1", b"2")
    assert content_hash(folder, cache, context=Context(folder)) != first


@pytest.mark.skipif(os.name == "nt", reason="Windows has no change times")
def test_the_innermost_file_system_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = [_Mount("/", "ext4"), _Mount("/media/stick", "exfat"), _Mount("/media/x", "new")]
    monkeypatch.setattr(psutil, "disk_partitions", lambda **_: mounts)
    assert has_change_times(["/media/sticker/a", "/home"])
    assert not has_change_times(["/media/stick/a"])
    assert not has_change_times(["/home", "/media/x/y"])
