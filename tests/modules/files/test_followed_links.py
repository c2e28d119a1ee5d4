"""Links out of a folder that are followed: only into allowed folders, and never without end."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from modules.context import Context
from modules.datasets.registered import register_dataset
from modules.errors import InvalidDatasetError
from modules.files import scanning
from modules.files.hashing import HashCache, content_hash, hash_folder
from modules.files.scanning import scan
from modules.files.workspace_folder import MADE_FOLDERS

Fill = Callable[..., Path]


def _paths(folder: Path, roots: tuple[Path, ...] | None) -> list[str]:
    return [file.path for file in scan(folder, allowed_roots=roots).files]


def test_only_allowed_targets_are_followed(fill: Fill) -> None:
    store, secret = fill({"a/1": b"1"}, "store"), fill({"2": b"2"}, "secret")
    folder = fill({"b/1": b"1"})
    (folder / "a").symlink_to(store / "a")
    (folder / "c").symlink_to(secret)
    (store / "a" / "d").symlink_to(secret)
    assert _paths(folder, ()) == ["b/1"]
    assert _paths(folder, (store,)) == ["a/1", "b/1"]
    assert _paths(folder, None) == ["a/1", "a/d/2", "b/1", "c/2"]
    tree = scan(folder, allowed_roots=(store,))
    assert tree.folder_links == {"c", "a/d"}
    assert tree.folders == ["a", "b"]


def test_cycles_end(fill: Fill) -> None:
    folder, other = fill({"a/1": b"1"}), fill({"x/2": b"2"}, "other")
    (folder / "other").symlink_to(other)
    (other / "back").symlink_to(folder)
    (other / "x" / "up").symlink_to(other)
    (folder / "above").symlink_to(folder.parent)
    (folder / "root").symlink_to("/")
    assert _paths(folder, None) == ["a/1", "other/x/2"]


def test_links_that_multiply_are_bounded(fill: Fill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "MAX_FOLLOWED", 20)
    folders = [fill({"1": b"1"}, f"level{number}") for number in range(6)]
    for here, there in pairwise(folders):
        for name in "abc":
            (here / name).symlink_to(there)
    tree = scan(folders[0], allowed_roots=None)
    assert len(tree.files) == 21
    assert tree.folder_links


def test_what_is_followed_counts_in_the_hash(fill: Fill, tmp_path: Path) -> None:
    store, folder = fill({"1": b"1"}, "store"), fill({"a/1": b"1"})
    (folder / "b").symlink_to(store)
    cache, context = HashCache(tmp_path / "hashes"), Context(folder)
    closed = Context(folder, allowed_roots=(folder,))
    first, without = content_hash(folder, cache, context=context), hash_folder(folder)
    assert first == hash_folder(folder, allowed_roots=None) != without
    assert content_hash(folder, cache, context=closed) == without
    (store / "1").write_bytes(b"2")
    assert content_hash(folder, cache, context=context) != first
    assert content_hash(folder, cache, context=closed) == without


def test_the_designers_own_files_are_not_followed(fill: Fill, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    for name in MADE_FOLDERS:
        (workspace / name / "1").mkdir(parents=True)
        (workspace / name / "1" / "file").write_bytes(b"1")
    (workspace / "token").write_text("secret")
    folder = fill({"a/1": b"1"})
    for name in ("runs", "datasets/1", "token"):
        (folder / name.replace("/", "-")).symlink_to(workspace / name)
    assert _paths(folder, None) == ["a/1", "datasets-1/file"]


def test_a_copy_has_what_links_lead_to(fill: Fill, tmp_path: Path) -> None:
    store, folder = fill({"1.png": None}, "store"), fill({"a/1.png": None})
    (folder / "b").symlink_to(store)
    datasets = tmp_path / "datasets"
    with pytest.raises(InvalidDatasetError, match="cannot be copied completely"):
        register_dataset(folder, "pets", datasets)
    register_dataset(folder, "pets", datasets, allowed_roots=None)
    copied = datasets / "pets" / "1"
    assert _paths(copied, ()) == ["a/1.png", "b/1.png"]
    assert not os.path.islink(copied / "b")
