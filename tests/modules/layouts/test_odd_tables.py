"""Tables as programs and people write them: titles, comments, columns that are no labels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from modules.errors import InvalidDatasetError
from modules.image_directories.convert_to_image_directory import ConvertParameters
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import FROM_TABLE, convert, labels

Fill = Callable[..., Path]
IMAGES = dict.fromkeys(f"img{number}.png" for number in range(6))
EXPECTED = {f"img{number}.png": ("cat", "dog")[number % 2] for number in range(6)}
ROWS = [f"{name},{label}" for name, label in EXPECTED.items()]


def lines(*rows: str) -> bytes:
    return "".join(f"{row}\n" for row in rows).encode()


def with_more(*cells: str) -> list[str]:
    """The rows with a cell more, of these in turn."""
    return [f"{row},{cells[at % len(cells)]}" for at, row in enumerate(ROWS)]


@pytest.mark.parametrize(
    "table",
    [
        lines("# made by hand", "# in May, 2024", "file,label", *ROWS),
        lines("My pictures,", "file,label", *ROWS),
        lines("file;label;note (a, b, c, d)", *(row.replace(",", ";") + ";x, y" for row in ROWS)),
        lines("file,label", *ROWS[:3]) + b"\xef\xbb\xbf" + lines("file,label", *ROWS[3:]),
        lines("file,label", *ROWS).replace(b"\n", b"\r"),
        lines("file,label,,", *(f"{row},," for row in ROWS), ",,,"),
        lines("file,label", *(row.replace(".png", ".jpg") for row in ROWS)),
        lines("image,choice", *(f"/data/upload/1/0a1b2c3d-{row}" for row in ROWS)),
        lines("file,diagnosis,y", *with_more("0.143")),
        lines("file,species,x,y", *(f"{row},{at % 3},{at % 2}" for at, row in enumerate(ROWS))),
    ],
    ids=[
        *["comments", "title", "commas", "appended", "returns", "trailing", "extension"],
        *["upload", "constant", "coordinate"],
    ],
)
def test_the_labels_are_found_without_a_warning(
    table: bytes, fill: Fill, workplace: Workplace
) -> None:
    assert labels(convert(fill({**IMAGES, "labels.csv": table}), workplace)) == EXPECTED
    assert not workplace.warnings


def test_labels_in_objects_are_unwrapped(fill: Fill, workplace: Workplace) -> None:
    rows = [row.replace(",", ',"{""kind"":""') + '""}"' for row in ROWS]
    table = lines("filename,file_attributes", *rows)
    assert labels(convert(fill({**IMAGES, "via.csv": table}), workplace)) == EXPECTED


@pytest.mark.parametrize("cells", [["image"], [f"object {number}" for number in range(6)]])
def test_a_label_column_that_tells_nothing_apart_is_a_question(
    cells: list[str], fill: Fill, workplace: Workplace
) -> None:
    folder = fill({**IMAGES, "labels.csv": lines("file,species,category", *with_more(*cells))})
    with pytest.raises(InvalidDatasetError, match="may contain the labels: category, species"):
        convert(folder, workplace)
    chosen = ConvertParameters(label_column="species")
    assert labels(convert(folder, workplace, chosen)) == EXPECTED


def test_a_column_of_parts_is_not_one_of_labels(fill: Fill, workplace: Workplace) -> None:
    numbers = [f"img{number}.png,{number % 3}" for number in range(6)]
    folder = fill({**IMAGES, "partition.csv": lines("image_id,partition", *numbers)})
    assert set(labels(convert(folder, workplace)).values()) == {None}
    assert "partition.csv has no label column" in workplace.warnings[0]


def test_a_column_of_parts_that_is_not_used_is_reported(fill: Fill, workplace: Workplace) -> None:
    rows = with_more("TRAIN", "VALIDATION", "TEST")
    folder = fill({**IMAGES, "labels.csv": lines("file,kind,ml_use", *rows)})
    assert labels(convert(folder, workplace)) == EXPECTED
    assert workplace.warnings[0].startswith('Column "ml_use" of labels.csv assigns images to parts')


def test_measurements_as_labels_are_reported(fill: Fill, workplace: Workplace) -> None:
    images = dict.fromkeys(f"{number}.png" for number in range(10))
    table = lines("file,target", *(f"{number}.png,{number * 3.7:.2f}" for number in range(10)))
    convert(fill({**images, "prices.csv": table}), workplace, FROM_TABLE)
    assert "prices.csv assigns 10 classes to 10 images (column target)" in workplace.warnings[0]


def test_several_numbers_in_a_cell_are_reported(fill: Fill, workplace: Workplace) -> None:
    rows = [f"img{number}.png,{('0 1', '2', '0 2')[number % 3]}" for number in range(6)]
    convert(fill({**IMAGES, "train.csv": lines("id,attribute_ids", *rows)}), workplace)
    assert workplace.warnings[0].startswith("4 images have several labels in one cell")
