"""Convert to Image Directory: labels, checks, what is skipped and said."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from modules.artifacts import AnyDirectory, ImageDirectory
from modules.datasets.registered import register_dataset
from modules.errors import (
    ImageExceedsLimitError,
    InvalidDatasetError,
    ModuleError,
)
from modules.forecast import ArtifactForecast
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import (
    DEFAULTS,
    FROM_TABLE,
    convert,
    labels,
    skipped,
)
from tests.modules.image_directories.pictures import (
    encoded,
    jpeg_bytes,
    png_bytes,
    png_of_declared_size,
    with_orientation,
)

Fill = Callable[..., Path]


def test_one_folder_for_each_class(fill: Fill, workplace: Workplace) -> None:
    output = convert(fill({"dog/1.png": None, "cat/1.png": None, "cat/2.jpg": None}), workplace)
    assert labels(output) == {"cat/1.png": "cat", "cat/2.jpg": "cat", "dog/1.png": "dog"}
    assert output.classes == ("cat", "dog")
    assert output.is_labeled
    assert output.skipped.empty
    assert workplace.summary == "3 images, 2 classes"
    assert not workplace.warnings


def test_the_manifest_says_what_the_files_are(fill: Fill, workplace: Workplace) -> None:
    turned = with_orientation(6)
    output = convert(fill({"a/x.jpg": turned, "b/y.png": png_bytes(1, (30, 20))}), workplace)
    assert tuple(output.images.columns) == ImageDirectory.COLUMNS
    first, second = output.images.to_dict("records")
    assert (first["width"], first["height"]) == (12, 16)
    assert (second["width"], second["height"]) == (30, 20)
    assert first["num_bytes"] == len(turned)
    assert first["sha256"] == hashlib.sha256(turned).hexdigest()
    assert first["source"] == ""
    assert output.file_paths()[0].read_bytes() == turned


def test_only_files_that_nobody_changes_are_linked_instead_of_copied(
    fill: Fill, workplace: Workplace
) -> None:
    folder = fill({"a/x.png": None, "b/y.png": None})
    copied = convert(folder, workplace).file_paths()[0]
    assert copied.stat().st_ino != (folder / "a/x.png").stat().st_ino
    (folder / "a/x.png").write_bytes(b"changed")
    assert copied.read_bytes() == png_bytes(0)

    context = workplace.context()
    made = AnyDirectory.write(context.new_folder())
    shutil.copytree(folder / "b", made.path / "data" / "b")
    output = convert_to_image_directory(made, DEFAULTS, context).output_image_directory
    assert isinstance(output, ImageDirectory)
    [linked] = output.file_paths()
    assert linked.samefile(made.path / "data/b/y.png")

    registered = workplace.root / "datasets"
    version = register_dataset(folder, "squares", registered)
    [linked] = convert(registered / "squares" / str(version), workplace).file_paths()
    assert linked.samefile(registered / "squares" / str(version) / "b/y.png")


@pytest.mark.skipif(os.name == "nt", reason="not everybody may make links there")
def test_images_that_are_links_lie_in_the_output_as_files(workplace: Workplace) -> None:
    context = workplace.context()
    made = AnyDirectory.write(context.new_folder())
    for number, name in enumerate(("red", "blue")):
        pool = made.path / "data/pool/images" / f"{number}.png"
        pool.parent.mkdir(parents=True, exist_ok=True)
        pool.write_bytes(png_bytes(number))
        link = made.path / "data" / name / f"{name}.png"
        link.parent.mkdir()
        link.symlink_to(f"../pool/images/{number}.png")
    output = convert_to_image_directory(made, DEFAULTS, context).output_image_directory
    assert isinstance(output, ImageDirectory)
    assert labels(output) == {"blue/blue.png": "blue", "red/red.png": "red"}
    for row, path in zip(output.images.to_dict("records"), output.file_paths(), strict=True):
        assert not path.is_symlink()
        assert hashlib.sha256(path.read_bytes()).hexdigest() == row["sha256"]


def test_small_files_are_placed_in_portions_in_their_order(
    fill: Fill, workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modules.image_directories.image_checking._PORTION_FILES", 4)
    monkeypatch.setattr("modules.image_directories.image_checking._PORTION_BYTES", 150)
    names = [f"{'ab'[number // 8]}/{number:02}.png" for number in range(11)]
    files: dict[str, bytes | None] = dict.fromkeys(names)
    output = convert(fill(files | {"a/05.png": b"no picture"}), workplace)
    expected = [path for path in files if path != "a/05.png"]
    assert list(output.images["path"]) == expected
    assert skipped(output) == {"a/05.png": "not an image"}
    for row, path in zip(output.images.to_dict("records"), output.file_paths(), strict=True):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == row["sha256"]


@pytest.mark.parametrize("threads", [1, 3])
def test_large_and_small_files_are_checked_alike(
    threads: int, fill: Fill, workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modules.image_directories.image_checking.SMALL_FILE_BYTES", 0)
    files = {f"a/{number:03}.png": None for number in range(30)} | {"b/broken.png": b"no picture"}
    context = replace(workplace.context(), threads=threads)
    dataset = AnyDirectory.write(context.new_folder(), fill(files))
    output = convert_to_image_directory(dataset, DEFAULTS, context).output_image_directory
    assert isinstance(output, ImageDirectory)
    assert list(output.images["path"]) == [f"a/{number:03}.png" for number in range(30)]
    assert skipped(output) == {"b/broken.png": "not an image"}


def test_chains_of_single_folders_are_descended(fill: Fill, workplace: Workplace) -> None:
    files = {"set/v1/cat/1.png": None, "set/v1/dog/1.png": None, "set/README.txt": b"words"}
    output = convert(fill(files), workplace)
    assert labels(output) == {"cat/1.png": "cat", "dog/1.png": "dog"}
    assert skipped(output) == {"set/README.txt": "not an image"}
    assert workplace.summary == "2 images, 2 classes, 1 skipped"


def test_images_that_lie_in_no_folder_are_unlabelled(fill: Fill, workplace: Workplace) -> None:
    output = convert(fill({"1.png": None, "2.png": None}), workplace)
    assert labels(output) == {"1.png": None, "2.png": None}
    assert not output.is_labeled
    assert output.classes == ()
    assert workplace.summary == "2 images, no labels"


def test_junk_is_ignored(fill: Fill, workplace: Workplace) -> None:
    files = dict.fromkeys(
        ("cat/1.png", "dog/1.png", "__MACOSX/cat/._1.png", "cat/.DS_Store", "cat/Thumbs.db",
         ".git/x.png", "desktop.ini", "cat/.hidden.png")
    )  # fmt: skip
    output = convert(fill(files), workplace)
    assert list(labels(output)) == ["cat/1.png", "dog/1.png"]
    assert output.skipped.empty


def test_files_deeper_or_shallower_are_never_dropped_silently(
    fill: Fill, workplace: Workplace
) -> None:
    files = {"cat/1.png": None, "dog/1.png": None, "top.png": None, "cat/more/2.png": None}
    output = convert(fill({**files, "notes.txt": b"words"}), workplace)
    assert list(labels(output)) == ["cat/1.png", "dog/1.png"]
    assert skipped(output) == {
        "cat/more/2.png": "it is in a subfolder of the class folders",
        "top.png": "it is next to the class folders, not in one",
        "notes.txt": "not an image",
    }
    (warning,) = workplace.warnings
    assert "cat/more/2.png" in warning
    assert "top.png" in warning
    assert "notes.txt" not in warning


def test_classes_without_images_are_dropped_with_a_warning(
    fill: Fill, workplace: Workplace
) -> None:
    folder = fill({"cat/1.png": None, "dog/1.png": None, "bird/1.png": b"no picture"})
    (folder / "empty").mkdir()
    output = convert(folder, workplace)
    assert output.classes == ("cat", "dog")
    unreadable, empty = workplace.warnings
    assert unreadable.startswith("1 unreadable image was skipped: bird/1.png.")
    assert "bird, empty" in empty


def test_what_is_unreadable_is_skipped_and_listed(fill: Fill, workplace: Workplace) -> None:
    files = {
        "cat/good.png": None,
        "dog/good.tmp": jpeg_bytes(),
        "cat/cut.jpg": jpeg_bytes(size=(90, 90))[:-300],
        "cat/empty.png": b"",
        "cat/text.jpg": b"I am no picture",
        "cat/huge.png": png_of_declared_size(30_000, 30_000),
        "cat/readme.txt": b"words",
        "cat/nan.tif": encoded(Image.new("F", (8, 8), float("nan")), "TIFF"),
    }
    output = convert(fill(files), workplace)
    assert list(labels(output)) == ["cat/good.png", "dog/good.tmp"]
    reasons = skipped(output)
    assert "178 megapixels" in reasons.pop("cat/huge.png")
    assert reasons == {
        "cat/cut.jpg": "the file is truncated",
        "cat/empty.png": "the file is empty",
        "cat/text.jpg": "not an image",
        "cat/readme.txt": "not an image",
        "cat/nan.tif": "64 pixels are NaN or infinite",
    }


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"I am no picture", InvalidDatasetError),
        (jpeg_bytes(size=(90, 90))[:-300], InvalidDatasetError),
        (png_of_declared_size(30_000, 30_000), ImageExceedsLimitError),
    ],
)
def test_on_request_the_first_unreadable_image_is_an_error(
    content: bytes, error: type[ModuleError], fill: Fill, workplace: Workplace
) -> None:
    strict = ConvertParameters(on_unreadable_image="fail")
    files: dict[str, bytes | None] = {"cat/1.png": None, "dog/1.png": None, "LICENSE": b"words"}
    convert(fill(files), workplace, strict)
    with pytest.raises(error):
        convert(fill({"cat/bad.jpg": content}), workplace, strict)


def test_without_a_valid_image_the_first_reasons_are_told(fill: Fill, workplace: Workplace) -> None:
    folder = fill({f"cat/{number:02}.jpg": b"text" for number in range(30)})
    with pytest.raises(InvalidDatasetError, match=r"00\.jpg: not an image.* and 20 more"):
        convert(folder, workplace)
    with pytest.raises(InvalidDatasetError, match="nothing contains no valid images"):
        convert(fill({}, "nothing"), workplace)


def test_a_dataset_that_went_away_is_0018(tmp_path: Path, workplace: Workplace) -> None:
    with pytest.raises(InvalidDatasetError, match="no longer exists"):
        convert(tmp_path / "gone", workplace)


def test_duplicates_are_counted_and_across_classes_warned_about(
    fill: Fill, workplace: Workplace
) -> None:
    same = png_bytes(99)
    output = convert(
        fill({"cat/1.png": same, "cat/2.png": same, "dog/3.png": same, "dog/4.png": None}),
        workplace,
    )
    assert len(output.images) == 4
    assert workplace.summary == "4 images, 2 classes, 2 duplicates"
    assert "cat/1.png = dog/3.png" in workplace.warnings[0]


def test_names_that_are_no_text_are_kept_readable(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"cat/1.png": None, "dog/1.png": None})
    for ending in (b"\xff", b"\xfe"):
        name = os.fsdecode(os.fsencode(folder) + b"/cat/" + ending + b".png")
        Path(name).write_bytes(png_bytes(7))
    output = convert(folder, workplace)
    assert list(labels(output)) == ["cat/1.png", "cat/\ufffd.png", "dog/1.png"]
    assert list(skipped(output).values()) == [
        "another file has the same name except for case or encoding"
    ]


@pytest.mark.parametrize("kind", ["zip", "tar.xz"])
def test_archives_are_unpacked_for_the_time_being(
    kind: str, tmp_path: Path, workplace: Workplace
) -> None:
    files = {"set/cat/1.png": png_bytes(1), "set/dog/1.png": png_bytes(2), "__MACOSX/x": b"x"}
    archive = tmp_path / f"set.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(archive, "w") as opened:
            for name, content in files.items():
                opened.writestr(name, content)
    else:
        with tarfile.open(archive, "w:xz") as tar:
            for name, content in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    assert labels(convert(archive, workplace)) == {"cat/1.png": "cat", "dog/1.png": "dog"}


def test_a_file_that_is_no_archive_is_0018(fill: Fill, workplace: Workplace) -> None:
    with pytest.raises(InvalidDatasetError, match="is not an archive"):
        convert(fill({"x.png": None}) / "x.png", workplace)


def test_class_from_none_takes_every_image(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"cat/1.png": None, "dog/deep/1.png": None, "top.png": None, "x.csv": b"path\n"})
    output = convert(folder, workplace, ConvertParameters(class_from="none"))
    assert labels(output) == {"cat/1.png": None, "dog/deep/1.png": None, "top.png": None}


def test_progress_is_told_at_a_readable_pace(fill: Fill, workplace: Workplace) -> None:
    convert(fill({f"c{number % 3}/{number}.png": None for number in range(200)}), workplace)
    told = [event for event in workplace.events if event["kind"] == "progress"]
    assert told[-1]["done"] == told[-1]["total"] == 200
    assert len(told) < 10


def test_the_real_pictures_convert(shared_data: Path, workplace: Workplace) -> None:
    output = convert(shared_data / "sign-language-digits", workplace)
    assert workplace.summary == "2,062 images, 10 classes, 1 skipped"
    assert output.classes == tuple("0123456789")
    assert skipped(output) == {"LICENSE": "not an image"}


def test_the_forecast_passes_on_what_the_labels_will_be() -> None:
    forecast = convert_to_image_directory.forecast
    assert forecast is not None
    inputs = {"input_dataset": ArtifactForecast(num_images=5, num_classes=2, labeled=True)}
    for parameters, expected in (
        (DEFAULTS, ArtifactForecast(num_images=5, num_classes=2, labeled=True)),
        (FROM_TABLE, ArtifactForecast(num_images=5, labeled=True)),
        (ConvertParameters(class_from="none"), ArtifactForecast(5, 0, labeled=False)),
    ):
        foreseen = forecast(inputs, parameters, None)
        assert foreseen.outputs == {"output_image_directory": expected}
        assert foreseen.images_processed == 5
    assert forecast({}, DEFAULTS, None).images_processed is None
