"""The pictures of lessons: drawn from what their recordings tell."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from designer_app.elements.lesson_picture import HEIGHT, WIDTH, lesson_picture, shown
from pipelines.inspection.preview_models import EvaluationPreview, Prediction
from pipelines.lessons.lesson import Lesson, lessons
from pipelines.replay.library import ReplayShelf
from pipelines.workspace import Workspace

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def shelf(tmp_path: Path) -> ReplayShelf:
    return ReplayShelf(Workspace.at(tmp_path))


@pytest.mark.parametrize("lesson", lessons(), ids=lambda each: each.slug)
def test_a_lesson_shows_its_pictures_and_its_matrix(lesson: Lesson, shelf: ReplayShelf) -> None:
    root = ElementTree.fromstring(lesson_picture(shelf, lesson.slug))
    [evaluated] = [
        each
        for each in shelf.open(lesson.slug).replay.previews
        if isinstance(each, EvaluationPreview)
    ]
    images = root.findall(f"{SVG}image")
    assert len(images) == 8
    assert len(root.findall(f"{SVG}rect")) == len(images) + len(evaluated.confusion) ** 2
    accuracy = evaluated.metrics["Overall_Accuracy"]
    assert accuracy is not None
    assert [each.text for each in root.findall(f"{SVG}text")][
        -1
    ] == f"{100 * accuracy:.0f} % correct"
    for each in (*images, *root.findall(f"{SVG}rect")):
        assert 0 <= float(each.get("x", "-1")) < WIDTH
        assert 0 <= float(each.get("y", "-1")) < HEIGHT


def test_one_picture_of_each_class_goes_first() -> None:
    samples = [
        Prediction(picture=f"{place}.jpg", actual=actual, predicted="a", confidence=None)
        for place, actual in enumerate("aaaaaaaabc")
    ]
    assert [each.actual for each in shown(samples, 0.8)] == [*"abc", *"aaaaa"]


def test_as_many_mistakes_are_pictured_as_the_accuracy_has() -> None:
    samples = [
        Prediction(picture=f"{place}.jpg", actual="a", predicted=predicted, confidence=None)
        for place, predicted in enumerate("bbbbbbbbaaaaaaaa")
    ]
    predicted = [
        "".join(sample.predicted for sample in shown(samples, share)) for share in (1, 0.75, 0)
    ]
    assert predicted == ["aaaaaaaa", "bbaaaaaa", "bbbbbbbb"]
    assert len(shown(samples[:8], 1.0)) == 8, "rather mistakes than empty places"


def test_what_was_not_recorded_or_is_damaged_has_no_picture(shelf: ReplayShelf) -> None:
    assert lesson_picture(shelf, "99-nothing") == ""
    shelf.folder.mkdir(parents=True)
    (shelf.folder / "01-digits.replay").write_bytes(b"no replay")
    assert lesson_picture(shelf, "01-digits") == ""
