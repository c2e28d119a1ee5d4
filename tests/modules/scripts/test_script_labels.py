"""Labels that a script gave: numbers, other names, missing ones, and names that nearly agree."""

from __future__ import annotations

from typing import Any

import pytest

from modules.artifacts import ImageDirectory
from modules.errors import FailedToEvaluateScriptError
from modules.scripts.execute_python_script import (
    ExecutePythonScriptParameters,
    execute_python_script,
)
from tests.modules.conftest import Workplace
from tests.modules.training.noise import noise_squares


@pytest.fixture
def images(workplace: Workplace) -> ImageDirectory:
    return noise_squares(workplace.root / "store/a/out", ["cat", "dog"], per_class=4)


def relabelled(workplace: Workplace, images: ImageDirectory, labels: str) -> ImageDirectory:
    """Run a script that gives the rows with the labels of an expression."""
    code = (
        "import numpy as np\nimport pandas as pd\n"
        "def designer_main(images1):\n"
        "    rows = images1.images\n"
        f"    return {{'images': rows.assign(label={labels})}}\n"
    )
    parameters = ExecutePythonScriptParameters(code=code)
    outputs: Any = execute_python_script(parameters, workplace.context(), images1=images)
    made: ImageDirectory = ImageDirectory(outputs.images.path)
    return made


IS_DOG = "(rows['label'] == 'dog')"


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (f"{IS_DOG}.astype(int)", ("0", "1")),
        (f"{IS_DOG}.astype('uint8')", ("0", "1")),
        (IS_DOG, ("False", "True")),
        (f"{IS_DOG}.astype(int).astype('category')", ("0", "1")),
        (f"{IS_DOG}.astype(float)", ("0", "1")),
        ("[np.int64(3)] * 4 + ['cat'] * 4", ("cat", "3")),
        ("rows['label'].map({'cat': 'feline', 'dog': 'canine'})", ("canine", "feline")),
        ("rows['label'].replace('dog', 'cat')", ("cat",)),
    ],
)
def test_classes_are_those_of_the_labels(
    workplace: Workplace, images: ImageDirectory, labels: str, classes: tuple[str, ...]
) -> None:
    made = relabelled(workplace, images, labels)
    assert made.classes == classes
    assert {label for label in made.labels if label is not None} == set(classes)
    assert not workplace.warnings


@pytest.mark.parametrize("missing", ["None", "np.nan", "pd.NA", "pd.NaT", "''"])
def test_missing_values_are_images_without_a_label(
    workplace: Workplace, images: ImageDirectory, missing: str
) -> None:
    made = relabelled(workplace, images, f"[{missing}] * 2 + ['cat'] * 2 + ['dog'] * 4")
    assert made.labels == [None, None, "cat", "cat", *["dog"] * 4]
    assert made.classes == ("cat", "dog")


def test_missing_values_that_became_texts_are_warned_of(
    workplace: Workplace, images: ImageDirectory
) -> None:
    relabelled(workplace, images, "pd.Series([np.nan] * 2 + ['cat'] * 6).map(str)")
    (warning,) = workplace.warnings
    assert "have the text 'nan' as label" in warning


def test_a_class_that_a_sample_lacks_stays(workplace: Workplace, images: ImageDirectory) -> None:
    code = "def designer_main(images1):\n    return {'images': images1.images.head(2)}\n"
    parameters = ExecutePythonScriptParameters(code=code)
    outputs: Any = execute_python_script(parameters, workplace.context(), images1=images)
    assert outputs.images.classes == ("cat", "dog")


def test_images_changed_in_place_have_the_new_classes(
    workplace: Workplace, images: ImageDirectory
) -> None:
    code = (
        "def designer_main(images1):\n"
        "    images1.images['label'] = images1.images['label'].str.upper()\n"
        "    return images1\n"
    )
    parameters = ExecutePythonScriptParameters(code=code)
    outputs: Any = execute_python_script(parameters, workplace.context(), images1=images)
    assert outputs.images.classes == ("CAT", "DOG")


@pytest.mark.parametrize("label", ["0.5", "[1]", "b'cat'"])
def test_other_values_are_refused_at_the_node(
    workplace: Workplace, images: ImageDirectory, label: str
) -> None:
    with pytest.raises(
        FailedToEvaluateScriptError, match="neither text nor a whole number"
    ) as caught:
        relabelled(workplace, images, f"[{label}] * 8")
    assert caught.value.parameter == "code"


def test_names_that_nearly_agree_are_warned_of(
    workplace: Workplace, images: ImageDirectory
) -> None:
    relabelled(workplace, images, "['Cat', 'cat', 'cat ', 'dog'] * 2")
    (warning,) = workplace.warnings
    assert "'Cat' and 'cat ' and 'cat'" in warning or "'cat' and 'Cat' and 'cat '" in warning


def test_an_empty_model_file_is_refused(workplace: Workplace) -> None:
    code = (
        "from pathlib import Path\n"
        "def designer_main(context):\n"
        "    path = context.new_folder() / 'model.pt'\n"
        "    path.touch()\n"
        "    return {'model': path}\n"
    )
    parameters = ExecutePythonScriptParameters(code=code)
    with pytest.raises(FailedToEvaluateScriptError, match=r"model\.pt .* is empty"):
        execute_python_script(parameters, workplace.context())
