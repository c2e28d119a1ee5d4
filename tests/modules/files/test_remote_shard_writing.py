"""Shards that are made in an object store."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modules.datasets.registered import register_address, register_dataset, relocate_version
from modules.errors import InvalidDatasetError
from modules.files.object_folder import ObjectFolder
from modules.files.remote_shard_writing import write_shards_there
from modules.files.remote_shards import KeptIndex
from modules.files.shard_writing import MADE_OF, shard_of, write_shards
from modules.files.shards import INDEX, ShardIndex

FILES = {f"{name}/{number}.txt": name * 300 for name in ("cat", "robin") for number in range(3)}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        place = tmp_path / "source" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return tmp_path / "source"


@pytest.fixture
def make(there: ObjectFolder, source: Path, tmp_path: Path) -> Callable[..., ShardIndex]:
    def made(**more: Any) -> ShardIndex:
        try:
            return write_shards_there(source, there, tmp_path / "scratch", 3000, **more)
        finally:
            assert [*(tmp_path / "scratch").iterdir()] == [], "nothing is left over here"

    return made


def copies(there: ObjectFolder, tmp_path: Path) -> dict[str, bytes]:
    """What lies there, without the index, whose bytes may differ."""
    copy = tmp_path / "copy"
    found = {}
    for name in there.sizes():
        there.fetch(name, copy)
        found[name] = copy.read_bytes()
    found.pop(INDEX)
    return found


def test_they_are_those_that_a_folder_would_have(
    there: ObjectFolder, source: Path, make: Callable[..., ShardIndex], tmp_path: Path
) -> None:
    here = write_shards(source, tmp_path / "here", 3000)
    told: list[tuple[int, int]] = []
    made = make(tell=lambda *each: told.append(each))
    assert made.shards == here.shards
    assert made.rows.equals(here.rows)
    assert len(made.shards) > 1
    assert told == [(number, len(made.shards)) for number in range(len(made.shards) + 1)]
    found = copies(there, tmp_path)
    mark = found.pop(MADE_OF)
    assert found == {
        shard.name: (tmp_path / "here" / shard.name).read_bytes() for shard in here.shards
    }
    assert str(tmp_path).encode() not in mark, "where the images are here is nobody's business"


def test_a_second_time_puts_only_what_has_changed(
    there: ObjectFolder,
    source: Path,
    make: Callable[..., ShardIndex],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [shard.name for shard in make().shards]
    put: list[str] = []
    real = ObjectFolder.put

    def noting(self: ObjectFolder, path: Path, name: str) -> None:
        put.append(name)
        real(self, path, name)

    monkeypatch.setattr(ObjectFolder, "put", noting)
    make()
    assert put == [MADE_OF, INDEX]
    put.clear()
    (source / "robin" / "2.txt").write_text("another robin")
    there.remove(names[0])
    make()
    assert put == [MADE_OF, names[0], names[-1], INDEX]
    shutil.rmtree(source / "robin")
    assert [shard.name for shard in make().shards] == names[:1]
    assert there.sizes().keys() == {MADE_OF, INDEX, names[0]}


def test_one_that_is_cut_short_has_no_index_and_goes_on(
    there: ObjectFolder, make: Callable[..., ShardIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    make()

    def killed(path: Path) -> Any:
        if path.name == "shard-00001.tar":
            raise KeyboardInterrupt
        return shard_of(path)

    with monkeypatch.context() as patched:
        patched.setattr("modules.files.remote_shard_writing.shard_of", killed)
        with pytest.raises(KeyboardInterrupt):
            make()
    assert INDEX not in there.sizes()
    assert len(make().rows) == len(FILES)
    assert INDEX in there.sizes()


def test_what_does_not_come_back_as_it_was_put_is_told(
    there: ObjectFolder, make: Callable[..., ShardIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ObjectFolder.fetch

    def another(self: ObjectFolder, name: str, target: Path) -> None:
        real(self, name, target)
        target.write_bytes(target.read_bytes() + b"more")

    monkeypatch.setattr(ObjectFolder, "fetch", another)
    said = f"{there.place}/shard-00000.tar does not contain what was uploaded"
    with pytest.raises(InvalidDatasetError, match=said):
        make()
    assert INDEX not in there.sizes()


def test_others_objects_are_left_alone(
    there: ObjectFolder, source: Path, make: Callable[..., ShardIndex], tmp_path: Path
) -> None:
    there.put(source / "cat" / "0.txt", "shard-00000.tar")
    with pytest.raises(
        InvalidDatasetError, match=f"{there.place} contains other files: shard-00000"
    ):
        make()
    assert there.sizes() == {"shard-00000.tar": len("cat") * 300}
    there.remove("shard-00000.tar")
    make()
    other = tmp_path / "other"
    shutil.copytree(source, other)
    with pytest.raises(InvalidDatasetError, match=r"other files: \.made-of, shard-00000"):
        write_shards_there(other, there, tmp_path / "scratch")


@pytest.mark.usefixtures("there")
def test_a_place_without_a_bucket_is_told(source: Path, tmp_path: Path) -> None:
    nowhere = ObjectFolder.parse("s3://nobody-has-made-this/birds")
    with pytest.raises(InvalidDatasetError, match="s3://nobody-has-made-this/birds does not exist"):
        write_shards_there(source, nowhere, tmp_path / "scratch")


def move(there: ObjectFolder, spare: Path) -> ObjectFolder:
    """All that lies there goes to another address, and nothing stays."""
    moved = ObjectFolder.parse(f"{there.place}-moved")
    for name in there.sizes():
        there.fetch(name, spare)
        moved.put(spare, name)
        there.remove(name)
    return moved


def test_a_registered_version_goes_with_its_shards(
    there: ObjectFolder,
    make: Callable[..., ShardIndex],
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make()
    datasets, cache = tmp_path / "datasets", tmp_path / "cache"
    register_address(there, "birds", datasets, cache)
    moved, version = move(there, tmp_path / "moving"), datasets / "birds" / "1"
    fetched: list[str] = []
    fetch = ObjectFolder.fetch

    def noting(self: ObjectFolder, name: str, target: Path) -> None:
        fetched.append(name)
        fetch(self, name, target)

    monkeypatch.setattr(ObjectFolder, "fetch", noting)
    relocate_version(version, moved, cache)
    assert fetched == [INDEX], "no shard is read through"
    index = ShardIndex.of(version)
    assert index.folder == moved
    assert {path: index.member(path).read_bytes().decode() for path in FILES} == FILES
    (source / "cat" / "0.txt").write_text("a dog")
    others = ObjectFolder.parse(f"{there.place}-others")
    write_shards_there(source, others, tmp_path / "scratch")
    with pytest.raises(InvalidDatasetError, match="contain different images: 1 files differ"):
        relocate_version(version, others, cache)
    with pytest.raises(InvalidDatasetError, match=f"contains no {INDEX}"):
        relocate_version(version, there, cache)
    assert ShardIndex.of(version).folder == moved, "it stays as it was"
    register_dataset(source, "here", datasets)
    with pytest.raises(InvalidDatasetError, match="here@1 are stored in the workspace"):
        relocate_version(datasets / "here" / "1", moved, cache)


def test_shards_that_are_moved_to_another_place_are_read_there(
    there: ObjectFolder, make: Callable[..., ShardIndex], tmp_path: Path
) -> None:
    make()
    moved = move(there, tmp_path / "moving")
    read = ShardIndex.of(KeptIndex(moved, tmp_path / "cache").refresh())
    assert read.folder == moved
    assert {path: read.member(path).read_bytes().decode() for path in FILES} == FILES
    assert register_address(moved, "birds", tmp_path / "datasets", tmp_path / "cache") == 1
