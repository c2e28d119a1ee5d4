"""What image directories hold, told from their tables."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

from modules.artifacts import ImageDirectory
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection import images
from pipelines.inspection.artifact_info import facts_of
from pipelines.inspection.image_trace import image_facts
from pipelines.inspection.thumbnails import COLUMNS, EDGE, sheet
from tests.pipelines.inspection.conftest import HOSTILE


def test_the_counts_are_those_of_the_table(directory: ImageDirectory) -> None:
    overview = images.overview(directory.path)
    assert (overview.num_images, overview.num_unlabeled, overview.num_duplicates) == (6, 1, 1)
    assert dict(zip(overview.classes, overview.class_sizes, strict=True)) == {HOSTILE: 2, "b": 3}
    assert overview.num_skipped == 1
    assert overview.num_bytes == sum(path.stat().st_size for path in directory.file_paths())


def test_a_group_is_a_class_in_the_order_of_paths(directory: ImageDirectory) -> None:
    paths = list(directory.images["path"])
    of = {
        number: [paths[item] for item in images.group(directory.path, number)]
        for number in range(5)
    }
    assert of[1] == ["a/3.png", "a/x1.png"]
    assert of[2] == ["b/1.png", "b/2.png", "b/4.png"]
    assert of[3] == ["5.png"]
    assert of[0] == [*of[1], *of[2], *of[3]]
    assert of[4] == []


def test_sizes_duplicates_and_what_was_left_out(directory: ImageDirectory) -> None:
    sizes = images.sizes(directory.path)
    assert int(sizes["images"].sum()) == 6
    assert list(images.duplicates(directory.path)["path"]) == ["a/x1.png"]
    assert list(images.duplicates(directory.path)["same as"]) == ["b/1.png"]
    assert list(images.skipped(directory.path)["reason"]) == ["the file is truncated"]


@pytest.mark.parametrize(
    ("widths", "is_logarithmic"),
    [([28] * 5 + [30], False), ([100, 640, 641, 1999], False), ([1, 16, 500, 6000], True)],
)
def test_a_histogram_of_sizes_counts_every_image_once(
    widths: list[int], is_logarithmic: bool
) -> None:
    sizes = pd.DataFrame({"width": widths, "height": 1, "images": range(1, len(widths) + 1)})
    histogram = images.histogram(sizes, "width")
    assert histogram.is_logarithmic is is_logarithmic
    assert len(histogram.images) <= images.MOST_BINS
    assert histogram.smallest[0] <= min(widths) <= max(widths) <= histogram.largest[-1]
    assert [low - 1 for low in histogram.smallest[1:]] == list(histogram.largest[:-1])
    for low, high, count in zip(
        histogram.smallest, histogram.largest, histogram.images, strict=True
    ):
        inside = (sizes["width"] >= low) & (sizes["width"] <= high)
        assert count == sizes["images"][inside].sum()


def test_a_sheet_has_every_picture_in_its_place(directory: ImageDirectory) -> None:
    made = sheet(directory.path, [3, 0])
    assert [thumbnail.path for thumbnail in made.thumbnails] == ["a/x1.png", "b/1.png"]
    with Image.open(io.BytesIO(made.picture)) as picture:
        assert picture.size == (COLUMNS * EDGE, EDGE)
        second = picture.convert("RGBA").getpixel((EDGE + EDGE // 2, EDGE // 2))
        beyond = picture.convert("RGBA").getpixel((3 * EDGE, EDGE // 2))
    assert isinstance(second, tuple)
    assert abs(second[0] - ord("1")) < 12
    assert second[3] == 255
    assert isinstance(beyond, tuple)
    assert beyond[3] == 0


def test_a_picture_without_a_label_is_shown_and_followed(directory: ImageDirectory) -> None:
    [made] = sheet(directory.path, [5]).thumbnails
    assert (made.path, made.label, made.shown) == ("5.png", None, True)
    assert image_facts(directory.path, 5).label is None


def test_a_picture_that_is_gone_leaves_its_place_empty(directory: ImageDirectory) -> None:
    directory.file_paths()[1].unlink()
    made = sheet(directory.path, [0, 1])
    assert [thumbnail.shown for thumbnail in made.thumbnails] == [True, False]


def test_what_is_no_artifact_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableArtifactError, match="designer artifacts verify"):
        facts_of(tmp_path)
    with pytest.raises(UnreadableArtifactError, match="tables cannot be read"):
        images.overview(tmp_path)
