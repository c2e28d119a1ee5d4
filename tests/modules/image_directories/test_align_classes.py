"""Align Classes: the classes of both in one order, nothing of only one, files where they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from modules.artifacts import AttachedTransformation, ImageDirectory
from modules.errors import InvalidDatasetError, NotLabeledDatasetError
from modules.image_directories.align_classes import AlignOutputs, align_classes
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import convert

Fill = Callable[..., Path]


def directory(fill: Fill, workplace: Workplace, name: str, *files: str) -> ImageDirectory:
    """An image directory of real files; their folders are their classes."""
    return convert(fill(dict.fromkeys(files), name), workplace)


def in_order(
    images: ImageDirectory, classes: Sequence[str], workplace: Workplace
) -> ImageDirectory:
    """The same images with the classes in another order, as a label table may list them."""
    attached = AttachedTransformation(({"operation": "resize", "size": 8},), "For training")
    rows = images.derive(workplace.context().new_folder()).images
    return ImageDirectory.write(workplace.context().new_folder(), rows, classes, attached)


def align(one: ImageDirectory, other: ImageDirectory, workplace: Workplace) -> AlignOutputs:
    """Both aligned; whatever comes out lists the same classes and has its files."""
    outputs: AlignOutputs = align_classes(one, other, workplace.context())
    first, second = outputs
    assert first.classes == second.classes
    for each in outputs:
        assert set(each.images["label"]) <= set(each.classes)
        assert all(path.is_file() for path in each.file_paths())
    return outputs


def test_classes_of_only_one_are_left_out_in_both_directions(
    fill: Fill, workplace: Workplace
) -> None:
    one = directory(fill, workplace, "one", "cat/1.png", "dog/1.png", "dog/2.png", "owl/1.png")
    other = directory(fill, workplace, "other", "ant/1.png", "cat/9.png", "owl/8.png", "owl/9.png")
    first, second = align(one, other, workplace)
    assert first.classes == ("cat", "owl")
    assert Counter(first.images["label"]) == {"cat": 1, "owl": 1}
    assert Counter(second.images["label"]) == {"cat": 1, "owl": 2}
    [warning] = workplace.warnings
    assert warning.startswith("3 images of ant, dog were left out")
    assert workplace.summary == "2 common classes, 5 of 8 images"


def test_equal_classes_lose_nothing_and_warn_of_nothing(fill: Fill, workplace: Workplace) -> None:
    one = directory(fill, workplace, "one", "cat/1.png", "dog/1.png")
    other = directory(fill, workplace, "other", "cat/2.png", "dog/2.png")
    first, second = align(one, other, workplace)
    assert (len(first.images), len(second.images)) == (2, 2)
    assert workplace.warnings == []


def test_the_order_is_that_of_the_first_and_transformations_stay(
    fill: Fill, workplace: Workplace
) -> None:
    files = ("cat/1.png", "dog/1.png", "owl/1.png")
    one = directory(fill, workplace, "one", *files)
    turned = in_order(directory(fill, workplace, "other", *files), ("owl", "dog", "cat"), workplace)
    assert align(one, turned, workplace)[1].classes == ("cat", "dog", "owl")
    first, second = align(turned, one, workplace)
    assert second.classes == ("owl", "dog", "cat")
    assert first.transformation == turned.transformation
    assert second.transformation is None


def test_files_of_one_name_in_both_keep_their_own_bytes(fill: Fill, workplace: Workplace) -> None:
    one = directory(fill, workplace, "one", "cat/1.png", "dog/1.png")
    other = directory(fill, workplace, "other", "ant/0.png", "cat/1.png", "dog/1.png")
    for before, after in zip((one, other), align(one, other, workplace), strict=True):
        kept = dict(zip(before.images["path"], before.file_paths(), strict=True))
        for path, file in zip(after.images["path"], after.file_paths(), strict=True):
            assert file.read_bytes() == kept[path].read_bytes()
            assert file.samefile(kept[path]), "no pixels are copied"


def test_names_that_only_look_alike_are_different_classes(fill: Fill, workplace: Workplace) -> None:
    one = directory(fill, workplace, "one", "Cat/1.png", "dog/1.png")
    other = directory(fill, workplace, "other", "cat/1.png", "dog/1.png")
    first, _ = align(one, other, workplace)
    assert first.classes == ("dog",)
    assert "Cat, cat" in workplace.warnings[0]
    assert "give their folders the same names" in workplace.warnings[0]


def test_nothing_in_common_and_no_labels_are_refused(fill: Fill, workplace: Workplace) -> None:
    cats = directory(fill, workplace, "cats", "cat/1.png", "lynx/1.png")
    dogs = directory(fill, workplace, "dogs", "dog/1.png", "fox/1.png")
    with pytest.raises(InvalidDatasetError, match="cat, lynx and dog, fox") as nothing:
        align(cats, dogs, workplace)
    assert nothing.value.port == "input_image_directory2"
    loose = directory(fill, workplace, "loose", "1.png", "2.png")
    with pytest.raises(NotLabeledDatasetError) as unlabelled:
        align(cats, loose, workplace)
    assert unlabelled.value.port == "input_image_directory2"
