"""Images decoded once: right, shared, bounded, never half-written."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from modules.artifacts import ImageDirectory
from modules.compute.distributed import ProcessGroup, process_group
from modules.context import Context
from modules.errors import InvalidDatasetError
from modules.image_loading.cache_limits import DECODED_SUFFIX, CacheLimits, make_room
from modules.image_loading.datasets import CroppedImages, DecodingImages, ImageSource, open_images
from modules.image_loading.decoded_cache import DecodedImages
from modules.image_loading.decoding import PIXELS_VERSION
from modules.image_loading.final_size import final_size
from modules.image_loading.reader import Reader
from modules.image_loading.sizes import Sizes
from modules.transforms.crop_boxes import CropBox
from modules.transforms.operations import Operations, draft_size_of_box
from tests.modules.compute.ranks import run_ranks
from tests.modules.training.noise import noise_squares

RESIZE = ({"operation": "resize", "size": 16},)


def _opened(
    dataset: ImageDirectory,
    folder: Path,
    operations: tuple[dict[str, object], ...] = (),
    limits: CacheLimits | None = None,
) -> ImageSource:
    import torch

    context = Context(folder / "staging", cache_dir=folder / "cache", threads=2)
    group = ProcessGroup(context, torch.device("cpu"))
    return open_images(dataset, operations, context, group, limits)


def test_decoded_images_are_the_files_pixels_in_order(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out", size=(20, 12))
    images = _opened(dataset, tmp_path)
    assert isinstance(images, DecodedImages)
    assert images.size == (12, 20)
    for index, path in enumerate(dataset.file_paths()):
        assert np.array_equal(images.read([index])[0], np.asarray(Image.open(path)))
    images.close()


def test_it_is_reused_and_one_of_another_prefix_is_not(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    _opened(dataset, tmp_path).close()
    [decoded] = (tmp_path / "cache").iterdir()
    inode = decoded.stat().st_ino
    _opened(dataset, tmp_path).close()
    assert decoded.stat().st_ino == inode
    resized = _opened(dataset, tmp_path, RESIZE)
    assert resized.size == (16, 16)
    assert len(list((tmp_path / "cache").iterdir())) == 2
    resized.close()


def test_pixels_that_an_earlier_version_made_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    monkeypatch.setattr("modules.image_loading.decoded_cache.PIXELS_VERSION", PIXELS_VERSION - 1)
    _opened(dataset, tmp_path).close()
    monkeypatch.undo()
    _opened(dataset, tmp_path).close()
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_a_truncated_file_is_made_anew(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    first = _opened(dataset, tmp_path)
    pixels = first.read(range(len(first)))
    first.close()
    [decoded] = (tmp_path / "cache").iterdir()
    decoded.write_bytes(decoded.read_bytes()[:-1])
    again = _opened(dataset, tmp_path)
    assert np.array_equal(again.read(range(len(again))), pixels)
    again.close()


def test_over_the_budget_images_are_decoded_as_needed_with_the_same_result(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    fresh = _opened(dataset, tmp_path, RESIZE, CacheLimits(file_bytes=10))
    decoded = _opened(dataset, tmp_path, RESIZE)
    assert isinstance(fresh, DecodingImages)
    assert isinstance(decoded, DecodedImages)
    indices = [5, 0, 23, 5]
    assert np.array_equal(np.stack(list(fresh.read(indices))), decoded.read(indices))
    fresh.close()
    decoded.close()


def test_without_a_cache_nothing_stays_behind(tmp_path: Path) -> None:
    import torch

    dataset = noise_squares(tmp_path / "store/a/out")
    context = Context(tmp_path / "staging")
    images = open_images(dataset, (), context, ProcessGroup(context, torch.device("cpu")))
    assert list(context.staging_dir.iterdir()) == []
    assert len(images.read([1, 2])) == 2
    images.close()


def test_an_image_that_went_bad_is_named_and_leaves_no_half_written_file(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    dataset.file_paths()[7].write_bytes(b"no image")
    threads = set(threading.enumerate())  # another test's may just be ending
    with pytest.raises(InvalidDatasetError, match=r"0007\.png"):
        _opened(dataset, tmp_path)
    assert list((tmp_path / "cache").iterdir()) == []
    begun = set(threading.enumerate()) - threads
    assert not [each for each in begun if each.name.startswith("decode")]


def test_an_image_of_another_size_than_recorded_is_named(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    Image.new("RGB", (31, 32)).save(dataset.file_paths()[3])
    with pytest.raises(InvalidDatasetError, match=r"0003\.png"):
        _opened(dataset, tmp_path)


def test_old_files_make_room_but_never_one_in_use(tmp_path: Path) -> None:
    datasets = [noise_squares(tmp_path / f"store/{seed}/out", seed=seed) for seed in range(3)]
    decoded = [_opened(dataset, tmp_path) for dataset in datasets]
    for images in decoded[1:]:
        images.close()
    cache = tmp_path / "cache"
    assert len(list(cache.iterdir())) == 3
    (cache / "left-by-a-dead-process.part").write_bytes(b"x")
    assert not make_room(cache, CacheLimits(total_bytes=0))
    assert len(list(cache.iterdir())) == 1
    assert np.array_equal(
        decoded[0].read([0])[0], np.asarray(Image.open(datasets[0].file_paths()[0]))
    )
    decoded[0].close()


def test_unequal_sizes_are_refused_with_the_modules_that_cure_it(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out", sizes=((32, 32), (32, 48)))
    with pytest.raises(InvalidDatasetError) as caught:
        final_size(dataset, RESIZE, "training_dataset")
    remedy = caught.value.remedy or {}
    assert remedy["insert"] == ["init_image_transformation", "apply_image_transformation"]
    assert remedy["parameters"] == {
        "init_image_transformation": {
            "resize": True,
            "size": 32,
            "center_crop": True,
            "crop_size": 32,
        }
    }
    assert "16 x 16" in caught.value.message
    crop = {"operation": "random_resized_crop", "size": 16, "scale": [0.5, 1], "ratio": [1, 1]}
    assert final_size(dataset, (crop,), "training_dataset") == (16, 16)


def test_the_budget_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESIGNER_DECODED_GIB", "0.5")
    assert CacheLimits.from_environment().file_bytes == 2**29
    monkeypatch.setenv("DESIGNER_DECODED_GIB", "much")
    assert CacheLimits.from_environment() == CacheLimits()


CROP = {"operation": "random_resized_crop", "size": 16, "scale": [0.2, 1], "ratio": [0.75, 4 / 3]}


def _cropped(
    folder: Path, sizes: Sequence[tuple[int, int]], prefix: Operations = ()
) -> ImageSource:
    import torch

    dataset = noise_squares(folder / "store/a/out", sizes=sizes)
    context = Context(folder / "staging", cache_dir=folder / "cache", threads=2)
    group = ProcessGroup(context, torch.device("cpu"))
    return open_images(dataset, prefix, context, group, random_operations=(CROP,))


def test_random_crops_are_made_while_decoding_and_depend_on_seed_and_image_alone(
    tmp_path: Path,
) -> None:
    images = _cropped(tmp_path, [(70, 50), (40, 90)])
    assert isinstance(images, CroppedImages)
    assert (images.size, images.num_random) == ((16, 16), 1)
    first, other = images.drawn(1), images.drawn(2)
    together = first.read([3, 0, 7])
    assert together[1].tolist() == first.read([0])[0].tolist()
    assert together.tolist() == images.drawn(1).read([3, 0, 7]).tolist()
    assert together.tolist() != other.read([3, 0, 7]).tolist()
    images.close()


def test_only_much_larger_images_are_decoded_anew_for_their_crops(tmp_path: Path) -> None:
    small = _cropped(tmp_path / "small", [(32, 32)])
    large = _cropped(tmp_path / "large", [(33, 32)])
    assert isinstance(small, DecodedImages)
    assert isinstance(large, CroppedImages)
    small.close()
    large.close()


@pytest.mark.parametrize("prefix", [(), ({"operation": "resize", "size": 40},)])
@pytest.mark.parametrize("index", range(4))
def test_a_box_is_what_pillow_crops_and_resizes(
    tmp_path: Path, prefix: Operations, index: int
) -> None:
    dataset = noise_squares(tmp_path / "store/a/out", sizes=[(70, 50), (40, 90)])
    reader = Reader.of(dataset, prefix)
    height, width = reader.output_sizes[index]
    box = CropBox(top=5, left=3, height=height - 9, width=width - 11)
    whole = Image.fromarray(reader.pixels(index))
    expected = whole.crop((3, 5, width - 8, height - 4)).resize((16, 16), Image.Resampling.BILINEAR)
    [square] = reader.cropped([index], [box], 16)
    assert np.array_equal(square, np.asarray(expected))


def test_of_a_photo_no_more_is_decoded_than_a_box_needs_with_the_same_picture(
    tmp_path: Path,
) -> None:
    dataset = noise_squares(tmp_path / "store/a/out", per_class=1)
    y, x = np.mgrid[0:1200, 0:1600]
    waves = np.stack([np.sin(x / 37), np.cos(y / 53), np.sin((x + y) / 71)], axis=-1)
    photo = Image.fromarray((waves * 100 + 128).astype(np.uint8))
    photo.save(dataset.file_paths()[0], format="JPEG", quality=90)
    reader = replace(
        Reader.of(dataset, ()),
        sizes=Sizes.of([(1200, 1600)]),
        output_sizes=Sizes.of([(1200, 1600)]),
    )
    box = CropBox(top=130, left=215, height=800, width=1000)
    expected = Image.open(dataset.file_paths()[0]).crop((215, 130, 1215, 930))
    expected = expected.resize((64, 64), Image.Resampling.BILINEAR)
    [ours] = reader.cropped([0], [box], 64)
    assert draft_size_of_box((800, 1000), 64, 1600, 1200) == (204, 192)
    assert np.abs(ours.astype(int) - np.asarray(expected)).mean() < 2


def decode_until_killed(rank: int, world_size: int, folder: Path) -> None:
    """Make a file with the others; the second process is killed in the middle of it."""
    context = Context(
        folder / "staging",
        cache_dir=folder / "cache",
        process_count_per_node=world_size,
        rank=rank,
        local_rank=rank,
        world_size=world_size,
        threads=1,
    )
    dataset = ImageDirectory(folder / "store/a/out")
    if rank == 1:
        reads = Reader.pixels

        def read_some(self: Reader, index: int) -> Any:
            if index > len(self) // 2:
                os.kill(os.getpid(), signal.SIGKILL)
            return reads(self, index)

        Reader.pixels = read_some  # type: ignore[method-assign]
    with process_group(context) as group:
        open_images(dataset, (), context, group)


@pytest.mark.extended
def test_a_process_killed_while_a_file_is_made_leaves_no_half_written_file(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    codes = run_ranks(decode_until_killed, 2, tmp_path)
    assert codes[1] == -signal.SIGKILL
    assert codes[0] != 0
    assert not list((tmp_path / "cache").glob(f"*{DECODED_SUFFIX}"))
    images = _opened(dataset, tmp_path)
    assert isinstance(images, DecodedImages)
    assert np.array_equal(images.read([20])[0], np.asarray(Image.open(dataset.file_paths()[20])))
    assert len(list((tmp_path / "cache").iterdir())) == 1, "leftovers are gone"
    images.close()
