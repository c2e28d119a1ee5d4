"""Names of datasets: what may be one, and which one a file gets."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from modules.datasets.dataset_names import check_name, free_name, is_name, name_of_file
from modules.datasets.registered import list_datasets, register_dataset
from modules.datasets.sources import DatasetSource, parse_source
from modules.errors import NotInRangeValueError

KAFER = "Käfer"


@pytest.mark.parametrize(
    ("file_name", "name"),
    [
        ("pets.zip", "pets"),
        ("my.data.v2.zip", "my.data.v2"),
        ("my.data.v2.tar.gz", "my.data.v2"),
        ("photos-2026.01", "photos-2026.01"),
        ("データ.zip", "データ"),
        ("кошки и собаки.tar", "кошки-и-собаки"),
        ("हिन्दी.zip", "हिन्दी"),
        (unicodedata.normalize("NFD", KAFER) + ".zip", KAFER),
        ("a@1:b.zip", "a-1-b"),
        (".hidden.zip", "hidden"),
        ("../../etc", "etc"),
        ("a\u202eb\x07c\u200d.zip", "a-b-c"),
        ("torchvision.zip", "dataset-torchvision"),
        ("---.zip", "dataset"),
        ("🐈.zip", "dataset"),
        ("猫" * 200 + ".zip", "猫" * 66),
        ("\udcff.zip", "dataset"),
    ],
)
def test_a_file_keeps_its_dots_and_letters(file_name: str, name: str) -> None:
    assert name_of_file(file_name) == name
    check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", ".a", "-a", "a/b", "a\\b", "a b", "a@2", "a:b", "a\0", "a\nb"),
        *("a\u202eb", "a\u200db", "torchvision", "TorchVision", "a" * 101, "猫" * 67, "\udcff"),
        unicodedata.normalize("NFD", KAFER),
    ],
)
def test_other_names_are_refused(name: str) -> None:
    assert not is_name(name)
    with pytest.raises(NotInRangeValueError, match="Invalid dataset name"):
        check_name(name)


def test_a_name_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    assert free_name("my", tmp_path / "none yet") == "my"
    for name in ("My", "my-2", "猫" * 66):
        (tmp_path / name).mkdir()
    assert free_name("my", tmp_path) == "my-3"
    assert free_name("other", tmp_path) == "other"
    assert is_name(free_name("猫" * 66, tmp_path))


def test_names_of_any_script_are_registered_and_read(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "1.png").write_bytes(b"1")
    register_dataset(tmp_path / "source", KAFER, tmp_path / "datasets")
    assert [each.name for each in list_datasets(tmp_path / "datasets")] == [KAFER]
    decomposed = unicodedata.normalize("NFD", KAFER)
    assert parse_source(f"dataset:{decomposed}@1") == DatasetSource(KAFER, 1)
