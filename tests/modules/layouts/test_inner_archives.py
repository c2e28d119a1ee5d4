"""Archives in a dataset without images are unpacked with it, within the limits of the whole."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PIL import Image

from modules.datasets.registered import register_dataset
from modules.datasets.sources import readable
from modules.errors import InvalidDatasetError
from modules.image_directories.convert_to_image_directory import ConvertParameters
from modules.layouts.inner_archives import MAX_ARCHIVES, unpack_inner_archives
from tests.modules.conftest import Workplace, zipped
from tests.modules.image_directories.conversion import convert, labels

Fill = Callable[..., Path]


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of these files."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return memory.getvalue()


def picture(shade: int) -> bytes:
    memory = io.BytesIO()
    Image.new("RGB", (8, 8), (shade, 0, 0)).save(memory, "PNG")
    return memory.getvalue()


PARTS = {
    f"{part}.zip": packed(
        {
            f"{part}/{name}/{at}.png": picture(40 * shade + at)
            for shade, name in enumerate(("ant", "bee"), start=1)
            for at in range(at_first, at_first + 3)
        }
    )
    for part, at_first in (("train", 0), ("test", 10))
}
TRAIN = ConvertParameters(part="train")
NOISE = random.Random(1).randbytes(20_000)
BOTH_RATIOS_ALLOWED = packed({str(at): NOISE + bytes(2_000_000) for at in range(40)})
"""80 MB; packed again about 3,000 times smaller, in two steps of less than 200."""


@pytest.mark.parametrize("is_archive", [True, False])
def test_archives_of_parts_are_folders_of_parts(
    is_archive: bool, fill: Fill, tmp_path: Path
) -> None:
    folder = fill(PARTS)
    source = zipped(folder) if is_archive else folder
    assert register_dataset(source, "insects", tmp_path / "datasets") == 1
    version = tmp_path / "datasets" / "insects" / "1"
    assert sorted(path.name for path in version.iterdir()) == ["test", "train"]
    assert len(list(version.glob("t*/t*/ant/*.png"))) == 6
    assert sorted(path.name for path in folder.iterdir()) == ["test.zip", "train.zip"]


def test_convert_reads_them_too(fill: Fill, workplace: Workplace) -> None:
    archive = zipped(fill(PARTS))
    converted = convert(readable(str(archive), workplace.context()), workplace, TRAIN)
    assert set(labels(converted).values()) == {"ant", "bee"}


@pytest.mark.parametrize(
    "more",
    [
        {"cover.png": None},
        {"shards.parquet": b"an index"},
        {f"{'a' * at}.zip": packed({"a/1.png": b""}) for at in range(1, MAX_ARCHIVES)},
        {f"shard-{at}.zip": packed({"1.png": b"", "1.cls": b"0"}) for at in (1, 2)},
    ],
    ids=["an image", "an index of shards", "many", "numbered shards"],
)
def test_other_archives_remain_packed(more: Mapping[str, bytes | None], fill: Fill) -> None:
    folder = fill({**PARTS, **more})
    assert unpack_inner_archives(folder) == []
    assert (folder / "train.zip").is_file()


def test_a_name_that_is_in_use_remains_packed(fill: Fill) -> None:
    folder = fill({**PARTS, "test/readme.txt": b"Test images."})
    assert unpack_inner_archives(folder) == ["train.zip"]
    assert (folder / "test.zip").is_file()


@pytest.mark.parametrize(
    ("inner", "reason"),
    [
        (packed({"../train.png": b""}), "inner.zip is not safe"),
        (PARTS["train.zip"][:-40], "inner.zip is damaged or truncated"),
        (BOTH_RATIOS_ALLOWED, "inner.zip contains more than"),
    ],
    ids=["a path that leads out", "damaged", "too much for the size of the outer one"],
)
def test_nothing_remains_of_a_dataset_with_a_bad_one(
    inner: bytes, reason: str, tmp_path: Path
) -> None:
    outer = tmp_path / "outer.zip"
    outer.write_bytes(packed({"inner.zip": inner}))
    with pytest.raises(InvalidDatasetError, match=reason):
        register_dataset(outer, "outer", tmp_path / "datasets")
    assert list((tmp_path / "datasets").iterdir()) == []
