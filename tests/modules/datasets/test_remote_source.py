"""Datasets whose shards lie in an object store: listed by their index, read as they are needed."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import SHARDS_FILE, AnyDirectory, ImageDirectory
from modules.context import Context
from modules.datasets import remote_source
from modules.datasets.import_images import ImportParameters, import_images, resolve_source
from modules.datasets.registered import register_address, register_dataset
from modules.errors import InvalidDatasetError, NotInRangeValueError
from modules.files import shard_cache
from modules.files.object_folder import ObjectFolder
from modules.files.remote_shards import index_there
from modules.files.shard_cache import ShardCache
from modules.files.shard_writing import write_shards
from modules.files.shards import Shard, ShardIndex
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.image_directories.split_image_directory import SplitParameters, split_image_directory
from modules.image_loading.image_files import ImageFiles
from modules.scripts.execute_python_script import (
    ExecutePythonScriptParameters,
    execute_python_script,
)
from tests import s3
from tests.modules.conftest import Workplace
from tests.modules.image_directories.pictures import jpeg_bytes

pytestmark = pytest.mark.extended

FILES: dict[str, bytes | None] = {
    f"{name}/{number}.jpg": jpeg_bytes(number + len(name), (40, 30))
    for name in ("cat", "robin")
    for number in range(4)
}


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ShardCache]:
    """Where this machine keeps shards."""
    before = [*shard_cache._chosen]
    chosen = ShardCache(tmp_path / "machine" / "shards")
    shard_cache.choose(chosen)
    yield chosen
    shard_cache._chosen[:] = before


@pytest.fixture
def shards(fill: Callable[..., Path], tmp_path: Path) -> Path:
    write_shards(fill(FILES), tmp_path / "shards", 3000)
    assert len([*(tmp_path / "shards").glob("*.tar")]) > 2
    return tmp_path / "shards"


def put(there: ObjectFolder, shards: Path) -> None:
    for path in shards.iterdir():
        there.put(path, path.name)


def imported(source: str, context: Context) -> AnyDirectory:
    dataset = import_images(ImportParameters(source=source), context).dataset
    assert isinstance(dataset, AnyDirectory)
    return dataset


def converted(source: str, workplace: Workplace) -> ImageDirectory:
    context = workplace.context()
    given = imported(source, context)
    output = convert_to_image_directory(given, ConvertParameters(), context).output_image_directory
    assert isinstance(output, ImageDirectory)
    return output


def fetched(cache: ShardCache) -> int:
    return len([*cache.folder.glob("*.tar")])


def contents(images: ImageDirectory) -> dict[str, bytes]:
    files = ImageFiles(images)
    return {
        path: file.read_bytes() for path, file in zip(images.images["path"], files, strict=True)
    }


def test_images_are_read_where_they_are_and_only_as_they_are_needed(
    there: ObjectFolder, shards: Path, cache: ShardCache, workplace: Workplace
) -> None:
    put(there, shards)
    context = replace(workplace.context(), may_download=False)
    foreseen = resolve_source(there.place, context).forecast(context)
    assert (foreseen.num_images, foreseen.num_classes, foreseen.labeled) == (8, 2, True)
    dataset = imported(there.place, workplace.context())
    assert [path.name for path in dataset.location.iterdir()] == [SHARDS_FILE]
    assert fetched(cache) == 0
    images = converted(there.place, workplace)
    assert contents(images) == FILES
    assert fetched(cache) == len([*shards.glob("*.tar")])
    shutil.rmtree(cache.folder)
    part = split_image_directory(images, SplitParameters(), workplace.context())[0]
    [one, *_] = ImageFiles(part)
    assert one.read_bytes() in FILES.values()
    assert fetched(cache) == 1


def test_tars_in_a_store_get_their_index_there(
    there: ObjectFolder, shards: Path, cache: ShardCache, workplace: Workplace, tmp_path: Path
) -> None:
    for path in shards.glob("*.tar"):
        there.put(path, path.name)
    with pytest.raises(InvalidDatasetError, match=rf"{there.place} contains no shards.parquet"):
        converted(there.place, workplace)
    told: list[tuple[int, int]] = []
    made = index_there(there, tmp_path / "scratch", lambda *each: told.append(each))
    assert [*made.rows["path"]] == sorted(FILES)
    assert told[-1] == (len(made.shards),) * 2
    assert [*(tmp_path / "scratch").iterdir()] == []
    assert contents(converted(there.place, workplace)) == FILES
    assert fetched(cache) == len(made.shards)


def test_tars_that_lead_elsewhere_get_no_index_in_a_store(
    there: ObjectFolder, tmp_path: Path
) -> None:
    with pytest.raises(InvalidDatasetError, match="contains no tar files"):
        index_there(there, tmp_path / "scratch")
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        tar.addfile(tarfile.TarInfo("../../etc/passwd"))
    there.put(tmp_path / "a.tar", "a.tar")
    with pytest.raises(InvalidDatasetError, match=r"a\.tar is not safe: .* leads out"):
        index_there(there, tmp_path / "scratch")
    assert [*there.sizes()] == ["a.tar"]


def test_a_registered_dataset_keeps_the_index_of_its_time(
    there: ObjectFolder, shards: Path, cache: ShardCache, workplace: Workplace
) -> None:
    put(there, shards)
    datasets = workplace.root / "datasets"
    assert register_address(there, "birds", datasets, workplace.root / "cache") == 1
    assert [path.name for path in (datasets / "birds" / "1").iterdir()] == [SHARDS_FILE]
    assert fetched(cache) == 0
    assert contents(converted("dataset:birds", workplace)) == FILES
    copy = register_dataset(datasets / "birds" / "1", "copied", datasets)
    assert contents(converted(f"dataset:copied@{copy}", workplace)) == FILES


def test_an_index_that_changes_is_another_source(
    there: ObjectFolder, shards: Path, workplace: Workplace
) -> None:
    put(there, shards)
    context = workplace.context()
    source = resolve_source(there.place, context)
    before = source.fingerprint(context)
    assert source.fingerprint(context) == before
    index = ShardIndex.read(shards)
    ShardIndex(shards, index.shards, index.rows[1:]).write(shards)
    there.put(shards / SHARDS_FILE, SHARDS_FILE)
    assert source.fingerprint(context) != before
    assert resolve_source(there.place, context).forecast(context).num_images == 7


def test_a_shard_that_is_replaced_or_gone_is_named(
    there: ObjectFolder, shards: Path, cache: ShardCache, workplace: Workplace
) -> None:
    put(there, shards)
    images = converted(there.place, workplace)
    shutil.rmtree(cache.folder)
    whole = (shards / "shard-00001.tar").read_bytes()
    (shards / "shard-00001.tar").write_bytes(whole[:600] + b"?" + whole[601:])
    there.put(shards / "shard-00001.tar", "shard-00001.tar")
    with pytest.raises(
        InvalidDatasetError, match=r"birds/shard-00001\.tar does not match its index"
    ):
        contents(images)
    (shards / "shard-00001.tar").write_bytes(whole + b"more")
    there.put(shards / "shard-00001.tar", "shard-00001.tar")
    (workplace.root / "cache").rename(workplace.root / "away")
    with pytest.raises(InvalidDatasetError, match=r"shard-00001\.tar has .* bytes instead of"):
        converted(there.place, workplace)


@pytest.mark.parametrize("elsewhere", ["/etc", "s3://other-bucket/birds", "file:///etc"])
def test_an_index_speaks_of_the_shards_beside_it(
    there: ObjectFolder, shards: Path, workplace: Workplace, elsewhere: str
) -> None:
    index = ShardIndex.read(shards)
    place: Any = elsewhere.startswith("s3") and ObjectFolder.parse(elsewhere)
    ShardIndex(place or Path(elsewhere), index.shards, index.rows).write(shards)
    put(there, shards)
    with pytest.raises(InvalidDatasetError, match="its shards are not in the same folder"):
        imported(there.place, workplace.context())


@pytest.mark.parametrize("name", ["../a.tar", "some/a.tar", "a\\b.tar"])
def test_an_index_here_names_no_other_objects(
    there: ObjectFolder, shards: Path, workplace: Workplace, name: str
) -> None:
    index = ShardIndex.read(shards)
    hostile = (Shard(name, 10_240), *index.shards[1:])
    ShardIndex(there, hostile, index.rows).write(shards)
    with pytest.raises(InvalidDatasetError, match="not the name of a shard"):
        converted(f"file:{shards}", workplace)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("s3://", "Invalid address of an object store"),
        ("s3:/bucket/birds", "Invalid address of an object store"),
        ("s3:bucket", "Invalid address of an object store"),
        ("s3://me:secret@bucket/birds", "contains credentials or options"),
        ("s3://bucket/birds?key=secret", "contains credentials or options"),
        ("gs://me@bucket/birds#secret", "contains credentials or options"),
    ],
)
def test_what_is_no_address_is_refused_and_not_repeated(
    source: str, said: str, workplace: Workplace
) -> None:
    with pytest.raises(InvalidDatasetError, match=said) as caught:
        imported(source, workplace.context())
    assert "secret" not in str(caught.value)
    assert caught.value.parameter == "source"
    with pytest.raises(NotInRangeValueError):
        imported("memory://birds", workplace.context())


def test_a_store_that_is_away_is_told(
    there: ObjectFolder,
    shards: Path,
    workplace: Workplace,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(there, shards)
    images = converted(there.place, workplace)
    shutil.rmtree(shard_cache.chosen().folder, ignore_errors=True)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{s3.free_port()}")
    monkeypatch.setattr(remote_source, "LOOK_SECONDS", 0.1)
    with pytest.raises(InvalidDatasetError, match=rf"{there.place} does not respond") as caught:
        contents(images)
    assert s3.SECRET not in str(caught.value)
    elsewhere = resolve_source(f"{there.place}/unseen", workplace.context())
    context = replace(workplace.context(), may_download=False)
    assert elsewhere.forecast(context).num_images is None
    assert elsewhere.fingerprint(context).endswith("not fetched")


FILE_SIZES = """
def designer_main(images1, context):
    files = images1.file_paths()
    assert files == images1.file_paths()
    rows = images1.images.assign(label="bird")
    assert [each.stat().st_size for each in files] == [*rows["num_bytes"]]
    assert [each.name for each in files] == [each.split("/")[-1] for each in rows["path"]]
    return {"images": rows}
"""


def test_a_script_finds_files_of_images_in_shards(
    there: ObjectFolder, shards: Path, cache: ShardCache, workplace: Workplace
) -> None:
    put(there, shards)
    del cache
    for source in (f"file:{shards}", there.place):
        images = converted(source, workplace)
        parameters = ExecutePythonScriptParameters(code=FILE_SIZES)
        made = execute_python_script(parameters, workplace.context(), images1=images).images
        assert set(made.labels) == {"bird"}
        assert contents(made) == FILES
    assert not [*(workplace.root / "cache").glob(".partial-*")]
