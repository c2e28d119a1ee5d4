"""Shards of an object store on a machine: fetched once, compared; old ones go for new ones."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from modules.errors import InvalidDatasetError, ModuleOutOfMemoryError
from modules.files import shard_cache
from modules.files.object_folder import ObjectFolder
from modules.files.shard_cache import RemoteShard, ShardCache
from modules.files.shard_member import ShardMember

CONTENT = bytes(range(251)) * 4000
HIDDEN = 1000
"""Where a file is in the middle of it."""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store that is a folder."""
    (tmp_path / "store").mkdir()
    return tmp_path / "store"


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ShardCache]:
    """That of this process, which keeps two shards and a bit."""
    before = [*shard_cache._chosen]
    chosen = ShardCache(tmp_path / "machine" / "shards", 5 * len(CONTENT) // 2)
    shard_cache.choose(chosen)
    yield chosen
    shard_cache._chosen[:] = before


def put(store: Path, name: str = "a.tar", content: bytes = CONTENT) -> RemoteShard:
    (store / name).write_bytes(content)
    return RemoteShard(
        ObjectFolder("file", str(store)), name, len(content), sha256(content).hexdigest()
    )


def copies(cache: ShardCache) -> list[str]:
    """All but the locks."""
    return sorted(each.name for each in cache.folder.iterdir() if each.suffix != ".lock")


def member(shard: RemoteShard, content: bytes = CONTENT) -> ShardMember:
    part = content[HIDDEN : 2 * HIDDEN]
    return ShardMember(shard, HIDDEN, HIDDEN, sha256(part).hexdigest(), "1.png")


def test_a_shard_is_fetched_when_a_file_of_it_is_first_read(store: Path, cache: ShardCache) -> None:
    file = member(put(store))
    assert not cache.folder.exists()
    assert file.read_bytes() == CONTENT[HIDDEN : 2 * HIDDEN]
    (store / "a.tar").unlink()
    assert file.read_bytes() == CONTENT[HIDDEN : 2 * HIDDEN]
    assert len(copies(cache)) == 1


READER = """
import sys, time
from pathlib import Path
from modules.files import shard_cache
from modules.files.object_folder import ObjectFolder

store, folder, sha256 = sys.argv[1:]
fetch = ObjectFolder.fetch

def told(self, name, target):
    with open(store + "/fetched", "a") as file:
        file.write("once\\n")
    time.sleep(0.5)
    fetch(self, name, target)

ObjectFolder.fetch = told
shard_cache.choose(shard_cache.ShardCache(Path(folder)))
shard = shard_cache.RemoteShard(ObjectFolder("file", store), "a.tar", 1004000, sha256)
print("ready", flush=True)
sys.stdin.readline()
print(len(shard.open().read()), flush=True)
"""


def test_of_processes_that_need_a_shard_at_once_one_fetches_it(
    store: Path, cache: ShardCache
) -> None:
    shard = put(store)
    command = [sys.executable, "-c", READER, str(store), str(cache.folder), shard.sha256]
    pipe = subprocess.PIPE
    readers = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(3)]
    for reader in readers:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
    told = [reader.communicate("\n")[0] for reader in _released(readers)]
    assert told == [f"{len(CONTENT)}\n"] * 3
    assert (store / "fetched").read_text() == "once\n"


def _released(readers: list[subprocess.Popen[str]]) -> list[subprocess.Popen[str]]:
    for reader in readers:
        assert reader.stdin is not None
        reader.stdin.write("\n")
        reader.stdin.flush()
    return readers


KILLED = """
import os, signal, sys
from pathlib import Path
from modules.files import shard_cache
from modules.files.object_folder import ObjectFolder

def killed(self, name, target):
    with open(target, "wb") as file:
        file.write(bytes(500_000))
        file.flush()
        os.kill(os.getpid(), signal.SIGKILL)

ObjectFolder.fetch = killed
store, folder, sha256 = sys.argv[1:]
shard_cache.choose(shard_cache.ShardCache(Path(folder)))
shard_cache.RemoteShard(ObjectFolder("file", store), "a.tar", 1004000, sha256).open()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing there is killed by a signal")
def test_a_fetch_that_was_killed_leaves_no_shard_and_is_made_again(
    store: Path, cache: ShardCache
) -> None:
    shard = put(store)
    command = [sys.executable, "-c", KILLED, str(store), str(cache.folder), shard.sha256]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert [Path(each).suffix for each in copies(cache)] == [".tmp"]
    assert member(shard).read_bytes() == CONTENT[HIDDEN : 2 * HIDDEN]
    assert [Path(each).suffix for each in copies(cache)] == [".tar"]


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (CONTENT[:-1] + b"?", "does not match its index: it was changed in the store"),
        (CONTENT[:-7], "was received with 1,003,993 bytes instead of 1,004,000"),
        (None, "is no longer in the store"),
    ],
)
def test_what_is_not_what_the_index_says_is_not_kept(
    store: Path, cache: ShardCache, there: bytes | None, said: str
) -> None:
    shard = put(store)
    (store / "a.tar").unlink()
    if there is not None:
        (store / "a.tar").write_bytes(there)
    with pytest.raises(InvalidDatasetError, match=rf"a\.tar {said}"):
        member(shard).read_bytes()
    assert copies(cache) == []
    put(store)
    assert member(shard).read_bytes() == CONTENT[HIDDEN : 2 * HIDDEN]


def test_a_copy_that_a_disk_forgot_is_fetched_again(store: Path, cache: ShardCache) -> None:
    shard = put(store)
    shard.open().close()
    [name] = copies(cache)
    for damaged in (bytes(len(CONTENT)), CONTENT[:-5]):
        (cache.folder / name).write_bytes(damaged)
        assert member(shard).read_bytes() == CONTENT[HIDDEN : 2 * HIDDEN]
        assert (cache.folder / name).read_bytes() == CONTENT


def test_a_file_that_is_not_what_the_index_says_is_told_of_the_store(
    store: Path, cache: ShardCache
) -> None:
    del cache
    wrong = ShardMember(put(store), 0, HIDDEN, "0" * 64, "1.png")
    with pytest.raises(
        InvalidDatasetError, match=r"store/a\.tar has changed: the contents of 1\.png"
    ):
        wrong.read_bytes()


def test_what_was_used_longest_ago_goes_and_what_is_in_use_stays(
    store: Path, cache: ShardCache
) -> None:
    shards = [put(store, f"{number}.tar", bytes([number]) * len(CONTENT)) for number in range(4)]
    paths = []
    for age, shard in zip((4000, 9000), shards, strict=False):
        paths.append(cache.path(shard))
        os.utime(paths[-1], (time.time() - age,) * 2)
    cache.path(shards[0])  # its use counts, not when it came
    cache.path(shards[2])
    assert [path.exists() for path in paths] == [True, False]
    cache.path(shards[3])  # over the limit: all others were used a moment ago
    assert len(copies(cache)) == 3


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for one shard, and not for two."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1600k", "tmpfs", str(place)]
    if sys.platform != "linux" or subprocess.run(command, check=False).returncode:
        pytest.skip("needs the right to mount a disk")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_full_disk_is_told_unless_old_shards_can_go(store: Path, small_disk: Path) -> None:
    cache = ShardCache(small_disk / "shards")
    first, second = put(store), put(store, "b.tar", CONTENT[::-1])
    path = cache.path(first)
    with pytest.raises(ModuleOutOfMemoryError, match=r"disk that holds .*shards is full"):
        cache.path(second)
    assert copies(cache) == [path.name]
    os.utime(path, (time.time() - 4000,) * 2)
    assert cache.path(second).read_bytes() == CONTENT[::-1]
    assert len(copies(cache)) == 1


def test_a_folder_that_cannot_be_made_is_named(store: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidDatasetError, match=r"cannot be cached in .*file/shards: Not a dir"):
        ShardCache(tmp_path / "file" / "shards").path(put(store))
