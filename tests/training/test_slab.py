"""Images decoded once: right, shared, bounded, never half-written."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from modules.context import Context
from modules.errors import InvalidDatasetError
from modules.images.cache import CacheLimits, make_room
from modules.images.slab import Slab
from modules.images.source import FreshImages, Images, final_size, open_images
from modules.ports import ImageDirectory
from modules.training.distributed import Group
from tests.training.noise import noise_squares

RESIZE = ({"operation": "resize", "size": 16},)


def _opened(
    dataset: ImageDirectory,
    folder: Path,
    operations: tuple[dict[str, object], ...] = (),
    limits: CacheLimits | None = None,
) -> Images:
    import torch

    context = Context(folder / "staging", cache_dir=folder / "cache", threads=2)
    group = Group(context, torch.device("cpu"))
    return open_images(dataset, operations, context, group, limits)


def test_a_slab_holds_the_files_pixels_in_order(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out", size=(20, 12))
    images = _opened(dataset, tmp_path)
    assert isinstance(images, Slab)
    assert images.size == (12, 20)
    for index, path in enumerate(dataset.file_paths()):
        assert np.array_equal(images.read([index])[0], np.asarray(Image.open(path)))
    images.close()


def test_it_is_reused_and_one_of_another_prefix_is_not(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    _opened(dataset, tmp_path).close()
    [slab] = (tmp_path / "cache").iterdir()
    inode = slab.stat().st_ino
    _opened(dataset, tmp_path).close()
    assert slab.stat().st_ino == inode
    resized = _opened(dataset, tmp_path, RESIZE)
    assert resized.size == (16, 16)
    assert len(list((tmp_path / "cache").iterdir())) == 2
    resized.close()


def test_a_truncated_slab_is_made_anew(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    first = _opened(dataset, tmp_path)
    pixels = first.read(range(len(first)))
    first.close()
    [slab] = (tmp_path / "cache").iterdir()
    slab.write_bytes(slab.read_bytes()[:-1])
    again = _opened(dataset, tmp_path)
    assert np.array_equal(again.read(range(len(again))), pixels)
    again.close()


def test_over_the_budget_images_are_decoded_as_needed_with_the_same_result(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    slab = _opened(dataset, tmp_path, RESIZE)
    fresh = _opened(dataset, tmp_path, RESIZE, CacheLimits(slab_bytes=10))
    assert isinstance(fresh, FreshImages)
    indices = [5, 0, 23, 5]
    assert np.array_equal(np.stack(list(fresh.read(indices))), slab.read(indices))
    fresh.close()
    slab.close()


def test_without_a_cache_nothing_stays_behind(tmp_path: Path) -> None:
    import torch

    dataset = noise_squares(tmp_path / "store/a/out")
    context = Context(tmp_path / "staging")
    images = open_images(dataset, (), context, Group(context, torch.device("cpu")))
    assert list(context.staging_dir.iterdir()) == []
    assert len(images.read([1, 2])) == 2
    images.close()


def test_an_image_that_went_bad_is_named_and_leaves_no_half_slab(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    dataset.file_paths()[7].write_bytes(b"no image")
    with pytest.raises(InvalidDatasetError, match=r"0007\.png"):
        _opened(dataset, tmp_path)
    assert list((tmp_path / "cache").iterdir()) == []
    assert not [each for each in threading.enumerate() if each.name.startswith("decode")]


def test_an_image_of_another_size_than_recorded_is_named(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    Image.new("RGB", (31, 32)).save(dataset.file_paths()[3])
    with pytest.raises(InvalidDatasetError, match=r"0003\.png"):
        _opened(dataset, tmp_path)


def test_old_slabs_make_room_but_never_one_in_use(tmp_path: Path) -> None:
    datasets = [noise_squares(tmp_path / f"store/{seed}/out", seed=seed) for seed in range(3)]
    slabs = [_opened(dataset, tmp_path) for dataset in datasets]
    for images in slabs[1:]:
        images.close()
    cache = tmp_path / "cache"
    assert len(list(cache.iterdir())) == 3
    (cache / "left-by-a-dead-process.part").write_bytes(b"x")
    make_room(cache, 100, CacheLimits(total_bytes=0))
    assert len(list(cache.iterdir())) == 1
    assert np.array_equal(
        slabs[0].read([0])[0], np.asarray(Image.open(datasets[0].file_paths()[0]))
    )
    slabs[0].close()


def test_unequal_sizes_are_refused_with_the_modules_that_cure_it(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out", sizes=((32, 32), (32, 48)))
    with pytest.raises(InvalidDatasetError) as caught:
        final_size(dataset, RESIZE, "training_dataset")
    assert caught.value.remedy == {
        "insert": ["init_image_transformation", "apply_image_transformation"]
    }
    assert "16 x 16" in caught.value.message
    crop = {"operation": "random_resized_crop", "size": 16, "scale": [0.5, 1], "ratio": [1, 1]}
    assert final_size(dataset, (crop,), "training_dataset") == (16, 16)


def test_the_budget_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESIGNER_DECODED_GIB", "0.5")
    assert CacheLimits.from_environment().slab_bytes == 2**29
    monkeypatch.setenv("DESIGNER_DECODED_GIB", "much")
    assert CacheLimits.from_environment() == CacheLimits()
