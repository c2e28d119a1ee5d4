"""Files that processes of one machine or several make together, within the limits of the cache."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from modules.artifacts import ImageDirectory
from modules.context import Context
from modules.files.locks import hold
from modules.image_loading.cache_limits import DECODED_SUFFIX, UNFINISHED_SUFFIX, CacheLimits
from modules.image_loading.datasets import DecodingImages, ImageSource, open_images
from modules.image_loading.decoded_cache import DecodedImages
from modules.image_loading.reader import Reader
from tests.modules.training.noise import noise_squares

NUM_IMAGES = 24
FILE_BYTES = NUM_IMAGES * 32 * 32 * 3


class Team:
    """Processes that gather values, as threads."""

    def __init__(self, size: int) -> None:
        self._barrier = threading.Barrier(size, timeout=120)
        self._values = [""] * size

    def gather(self, rank: int, value: str) -> list[str]:
        self._values[rank] = value
        self._barrier.wait()
        values = list(self._values)
        self._barrier.wait()
        return values

    def leave(self) -> None:
        self._barrier.abort()


class Member:
    """One process of a team."""

    def __init__(self, team: Team, rank: int) -> None:
        self._team, self._rank = team, rank

    def gather(self, value: str) -> list[str]:
        return self._team.gather(self._rank, value)


@contextmanager
def opened_by_all(
    dataset: ImageDirectory, folders: Sequence[Path], limits: CacheLimits | None = None
) -> Iterator[list[ImageSource]]:
    """The images as processes with these caches open them, each a simulated node of its own."""
    team = Team(len(folders))

    def open_as(rank: int) -> ImageSource:
        context = Context(
            folders[rank] / "staging",
            cache_dir=folders[rank],
            rank=rank,
            world_size=len(folders),
            node_count=len(folders),
            threads=1,
        )
        try:
            return open_images(dataset, (), context, Member(team, rank), limits)
        except BaseException:
            team.leave()
            raise

    with ThreadPoolExecutor(len(folders)) as pool, ExitStack() as closed:
        images = [*pool.map(open_as, range(len(folders)))]
        for each in images:
            closed.enter_context(closing(each))
        yield images


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The images that were decoded, however often."""
    read: Callable[[Reader, int], Any] = Reader.pixels
    places: list[int] = []

    def noted(self: Reader, index: int) -> Any:
        places.append(index)
        return read(self, index)

    monkeypatch.setattr(Reader, "pixels", noted)
    return places


@pytest.fixture
def dataset(tmp_path: Path) -> ImageDirectory:
    return noise_squares(tmp_path / "store/a/out")


def decoded_files(folder: Path) -> list[Path]:
    return [*folder.glob(f"*{DECODED_SUFFIX}")]


def equal(images: Sequence[ImageSource]) -> bool:
    pixels = [np.stack([*each.read(range(len(each)))]) for each in images]
    return all(np.array_equal(each, pixels[0]) for each in pixels)


def test_nodes_that_share_a_folder_decode_each_image_once(
    tmp_path: Path, dataset: ImageDirectory, decoded: list[int]
) -> None:
    with opened_by_all(dataset, [tmp_path / "cache"] * 3) as images:
        assert all(isinstance(each, DecodedImages) for each in images)
        assert sorted(decoded) == [*range(NUM_IMAGES)]
        assert len(decoded_files(tmp_path / "cache")) == 1
        assert not [*(tmp_path / "cache").glob(f"*{UNFINISHED_SUFFIX}")]
        assert equal(images)


def test_nodes_with_folders_of_their_own_each_make_the_file(
    tmp_path: Path, dataset: ImageDirectory, decoded: list[int]
) -> None:
    folders = [tmp_path / "one", tmp_path / "two", tmp_path / "two", tmp_path / "one"]
    with opened_by_all(dataset, folders) as images:
        assert sorted(decoded) == sorted([*range(NUM_IMAGES)] * 2)
        assert [len(decoded_files(folder)) for folder in folders] == [1, 1, 1, 1]
        assert equal(images)


def test_a_node_that_has_the_file_waits_for_the_one_that_has_not(
    tmp_path: Path, dataset: ImageDirectory, decoded: list[int]
) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    with opened_by_all(dataset, folders[:1]):
        inode = decoded_files(folders[0])[0].stat().st_ino
    decoded.clear()
    for having_it_first in (folders, folders[::-1]):
        with opened_by_all(dataset, having_it_first) as images:
            assert sorted(decoded) == [*range(NUM_IMAGES)]
            assert equal(images)
        decoded_files(folders[1])[0].unlink()
        decoded.clear()
    assert decoded_files(folders[0])[0].stat().st_ino == inode


def test_an_error_in_one_process_leaves_nothing_of_a_file(
    tmp_path: Path, dataset: ImageDirectory
) -> None:
    dataset.file_paths()[7].write_bytes(b"no image")
    with (
        pytest.raises((threading.BrokenBarrierError, ValueError)),
        opened_by_all(dataset, [tmp_path / "cache"] * 2),
    ):
        pass
    assert not [each for each in (tmp_path / "cache").iterdir() if each.is_file()]


def test_beside_files_in_use_there_is_no_room_beyond_the_limit(
    tmp_path: Path, dataset: ImageDirectory, capsys: pytest.CaptureFixture[str]
) -> None:
    cache, other = tmp_path / "cache", noise_squares(tmp_path / "store/b/out", seed=1)
    limits = CacheLimits(total_bytes=2 * FILE_BYTES - 1)
    with opened_by_all(dataset, [cache], limits) as in_use:
        with opened_by_all(other, [cache], limits) as images:
            assert isinstance(images[0], DecodingImages)
            assert equal([*images, *images])
        assert "DESIGNER_DECODED_GIB" in capsys.readouterr().out
        assert decoded_files(cache) == decoded_files(cache)[:1], (
            "the one in use, and no part of another"
        )
        assert not [*cache.glob(f"*{UNFINISHED_SUFFIX}")]
        assert len(in_use[0].read([3])) == 1
    with opened_by_all(other, [cache], limits) as images:
        assert isinstance(images[0], DecodedImages), "the other one is no longer in use"
    assert len(decoded_files(cache)) == 1


def test_what_others_are_about_to_write_counts(tmp_path: Path, dataset: ImageDirectory) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    with (cache / f"another{UNFINISHED_SUFFIX}").open("wb") as growing:
        hold(growing)
        growing.truncate(FILE_BYTES)
        with opened_by_all(dataset, [cache], CacheLimits(total_bytes=2 * FILE_BYTES - 1)) as images:
            assert isinstance(images[0], DecodingImages)
        with opened_by_all(dataset, [cache], CacheLimits(total_bytes=2 * FILE_BYTES)) as images:
            assert isinstance(images[0], DecodedImages)


def test_where_one_node_has_no_room_no_process_takes_a_file(
    tmp_path: Path, dataset: ImageDirectory
) -> None:
    full, free = tmp_path / "full", tmp_path / "free"
    full.mkdir()
    with (full / f"another{UNFINISHED_SUFFIX}").open("wb") as growing:
        hold(growing)
        growing.truncate(FILE_BYTES)
        limits = CacheLimits(total_bytes=FILE_BYTES)
        with opened_by_all(dataset, [free, full, free], limits) as images:
            assert all(isinstance(each, DecodingImages) for each in images)
        assert not decoded_files(free) + decoded_files(full)


def test_a_file_that_is_there_is_read_even_where_there_is_no_room_for_another(
    tmp_path: Path, dataset: ImageDirectory
) -> None:
    with opened_by_all(dataset, [tmp_path]):
        pass
    with opened_by_all(dataset, [tmp_path], CacheLimits(file_bytes=0)) as images:
        assert isinstance(images[0], DecodedImages)
