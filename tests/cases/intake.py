"""Datasets as other people have them, each small: the kinds of public bug reports.

Each function writes one dataset into an empty folder. Images are noise in the colour of their
class, so that no two are the same.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from PIL import Image

COLOURS = ((200, 40, 40), (40, 180, 60), (50, 70, 210), (210, 200, 40))
PETS = ("beagle", "collie", "pug")
TWO = ("cat", "dog")


def picture(kind: int, number: int, size: tuple[int, int] = (20, 16)) -> Image.Image:
    """An image of a class; ``number`` decides its noise."""
    noise = np.random.default_rng([kind, number]).normal(0, 25, (size[1], size[0], 3))
    pixels = np.clip(np.array(COLOURS[kind % len(COLOURS)]) + noise, 0, 255)
    return Image.fromarray(pixels.astype(np.uint8))


def save(path: Path, kind: int, number: int, format: str | None = None) -> None:
    """Write an image, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture(kind, number).save(path, format)


def table(
    path: Path,
    header: Iterable[str],
    rows: Iterable[Iterable[object]],
    encoding: str = "utf-8",
    delimiter: str = ",",
) -> None:
    """Write a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(header)
    writer.writerows(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.getvalue().encode(encoding))


def _dogs(folder: Path, part: str = "train", *, tests: bool = True) -> None:
    for number in range(12):
        save(folder / part / f"{number:04x}a3f0.jpg", number % 3, number)
    for number in range(6 if tests else 0):
        save(folder / "test" / f"{number:04x}ffff.jpg", number % 3, 100 + number)


def _rows(ending: str) -> list[tuple[str, str]]:
    return [(f"{number:04x}a3f0{ending}", PETS[number % 3]) for number in range(12)]


def table_names_train_only(folder: Path) -> None:
    """train/ and test/ without folders of classes; train.csv labels train/."""
    _dogs(folder)
    table(folder / "train.csv", ("filename", "label"), _rows(".jpg"))


def id_and_breed(folder: Path) -> None:
    """The usual form of contests: names without extension, a sample of answers."""
    _dogs(folder)
    table(folder / "labels.csv", ("id", "breed"), _rows(""))
    answers = [(f"{number:04x}ffff", 0.33, 0.33, 0.33) for number in range(6)]
    table(folder / "sample_submission.csv", ("id", *PETS), answers)


def submission_beside_labels(folder: Path) -> None:
    """The sample of answers has the columns of a table of labels."""
    _dogs(folder)
    table(folder / "train.csv", ("filename", "label"), _rows(".jpg"))
    answers = [(f"{number:04x}ffff.jpg", "beagle") for number in range(6)]
    table(folder / "sample_submission.csv", ("filename", "label"), answers)


def one_hot_in_parts(folder: Path) -> None:
    """A table of zeros and ones in each part, with spaces behind the commas."""
    for part, start in (("train", 0), ("valid", 50), ("test", 70)):
        rows = []
        for number in range(6):
            save(folder / part / f"{part}{number}.jpg", number % 3, start + number)
            ones = [f" {int(number % 3 == kind)}" for kind in range(3)]
            rows.append((f"{part}{number}.jpg", *ones))
        table(folder / part / "_classes.csv", ("filename", *(f" {pet}" for pet in PETS)), rows)


def label_in_file_name(folder: Path) -> None:
    """train/cat.0.jpg and test/1.jpg."""
    for number in range(12):
        save(folder / "train" / f"{TWO[number % 2]}.{number // 2}.jpg", number % 2, number)
    for number in range(6):
        save(folder / "test" / f"{number + 1}.jpg", number % 2, 200 + number)


def image_id(folder: Path) -> None:
    """A column image_id names the images of the folder train_images."""
    _dogs(folder, "train_images", tests=False)
    table(folder / "train.csv", ("image_id", "label"), _rows(".jpg"))


def names_without_extension(folder: Path) -> None:
    """The table names files without their extension."""
    _dogs(folder, tests=False)
    table(folder / "train.csv", ("image", "label"), _rows(""))


def part_in_its_own_folder(folder: Path) -> None:
    """seg_train/seg_train/CLASS."""
    for part, start in (("seg_train", 12), ("seg_test", 50)):
        for number in range(6):
            name = ("buildings", "forest")[number % 2]
            save(folder / part / part / name / f"{part}{number}.jpg", number % 2, start + number)


def same_names(folder: Path) -> None:
    """Files of both parts have the same names; the table means those of train/."""
    for number in range(6):
        save(folder / "train" / f"{number}.jpg", number % 2, number)
        save(folder / "test" / f"{number}.jpg", number % 2, 100 + number)
    rows = [(f"{number}.jpg", TWO[number % 2]) for number in range(6)]
    table(folder / "train.csv", ("filename", "label"), rows)


def _eight(folder: Path, inside: str = "") -> list[tuple[str, str]]:
    for number in range(8):
        save(folder / inside / f"img{number}.jpg", number % 2, number)
    return [(f"img{number}.jpg", TWO[number % 2]) for number in range(8)]


def table_in_gbk(folder: Path) -> None:
    """Chinese names of classes in GBK."""
    rows = [(file, {"cat": "猫", "dog": "狗"}[label]) for file, label in _eight(folder)]
    table(folder / "labels.csv", ("filename", "label"), rows, "gbk")


def table_in_utf_16(folder: Path) -> None:
    """As spreadsheet programs save Unicode text."""
    rows = [(file, {"cat": "Käfer", "dog": "Vogel"}[label]) for file, label in _eight(folder, "i")]
    table(folder / "labels.csv", ("filename", "label"), rows, "utf-16", ";")


def table_with_sep(folder: Path) -> None:
    """The first line declares the delimiter."""
    table(folder / "labels.csv", ("filename", "label"), _eight(folder, "img"), "utf-8", ";")
    file = folder / "labels.csv"
    file.write_bytes(b"\xef\xbb\xbfsep=;\r\n" + file.read_bytes())


def table_column_labels(folder: Path) -> None:
    """The column of labels is called labels."""
    table(folder / "labels.csv", ("image", "labels"), _eight(folder))


def table_without_header(folder: Path) -> None:
    """The first row is an image."""
    first, *rows = _eight(folder)
    table(folder / "labels.csv", first, rows)


def table_other_case(folder: Path) -> None:
    """IMG0.JPG means img0.jpg."""
    rows = [(file.upper(), label) for file, label in _eight(folder)]
    table(folder / "labels.csv", ("image", "label"), rows)


def table_nan(folder: Path) -> None:
    """Missing labels as pandas writes them."""
    rows = [
        (file, "NaN" if number % 3 == 2 else label)
        for number, (file, label) in enumerate(_eight(folder))
    ]
    table(folder / "labels.csv", ("filename", "label"), rows)


def table_two_labels(folder: Path) -> None:
    """A cell with two labels that are classes too."""
    names = ("healthy", "scab", "scab rust", "rust")
    rows = [(file, names[number % 4]) for number, (file, _) in enumerate(_eight(folder))]
    table(folder / "labels.csv", ("image", "label"), rows)


def classes_above(folder: Path) -> None:
    """Folders of patients in the folders of classes."""
    for number in range(6):
        name = ("normal", "tumor")[number % 2]
        save(folder / name / f"patient{number // 2}" / f"{number}.png", number % 2, number)


def case_classes(folder: Path) -> None:
    """Cat and cat."""
    for number in range(4):
        for place, name in enumerate(("Cat", "cat", "dog")):
            save(folder / name / f"{number}.png", place, number)


def heic(folder: Path) -> None:
    """Most images of a class are HEIC files, here with nothing but a valid start."""
    for number in range(4):
        for kind, name in enumerate(TWO):
            save(folder / name / f"{number}.jpg", kind, number)
    start = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\1\0meta"
    for number in range(6):
        noise = np.random.default_rng(number).bytes(300)
        (folder / "cat" / f"IMG_1{number:03d}.HEIC").write_bytes(start + noise)


def linked_class(folder: Path) -> None:
    """The folder of a class is a link to a folder outside the dataset."""
    outside = folder.parent / f"{folder.name}-store"
    for number in range(4):
        save(outside / f"{number}.jpg", 0, number)
        save(folder / "bird" / f"{number}.jpg", 2, number)
        save(folder / "fish" / f"{number}.jpg", 3, number)
    (folder / "cat").symlink_to(outside, target_is_directory=True)


DATASETS: dict[str, Callable[[Path], None]] = {
    make.__name__: make
    for make in (
        table_names_train_only,
        id_and_breed,
        submission_beside_labels,
        one_hot_in_parts,
        label_in_file_name,
        image_id,
        names_without_extension,
        part_in_its_own_folder,
        same_names,
        table_in_gbk,
        table_in_utf_16,
        table_with_sep,
        table_column_labels,
        table_without_header,
        table_other_case,
        table_nan,
        table_two_labels,
        classes_above,
        case_classes,
        heic,
        linked_class,
    )
}
