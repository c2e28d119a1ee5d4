"""Split Image Directory: nothing lost, nothing twice, proportions, duplicates, seeds."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from modules.artifacts import ImageDirectory
from modules.errors import InvalidDatasetError, NotInRangeValueError
from modules.forecast import ArtifactForecast
from modules.image_directories.split_image_directory import SplitParameters, split_image_directory
from modules.image_directories.stratified_split import (
    StratifiedSplit,
    choose_first,
    largest_remainder,
)
from tests.modules.conftest import Workplace


def directory(
    workplace: Workplace, labels: Sequence[str | None], hashes: list[str] | None = None
) -> ImageDirectory:
    """An image directory with a manifest only: a split looks at nothing else."""
    count = len(labels)
    images = pd.DataFrame(
        {
            "path": [f"{number:06}.png" for number in range(count)],
            "label": pd.Series(list(labels), dtype="string"),
            "width": 8,
            "height": 8,
            "num_bytes": 100,
            "sha256": hashes or [f"{number:064x}" for number in range(count)],
            "source": "",
        }
    )
    classes = sorted({label for label in labels if label is not None})
    return ImageDirectory.write(workplace.context().new_folder(), images, classes)


def split(
    images: ImageDirectory, workplace: Workplace, fraction: float = 0.9, **parameters: object
) -> tuple[ImageDirectory, ImageDirectory]:
    values = {"fraction_of_images_in_the_first_output": fraction, **parameters}
    outputs = split_image_directory(images, SplitParameters(**values), workplace.context())  # type: ignore[arg-type]
    first, rest = outputs
    together = sorted([*first.images["path"], *rest.images["path"]])
    assert together == list(images.images["path"])
    assert first.classes == rest.classes == images.classes
    return first, rest


def test_the_default_is_nine_tenths_of_each_class(workplace: Workplace) -> None:
    images = directory(workplace, ["a"] * 100 + ["b"] * 50 + ["c"] * 10)
    first, rest = split(images, workplace)
    assert first.images["label"].value_counts().to_dict() == {"a": 90, "b": 45, "c": 9}
    assert rest.images["label"].value_counts().to_dict() == {"a": 10, "b": 5, "c": 1}
    assert set(first.images["source"]) == {images.reference}
    assert first.references == {images.reference}
    assert workplace.summary == "144 and 16 images"
    assert not workplace.warnings


def test_the_seed_decides(workplace: Workplace) -> None:
    images = directory(workplace, ["a", "b"] * 200)
    once, again, other = (
        list(split(images, workplace, random_seed=seed)[0].images["path"]) for seed in (1, 1, 2)
    )
    assert once == again != other


def test_totals_are_exact_and_classes_within_one(workplace: Workplace) -> None:
    sizes = {"a": 37, "b": 53, "c": 71, "d": 11}
    images = directory(workplace, [name for name, size in sizes.items() for _ in range(size)])
    for fraction in (0.1, 0.25, 0.5, 0.66, 0.8):
        first, _ = split(images, workplace, fraction)
        assert len(first.images) == floor(sum(sizes.values()) * fraction)
        for name, size in sizes.items():
            assert abs((first.images["label"] == name).sum() - size * fraction) < 1


def test_small_classes_are_divided_together_with_a_warning(workplace: Workplace) -> None:
    images = directory(workplace, ["big"] * 100 + [f"small{each}" for each in range(20)])
    first, _ = split(images, workplace)
    assert (first.images["label"] == "big").sum() == 90
    assert len(first.images) == 108
    assert "small0, small1, small10" in workplace.warnings[0]
    assert "and 10 more" in workplace.warnings[0]


def test_unlabelled_images_are_divided(workplace: Workplace) -> None:
    first, rest = split(directory(workplace, [None] * 10), workplace)
    assert (len(first.images), len(rest.images)) == (9, 1)
    assert not workplace.warnings


def test_without_strata_only_the_total_counts(workplace: Workplace) -> None:
    images = directory(workplace, ["a"] * 90 + ["b"] * 10)
    counts = {
        int((split(images, workplace, 0.5, stratified=False, random_seed=seed)[0].images["label"]
             == "b").sum())
        for seed in range(12)
    }  # fmt: skip
    assert len(counts) > 1
    assert not workplace.warnings


def test_duplicates_stay_together_unless_told_otherwise(workplace: Workplace) -> None:
    hashes = [f"{number // 2:064x}" for number in range(400)]
    images = directory(workplace, ["a"] * 400, hashes)
    for seed in range(5):
        first, rest = split(images, workplace, 0.5, random_seed=seed)
        assert not set(first.images["sha256"]) & set(rest.images["sha256"])
        assert len(first.images) == 200
    first, rest = split(images, workplace, 0.5, keep_duplicates_together=False)
    assert set(first.images["sha256"]) & set(rest.images["sha256"])


def test_identical_images_only_cannot_be_kept_together(workplace: Workplace) -> None:
    images = directory(workplace, ["a"] * 10, ["0" * 64] * 10)
    with pytest.raises(InvalidDatasetError, match="Turn off Keep duplicates together"):
        split(images, workplace)
    split(images, workplace, keep_duplicates_together=False)


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_images_are_0018(count: int, workplace: Workplace) -> None:
    with pytest.raises(InvalidDatasetError, match="Provide at least 2"):
        split(directory(workplace, ["a"] * count), workplace)


@pytest.mark.parametrize(
    ("count", "fraction", "expected"),
    [(11, 0.95, 10), (11, 0.1, 1), (100, 0.29, 29), (3, 0.9, 2), (1797, 0.8, 1437), (7, 4 / 7, 4)],
)
def test_a_fraction_is_rounded_down_to_whole_images(
    count: int, fraction: float, expected: int, workplace: Workplace
) -> None:
    first, rest = split(directory(workplace, ["a"] * count), workplace, fraction)
    assert (len(first.images), len(rest.images)) == (expected, count - expected)


@pytest.mark.parametrize("count", [2, 3, 7, 11, 999])
def test_the_fraction_that_the_error_names_is_enough(count: int, workplace: Workplace) -> None:
    images = directory(workplace, ["a"] * count)
    with pytest.raises(NotInRangeValueError) as caught:
        split(images, workplace, 0.5 / count)
    least = float(caught.value.cure.split()[4])
    assert len(split(images, workplace, least)[0].images) == 1


@pytest.mark.parametrize(("count", "fraction"), [(2, 0.4), (11, 0.05), (10, 0.01), (10, 0.0999)])
def test_a_fraction_that_leaves_a_side_empty_is_0008(
    count: int, fraction: float, workplace: Workplace
) -> None:
    with pytest.raises(NotInRangeValueError, match="leaves one output empty"):
        split(directory(workplace, ["a"] * count), workplace, fraction)


@pytest.mark.parametrize("fraction", [0.0, 1.0, -1.0, float("nan")])
def test_the_fraction_is_between_0_and_1(fraction: float) -> None:
    with pytest.raises(ValidationError):
        SplitParameters(fraction_of_images_in_the_first_output=fraction)


def test_other_inputs_are_refused(workplace: Workplace) -> None:
    context = workplace.context()
    with pytest.raises(InvalidDatasetError, match="Add Convert to Image Directory"):
        split_image_directory(ImageDirectory(context.new_folder()), SplitParameters(), context)


@given(
    images=st.lists(
        st.tuples(st.sampled_from(["a", "b", "c", "d", None]), st.integers(0, 30)),
        min_size=2,
        max_size=60,
    ),
    fraction=st.floats(0.05, 0.95),
    seed=st.integers(0, 2**32 - 1),
    stratified=st.booleans(),
    together=st.booleans(),
)
def test_duplicates_are_never_parted_and_totals_are_exact(
    images: list[tuple[str | None, int]],
    fraction: float,
    seed: int,
    stratified: bool,
    together: bool,
) -> None:
    labels = pd.Series([label for label, _ in images], dtype="string")
    contents = pd.Series([f"{content:064x}" for _, content in images])
    total = floor(len(images) * fraction)

    def choose() -> StratifiedSplit:
        return choose_first(
            labels=labels if stratified else None,
            groups=contents if together else None,
            num_images=len(images),
            fraction=fraction,
            num_first=total,
            seed=seed,
        )

    first = choose().in_first
    assert (choose().in_first == first).all()
    if together:
        assert not set(contents[first]) & set(contents[~first])
    else:
        assert first.sum() == total


@given(st.lists(st.integers(0, 50), min_size=1, max_size=20), st.floats(0.01, 0.99))
def test_largest_remainder_sums_and_stays_close(sizes: list[int], fraction: float) -> None:
    shares = np.array(sizes) * fraction
    total = floor(sum(sizes) * fraction)
    quotas = largest_remainder(shares, total)
    assert quotas.sum() == total
    assert (np.abs(quotas - shares) < 1 + 1e-6).all()
    assert (quotas <= np.array(sizes)).all()


def test_a_hundred_thousand_images_are_split(workplace: Workplace) -> None:
    rng = np.random.default_rng(0)
    labels: list[str | None] = [f"class {each}" for each in rng.integers(0, 1000, 100_000)]
    hashes = [f"{each:064x}" for each in rng.integers(0, 2_000_000, 100_000)]
    images = directory(workplace, labels, hashes)
    first, second = split_image_directory(images, SplitParameters(), workplace.context())
    assert len(first.images) + len(second.images) == 100_000


def test_the_forecast_knows_both_numbers_and_an_empty_side() -> None:
    forecast = split_image_directory.forecast
    assert forecast is not None
    known = forecast(
        {"input_image_directory": ArtifactForecast(num_images=100)}, SplitParameters(), None
    )
    assert [each.num_images for each in known.outputs.values()] == [90, 10]
    assert not known.findings
    tenth = SplitParameters(fraction_of_images_in_the_first_output=0.1)
    few = forecast({"input_image_directory": ArtifactForecast(num_images=3)}, tenth, None)
    assert [finding.severity for finding in few.findings] == ["error"]
    assert forecast({}, SplitParameters(), None).images_processed is None
