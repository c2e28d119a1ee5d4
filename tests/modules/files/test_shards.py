"""Tar shards with an index: made, read in place, and refused where they are not what they say."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from modules.errors import InvalidDatasetError
from modules.files.shard_writing import index_shards, write_shards
from modules.files.shards import INDEX, Shard, ShardIndex, dataset_tree

FILES = {"cat/1.png": b"one", "cat/2.png": b"", "dog/1.png": b"x" * 2000, "dog/ü 2.png": b"four"}
SMALL = 1500

Fill = Callable[..., Path]


def contents(location: Path) -> dict[str, bytes]:
    tree = dataset_tree(location)
    return {each.path: tree.file(each.path).read_bytes() for each in tree.files}


def tar_of(place: Path, *members: tarfile.TarInfo | str) -> Path:
    place.parent.mkdir(exist_ok=True)
    with tarfile.open(place, "w") as tar:
        for each in members:
            member = tarfile.TarInfo(each) if isinstance(each, str) else each
            member.size = 5 if member.isreg() else 0
            tar.addfile(member, io.BytesIO(b"12345") if member.isreg() else None)
    return place.parent


def made_from(fill: Fill, tmp_path: Path) -> Path:
    write_shards(fill(FILES), tmp_path / "shards", SMALL)
    return tmp_path / "shards"


def test_shards_hold_what_the_folder_held(fill: Fill, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    source = fill({**FILES, ".DS_Store": b"junk"})
    index = write_shards(source, tmp_path / "shards", SMALL, lambda *each: told.append(each))
    assert contents(tmp_path / "shards") == FILES
    assert [each.name for each in index.shards] == [f"shard-0000{n}.tar" for n in range(3)]
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    with tarfile.open(
        tmp_path / "shards" / "shard-00002.tar"
    ) as tar:  # any tar's reader takes them
        assert tar.getnames() == ["dog/ü 2.png"]


def test_making_them_again_takes_up_what_changed_and_nothing_else(
    fill: Fill, tmp_path: Path
) -> None:
    folder = made_from(fill, tmp_path)
    before = {path.name: path.stat().st_ino for path in folder.glob("*.tar")}
    source = fill({**FILES, "dog/ü 2.png": b"other"})
    os.utime(source / "dog/ü 2.png", (1, 1))
    for path in FILES:
        if path != "dog/ü 2.png":
            os.utime(source / path)
    stale = folder / "shard-00009.tar"
    stale.write_bytes(b"of an earlier plan")
    (folder / "shard-00001.tar").write_bytes(b"cut off")
    write_shards(source, folder, SMALL)
    assert contents(folder) == {**FILES, "dog/ü 2.png": b"other"}
    assert not stale.exists()
    after = {path.name: path.stat().st_ino for path in folder.glob("*.tar")}
    assert after["shard-00002.tar"] != before["shard-00002.tar"]
    again = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.tar")}
    write_shards(source, folder, SMALL)
    assert {path.name: path.stat().st_mtime_ns for path in folder.glob("*.tar")} == again


KILLED = """
import os, signal, sys
from pathlib import Path
from modules.files.shard_writing import write_shards

def tell(done, _total):
    if done == 2:
        os.kill(os.getpid(), signal.SIGKILL)

write_shards(Path(sys.argv[1]), Path(sys.argv[2]), 1500, tell)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing there is killed by a signal")
def test_a_making_that_was_killed_leaves_no_set_and_is_taken_up(fill: Fill, tmp_path: Path) -> None:
    source, folder = fill(FILES), tmp_path / "shards"
    killed = subprocess.run([sys.executable, "-c", KILLED, source, folder], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not (folder / INDEX).exists()
    there = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.tar")}
    assert sorted(there) == ["shard-00000.tar", "shard-00001.tar"]
    write_shards(source, folder, SMALL)
    assert contents(folder) == FILES
    assert there.items() <= {p.name: p.stat().st_mtime_ns for p in folder.glob("*.tar")}.items()


def test_shards_go_only_where_nothing_else_is(fill: Fill, tmp_path: Path) -> None:
    source = fill(FILES)
    with pytest.raises(InvalidDatasetError, match="is inside the folder of the images"):
        write_shards(source, source / "shards")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    with pytest.raises(InvalidDatasetError, match=r"contains other files: thesis\.tex"):
        write_shards(source, tmp_path / "mine")
    (source / "link").symlink_to("/etc")
    with pytest.raises(InvalidDatasetError, match=r"link is a link .* Replace symbolic links"):
        write_shards(source, tmp_path / "shards")
    assert not (tmp_path / "shards").exists()


def test_shards_of_others_are_not_made_anew(fill: Fill, tmp_path: Path) -> None:
    """Their names may be the same: those of tars that somebody keeps, or of another folder."""
    source, theirs = fill(FILES), tar_of(tmp_path / "theirs" / "shard-00000.tar", "a/1.png")
    tar_of(theirs / "shard-00009.tar", "b/1.png")
    index_shards(theirs)
    for folder in (theirs, made_from(fill, tmp_path)):
        other = source if folder == theirs else tmp_path / "elsewhere"
        other.mkdir(exist_ok=True)
        (other / "1.png").write_bytes(b"1")
        before = {each.name: each.read_bytes() for each in folder.iterdir()}
        with pytest.raises(InvalidDatasetError, match="other files"):
            write_shards(other, folder)
        assert {each.name: each.read_bytes() for each in folder.iterdir()} == before


def test_tars_that_are_there_get_an_index_and_stay_as_they_are(tmp_path: Path) -> None:
    folder = tar_of(tmp_path / "tars" / "a.tar", "./cat/1.png", "x" * 120 + "/2.png")
    tar_of(folder / "b.tar", "cat/3.png")
    before = (folder / "a.tar").read_bytes()
    index_shards(folder)
    assert set(contents(folder)) == {"cat/1.png", "x" * 120 + "/2.png", "cat/3.png"}
    assert set(contents(folder).values()) == {b"12345"}
    assert (folder / "a.tar").read_bytes() == before


def link(name: str, kind: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, "/etc/passwd"
    return member


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ([link("a.png", tarfile.SYMTYPE)], "'a.png' is a link"),
        (["b.png", link("a.png", tarfile.LNKTYPE)], "'a.png' is a link"),
        ([link("a.png", tarfile.CHRTYPE)], "'a.png' is a device"),
        (["/etc/passwd"], "'/etc/passwd' is an absolute path"),
        (["cat/../../1.png"], "is a path that leads out"),
        (["cat\\..\\..\\1.png"], "is a path that leads out"),
        (["."], "not a usable name"),
        (["a.png", "./a.png"], "contain 'a.png' twice"),
    ],
)
def test_tars_that_lead_elsewhere_get_no_index(
    tmp_path: Path, members: list[tarfile.TarInfo | str], said: str
) -> None:
    folder = tar_of(tmp_path / "tars" / "a.tar", *members)
    with pytest.raises(InvalidDatasetError, match=said):
        index_shards(folder)
    assert [each.name for each in folder.iterdir()] == ["a.tar"]


def test_tars_that_are_cut_off_compressed_or_absent_get_no_index(tmp_path: Path) -> None:
    folder = tar_of(tmp_path / "tars" / "a.tar", "a.png", "b.png")
    whole = (folder / "a.tar").read_bytes()
    for length in (700, 1024, 1600, 2048):
        (folder / "a.tar").write_bytes(whole[:length])
        with pytest.raises(InvalidDatasetError, match="damaged or truncated"):
            index_shards(folder)
    (folder / "a.tar").unlink()
    with tarfile.open(folder / "b.tar", "w:gz") as tar:
        tar.addfile(tarfile.TarInfo("a.png"))
    with pytest.raises(InvalidDatasetError, match="is compressed"):
        index_shards(folder)
    (folder / "b.tar").unlink()
    with pytest.raises(InvalidDatasetError, match="contains no tar files"):
        index_shards(folder)


def test_a_shard_that_is_gone_or_cut_is_named_before_anything_is_read(
    fill: Fill, tmp_path: Path
) -> None:
    folder = made_from(fill, tmp_path)
    shard = folder / "shard-00001.tar"
    shard.write_bytes(shard.read_bytes()[:-512])
    with pytest.raises(InvalidDatasetError, match=r"shard-00001\.tar has .* truncated or changed"):
        dataset_tree(folder)
    shard.unlink()
    with pytest.raises(InvalidDatasetError, match=r"shard-00001\.tar was not found"):
        dataset_tree(folder)
    shard.symlink_to("/etc/hostname")  # leads out of the folder
    with pytest.raises(InvalidDatasetError, match=r"shard-00001\.tar was not found"):
        dataset_tree(folder)


def test_a_shard_that_changed_under_its_name_is_named_when_it_is_read(
    fill: Fill, tmp_path: Path
) -> None:
    folder = made_from(fill, tmp_path)
    tree = dataset_tree(folder)
    shard = folder / "shard-00001.tar"
    content = bytearray(shard.read_bytes())
    content[600] ^= 1
    shard.write_bytes(content)
    with pytest.raises(InvalidDatasetError, match=r"has changed: the contents of 1\.png"):
        tree.file("dog/1.png").read_bytes()
    shard.unlink()
    with pytest.raises(InvalidDatasetError, match="cannot be read: No such file"):
        tree.file("dog/1.png").read_bytes()


def changed(folder: Path, name: str, value: object) -> None:
    index = ShardIndex.read(folder)
    column = list(index.rows[name])
    column[0] = value
    rows = index.rows.assign(**{name: column})
    ShardIndex(folder, index.shards, rows).write(folder)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("shard", 3, "refers to a shard that it does not list"),
        ("shard", -1, "refers to a shard that it does not list"),
        ("offset", -512, "is outside of its shard"),
        ("offset", 2**62, "is outside of its shard"),
        ("num_bytes", 2**40, "is outside of its shard"),
        ("num_bytes", -1, "is outside of its shard"),
        ("path", "../../etc/passwd", "leads out"),
        ("path", "/etc/passwd", "an absolute path"),
        ("path", "cat//1.png", "is not a valid file path"),
        ("path", "dog/1.png", "is listed twice"),
    ],
)
def test_an_index_that_does_not_fit_its_shards_is_refused(
    fill: Fill, tmp_path: Path, column: str, value: object, said: str
) -> None:
    folder = made_from(fill, tmp_path)
    changed(folder, column, value)
    with pytest.raises(InvalidDatasetError, match=said):
        dataset_tree(folder)


def test_an_index_with_wrong_offsets_gives_no_other_bytes(fill: Fill, tmp_path: Path) -> None:
    folder = made_from(fill, tmp_path)
    changed(folder, "offset", 0)
    with pytest.raises(InvalidDatasetError, match="do not match its index"):
        contents(folder)


def test_an_index_that_is_none_is_refused(fill: Fill, tmp_path: Path) -> None:
    folder = made_from(fill, tmp_path)
    whole = (folder / INDEX).read_bytes()
    pd.DataFrame({"path": ["a"]}).to_parquet(folder / "other.parquet")
    for content in (b"", b"PAR1", whole[:-9], (folder / "other.parquet").read_bytes()):
        (folder / INDEX).write_bytes(content)
        with pytest.raises(InvalidDatasetError, match="is damaged"):
            dataset_tree(folder)
    (folder / INDEX).write_bytes(whole)
    shutil.move(folder, tmp_path / "moved")  # shards are found beside their index
    assert contents(tmp_path / "moved") == FILES


@pytest.mark.parametrize("name", ["../outside.tar", "/etc/hostname", "a\\b.tar"])
def test_shards_lie_beside_their_index(fill: Fill, tmp_path: Path, name: str) -> None:
    folder = made_from(fill, tmp_path)
    index = ShardIndex.read(folder)
    shards = (Shard(name, 10_240), *index.shards[1:])
    ShardIndex(folder, shards, index.rows).write(folder)
    with pytest.raises(InvalidDatasetError, match="not the name of a shard"):
        dataset_tree(folder)
    ShardIndex(tmp_path, index.shards, index.rows).write(folder)
    with pytest.raises(InvalidDatasetError, match="its shards are not in the same folder"):
        dataset_tree(folder)
