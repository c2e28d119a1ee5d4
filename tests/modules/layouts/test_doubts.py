"""Datasets without images."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from modules.datasets.folder_summary import folder_summary

Fill = Callable[..., Path]


@pytest.mark.parametrize(
    ("files", "notice"),
    [
        (["a/train.rar"], "No images were found, but 1 archive inside: a/train.rar. Unpack it"),
        (["b.zip", "a.tar.gz"], "but 2 archives inside: a.tar.gz, b.zip. Unpack them"),
        (["data/0.parquet"], "No images were found. The only file is of another kind: data/0."),
        (["a/1.svg", "b/2.svg"], "The 2 files are of another kind: a/1.svg, b/2.svg."),
        ([".DS_Store"], "No files were found."),
    ],
)
def test_a_dataset_without_images_says_what_it_contains(
    files: list[str], notice: str, fill: Fill
) -> None:
    told = str(folder_summary(fill(dict.fromkeys(files, b"x"))).notice)
    assert notice in told
    assert "Name the columns" not in told
