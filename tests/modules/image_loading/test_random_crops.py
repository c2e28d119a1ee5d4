"""Random crops of files: JPEGs decoded straight into tensors, by either decoder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch
from PIL import Image

from modules.errors import InvalidDatasetError
from modules.image_loading import jpeg_regions
from modules.image_loading.decoders import choose_decoder
from modules.image_loading.decoding import open_rgb
from modules.image_loading.gpu_decoding import GpuDecodingImages
from modules.image_loading.jpeg import decode_plain, plain_size, resized
from modules.transforms.crop_boxes import CropBox
from tests.modules.image_loading.jpegs import OTHERS, PLAIN, crops, jpeg, mixed

ROOT = Path(__file__).parents[3]
SIZE = (45, 61)
WHOLE = CropBox(0, 0, *SIZE)
BOXES = (WHOLE, CropBox(3, 5, 20, 33), CropBox(44, 60, 1, 1), CropBox(17, 0, 28, 61))


def needs_codec() -> None:
    pytest.importorskip("nvidia.nvimgcodec", reason="decoding in part needs nvImageCodec")


@pytest.fixture(params=["in part", "in full"])
def _decoder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With nvImageCodec, and as where it is not installed."""
    if request.param == "in full":
        monkeypatch.setattr(jpeg_regions, "_codec", lambda: None)
    else:
        needs_codec()


@pytest.mark.usefixtures("_decoder")
@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_jpeg_has_the_pixels_that_pillow_gives_it(
    tmp_path: Path, name: str, box: CropBox
) -> None:
    path = tmp_path / "image.jpg"
    path.write_bytes(PLAIN[name])
    wrong = (path, (61, 45), box)
    pixels_HWC, none = decode_plain([(path, SIZE, box), wrong])
    assert none is None, "it is not what was recorded"
    assert pixels_HWC is not None
    left, top = box.left, box.top
    inside = open_rgb(path).crop((left, top, left + box.width, top + box.height))
    assert np.array_equal(pixels_HWC, np.asarray(inside))


@pytest.mark.usefixtures("_decoder")
@pytest.mark.parametrize("name", OTHERS)
def test_what_needs_interpretation_is_left_to_pillow(tmp_path: Path, name: str) -> None:
    path = tmp_path / "image.jpg"
    path.write_bytes(OTHERS[name])
    assert plain_size(memoryview(OTHERS[name])) is None
    assert decode_plain([(path, SIZE, WHOLE)]) == [None]
    assert decode_plain([(tmp_path / "missing.jpg", SIZE, WHOLE)]) == [None]


@pytest.mark.usefixtures("_decoder")
def test_damaged_pixels_are_left_to_pillow_too(tmp_path: Path) -> None:
    content = bytearray(jpeg())
    content[2:6] = b"\xff\xc4\x00\x03"
    path = tmp_path / "image.jpg"
    path.write_bytes(content)
    assert decode_plain([(path, SIZE, WHOLE)]) == [None]


@pytest.mark.usefixtures("_decoder")
def test_squares_lie_as_their_batch_does(tmp_path: Path) -> None:
    path = tmp_path / "image.jpg"
    path.write_bytes(jpeg())
    for box in BOXES:
        [pixels_HWC] = decode_plain([(path, SIZE, box)])
        assert pixels_HWC is not None
        assert resized(pixels_HWC, 24).is_contiguous()


def test_a_part_is_decoded_without_what_the_rest_takes() -> None:
    """Below its last row nothing is read: that is what makes a part faster than the whole."""
    needs_codec()
    content = np.frombuffer(jpeg(), np.uint8)
    damaged = content.copy()
    damaged[-60:-2] = 0
    top = CropBox(0, 0, 8, SIZE[1])
    assert decoded(damaged, top) == decoded(content, top)
    assert decoded(damaged, WHOLE) != decoded(content, WHOLE)


def decoded(content: npt.NDArray[np.uint8], box: CropBox) -> bytes:
    [inside] = jpeg_regions.decode_inside([content], [box])
    assert inside is not None
    return inside.tobytes()


def test_a_codec_that_cannot_be_used_is_done_without() -> None:
    """As where its libraries are of another kind of processor: the files are decoded in full."""
    script = (
        "import sys, types, numpy as np;"
        "from modules.image_loading.jpeg_regions import decode_inside;"
        "from modules.transforms.crop_boxes import CropBox;"
        "sys.modules['nvidia.nvimgcodec'] = types.ModuleType('nvidia.nvimgcodec');"
        "print(decode_inside([np.zeros(9, np.uint8)], [CropBox(0, 0, 8, 8)]))"
    )
    assert printed(script) == ("[None]\n", "")


def test_parts_are_decoded_in_silence() -> None:
    """Neither the codec's missing companions nor damaged files are told on standard error."""
    needs_codec()
    script = (
        "import numpy as np; from modules.image_loading.jpeg_regions import decode_inside;"
        "from modules.transforms.crop_boxes import CropBox;"
        "print(decode_inside([np.full(2000, 255, np.uint8)], [CropBox(0, 0, 8, 8)]))"
    )
    assert printed(script) == ("[None]\n", "")


def printed(script: str) -> tuple[str, str]:
    """What a fresh process prints, on standard output and on standard error."""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return done.stdout, done.stderr


def test_crops_of_jpegs_are_those_of_pillow(tmp_path: Path) -> None:
    images = crops(tmp_path, mixed())
    for seed in range(20):
        drawn = images.drawn(seed)
        squares_NHWC = drawn.read(range(len(images)))
        for index, square in enumerate(squares_NHWC):
            top, left, height, width = drawn.boxes([index])[0].tolist()
            whole = open_rgb(images.reader.files[index])
            box = whole.crop((left, top, left + width, top + height))
            expected = box.resize((24, 24), Image.Resampling.BILINEAR)
            difference = np.abs(square.astype(int) - np.asarray(expected))
            assert difference.mean() < 0.5
            assert difference.max() <= 2
    images.close()


def test_a_card_reads_the_same_batches(tmp_path: Path) -> None:
    images = crops(tmp_path, mixed())
    device = torch.device("cpu")
    for seed, indices in ((1, [5, 0, 3, 4, 2]), (2, [4, 5]), (3, [0, 1])):
        expected = torch.from_numpy(images.drawn(seed).read(indices)).int()
        read = GpuDecodingImages(images, device).drawn(seed).read(indices)
        assert (read - expected).abs().max() <= 1
    assert choose_decoder(images, device) is images, "there is no card here to measure"
    images.close()


def test_a_file_that_went_bad_is_named_by_either(tmp_path: Path) -> None:
    images = crops(tmp_path, {"good": jpeg(), "bad": jpeg()})
    path = images.reader.files[1]
    assert isinstance(path, Path)
    for content in (jpeg()[:-300], b"no image", b""):
        path.write_bytes(content)
        for each in (images, GpuDecodingImages(images, torch.device("cpu"))):
            with pytest.raises(InvalidDatasetError, match="bad can no longer be read"):
                each.read([0, 1])
    images.close()
