"""Labels in JSON files of annotation programs and scripts, and annotations that are not read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modules.layouts.json_tables import rows_of_json
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import convert, labels

Fill = Callable[..., Path]
EXPECTED = {f"img{number}.png": ("cat", "dog")[number % 2] for number in range(6)}
IMAGES = dict.fromkeys(EXPECTED)
CHOICES = [
    {
        "id": at,
        "annotations": [{"result": [{"value": {"choices": [label]}, "type": "choices"}]}],
        "data": {"image": f"/data/upload/1/0a1b2c3d-{name}"},
    }
    for at, (name, label) in enumerate(EXPECTED.items())
]
FORMS: dict[str, Any] = {
    "names and labels": EXPECTED,
    "names and objects": {name: {"label": label, "n": 1} for name, label in EXPECTED.items()},
    "labels and names": {kind: [name for name in IMAGES if EXPECTED[name] == kind] for kind in
                         ("cat", "dog")},
    "names and lists": {name: [label] for name, label in EXPECTED.items()},
    "pairs": {"labels": [[name, label] for name, label in EXPECTED.items()]},
    "columns": {"file": list(EXPECTED), "label": list(EXPECTED.values())},
    "numbered columns": {
        "file": {str(at): name for at, name in enumerate(EXPECTED)},
        "label": {str(at): label for at, label in enumerate(EXPECTED.values())},
    },
    "inside": {"data": [{"img": name, "tag": {"title": each}} for name, each in EXPECTED.items()]},
    "choices": CHOICES,
    "regions": {
        f"{name}12": {"filename": name, "regions": [], "file_attributes": {"kind": label}}
        for name, label in EXPECTED.items()
    },
}  # fmt: skip


@pytest.mark.parametrize("content", FORMS.values(), ids=FORMS)
def test_forms_of_json_give_labels(content: Any, fill: Fill, workplace: Workplace) -> None:
    folder = fill({**IMAGES, "export.json": json.dumps(content).encode()})
    assert labels(convert(folder, workplace)) == EXPECTED
    assert not workplace.warnings


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        "{}",
        "7",
        '{"a": [], "b": []}',
        '{"images": [{"id": 1, "file_name": "a.png"}], "annotations": []}',
        "[" * 5000 + "]" * 5000,
    ],
    ids=["cut off", "list", "object", "number", "empty lists", "COCO", "deep"],
)
def test_json_without_rows_has_none(content: str) -> None:
    assert rows_of_json(content) == []


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({f"img{at}.xml": b"<a/>" for at in range(6)}, "the format of img0.xml and 5 more"),
        (
            {f"labels/img{at}.txt": b"0 .5 .5 .1 .1" for at in range(6)},
            "labels/img0.txt and 5 more",
        ),
        ({"export.xml": b"<a/>"}, "the format of export.xml is not supported"),
        ({"export.json": b"[]"}, "export.json has no rows of files and labels"),
    ],
    ids=["VOC", "YOLO", "CVAT", "other JSON"],
)
def test_annotations_that_are_not_read_are_reported(
    files: dict[str, bytes], expected: str, fill: Fill, workplace: Workplace
) -> None:
    folder = fill({**{f"images/{name}": None for name in IMAGES}, **files})
    convert(folder, workplace)
    assert expected in workplace.warnings[0]


def test_a_list_of_test_images_is_not_reported(fill: Fill, workplace: Workplace) -> None:
    convert(fill({**IMAGES, "test.csv": b"id_code\nimg0\nimg1\n"}), workplace)
    assert not workplace.warnings
