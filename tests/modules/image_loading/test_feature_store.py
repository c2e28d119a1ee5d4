"""The store of features: bounded, shared by processes, and never half written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from modules.files.bounded_files import UNUSED_SECONDS
from modules.files.locks import remove_unless_held
from modules.image_loading.cache_limits import GIB, UNFINISHED_SUFFIX
from modules.image_loading.feature_segments import segment_bytes
from modules.image_loading.feature_store import (
    LIMIT_VARIABLE,
    FeatureStore,
    stored_in_order,
    unneeded_files,
)
from tests.modules.image_loading.features import HASHES, ROWS, SHAPE

Floats = npt.NDArray[np.float32]


@pytest.fixture
def store(tmp_path: Path) -> FeatureStore:
    return FeatureStore(tmp_path, "a-key")


def add(store: FeatureStore, numbers: range) -> Path:
    """Store the features of some images in two blocks; return the new file."""
    before = {*store.folder.glob("*")}
    rows = ROWS[list(numbers)]
    store.add(SHAPE, [HASHES[number] for number in numbers], iter((rows[:2], rows[2:])))
    [added] = {*store.folder.glob("*")} - before
    return added


def found(store: FeatureStore) -> set[int]:
    segments, places = store.find(HASHES)
    for segment in segments:
        segment.close()
    return {HASHES.index(image) for image in places}


def test_rows_of_several_files_are_read_in_any_order(store: FeatureStore) -> None:
    assert (store.shape, found(store)) == (None, set())
    add(store, range(5))
    path = add(store, range(3, 12))
    assert path.stat().st_size == segment_bytes(SHAPE, 9)
    assert store.shape == SHAPE
    segments, places = store.find([*HASHES[2:12], HASHES[2]])
    features = stored_in_order(segments, places, [*HASHES[2:12], HASHES[2]])
    assert len(features) == 11
    assert np.array_equal(features.read([9, 10, 0, 1]), ROWS[[11, 2, 2, 3]])
    features.close()
    assert FeatureStore(store.cache_dir, "another-key").find(HASHES) == ([], {})


@pytest.mark.parametrize("damage", ["first row", "hash", "checksum", "cut off", "header", "empty"])
def test_damaged_rows_are_not_found(store: FeatureStore, damage: str) -> None:
    path = add(store, range(5))
    content = bytearray(path.read_bytes())
    rows, hashes = 256, 256 + 5 * 24
    at = {"first row": rows, "hash": hashes, "checksum": hashes + 5 * 32, "header": 3}
    if damage in at:
        content[at[damage]] ^= 1
    path.write_bytes(content[: {"cut off": -1, "empty": 0}.get(damage, len(content))])
    whole_file = damage in ("cut off", "header", "empty")
    assert found(store) == (set() if whole_file else {1, 2, 3, 4})
    assert unneeded_files(store.cache_dir) == ([path] if whole_file else [])


def test_nothing_is_visible_before_the_last_block(store: FeatureStore) -> None:
    def failing() -> Iterator[Floats]:
        yield ROWS[:3]
        assert found(store) == set()
        raise OSError("no space left on this disk")

    with pytest.raises(OSError, match="no space"):
        store.add(SHAPE, HASHES[:5], failing())
    assert [*store.folder.iterdir()] == []


KILLED = """
import os, signal, sys
from pathlib import Path
from modules.image_loading.feature_store import FeatureStore
from tests.modules.image_loading.features import HASHES, ROWS, SHAPE

def blocks():
    yield ROWS[:3]
    os.kill(os.getpid(), signal.SIGKILL)

FeatureStore(Path(sys.argv[1]), "a-key").add(SHAPE, HASHES[:5], blocks())
"""


def test_a_killed_process_leaves_no_half_entry(store: FeatureStore) -> None:
    add(store, range(2))
    killed = subprocess.run([sys.executable, "-c", KILLED, str(store.cache_dir)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert found(store) == {0, 1}
    [leftover] = store.folder.glob(f"*{UNFINISHED_SUFFIX}")
    assert remove_unless_held(leftover), "garbage collection removes it at once"
    add(store, range(2, 5))
    assert found(store) == {0, 1, 2, 3, 4}


def test_the_least_recently_used_files_make_room(
    store: FeatureStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    three = segment_bytes(SHAPE, 5) * 3
    monkeypatch.setenv(LIMIT_VARIABLE, str(three / GIB))
    paths = [add(store, range(first, first + 5)) for first in (0, 5, 10)]
    for age, path in enumerate(reversed(paths), start=1):
        os.utime(path, (time.time() - age,) * 2)
    segments, _ = store.find(HASHES[:1])  # counts as used now, and stays in use
    assert store.has_room(SHAPE, 5)
    assert [path.exists() for path in paths] == [True, False, True]
    assert not store.has_room(SHAPE, 15), "one in use is not removed"
    assert paths[0].exists()
    for segment in segments:
        segment.close()
    monkeypatch.setenv(LIMIT_VARIABLE, "0")
    assert not store.has_room(SHAPE, 1)


def test_garbage_collection_takes_what_was_long_unused_or_is_beyond_the_limit(
    store: FeatureStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, young = add(store, range(5)), add(store, range(5, 10))
    other = FeatureStore(store.cache_dir, "another-key")
    newest = add(other, range(5))
    os.utime(old, (time.time() - UNUSED_SECONDS - 60,) * 2)
    os.utime(young, (time.time() - 60,) * 2)
    assert unneeded_files(store.cache_dir) == [old]
    monkeypatch.setenv(LIMIT_VARIABLE, str(segment_bytes(SHAPE, 5) / GIB))
    assert {*unneeded_files(store.cache_dir)} == {old, young}
    segments, _ = store.find(HASHES)
    assert unneeded_files(store.cache_dir) == [newest], "the others are in use"
    for segment in segments:
        segment.close()
