"""Images and classes that a conversion leaves out: named with their kind, or an error if asked."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, features

from modules.errors import InvalidDatasetError
from modules.image_directories.convert_to_image_directory import ConvertParameters
from modules.image_loading.decoding import UnreadableImageError, open_rgb
from modules.image_loading.image_formats import AVIF, decoders, other_format
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import convert, labels, skipped
from tests.modules.image_directories.pictures import encoded, noise

Fill = Callable[..., Path]
FAIL = ConvertParameters(on_unreadable_image="fail")


def _media(major: bytes, *compatible: bytes) -> bytes:
    """The start of an ISO media file."""
    brands = b"".join(compatible)
    return (16 + len(brands)).to_bytes(4, "big") + b"ftyp" + major + bytes(4) + brands + bytes(200)


def _raw_preview(tags: dict[int, object]) -> bytes:
    return encoded(noise(3), "TIFF", tiffinfo=tags)


HEIC_BYTES = _media(b"heic", b"mif1", b"heic")
TIFF_START = b"II*\x00"


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (HEIC_BYTES, "a.HEIC", "HEIC"),
        (HEIC_BYTES, "wrong.jpg", "HEIC"),
        (_media(b"mif1", b"miaf", b"heic"), "a", "HEIC"),
        (_media(b"mif1", b"miaf", b"avif"), "a.heic", "AVIF"),
        (_media(b"avis"), "a", "AVIF"),
        (_media(b"crx ", b"isom"), "a", "camera raw"),
        (_media(b"isom", b"mp41"), "a.mp4", None),
        (b"\xff\x0a" + bytes(90), "a", "JPEG XL"),
        (b"\0\0\0\x0cJXL \r\n\x87\n" + bytes(90), "a.png", "JPEG XL"),
        (b"\xff\x4f\xff\x51" + bytes(90), "a", "JPEG 2000"),
        (TIFF_START + b"\x10\0\0\0CR\x02\0" + bytes(90), "a.tif", "camera raw"),
        (TIFF_START + bytes(90), "a.NEF", "camera raw"),
        (TIFF_START + bytes(90), "a.tif", None),
        (b"FUJIFILMCCD-RAW 0201", "a", "camera raw"),
        (b"IIRO\x08", "a.orf", "camera raw"),
        (b"anything else", "a.jxl", "JPEG XL"),
        (b"anything else", "a.txt", None),
        (b"\xff\xd8\xff\xe0", "a.heic", None),
        (b"", "a", None),
    ],
)
def test_the_content_decides_before_the_extension(
    content: bytes, name: str, expected: str | None
) -> None:
    found = other_format(content[:64], name)
    assert (found and found.name) == expected


@pytest.fixture
def without_heif(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installation without the extra heif."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "modules.image_loading.image_formats.importlib.util.find_spec",
        lambda name, *rest: None if name == "pillow_heif" else find(name, *rest),
    )
    decoders.cache_clear()
    yield
    monkeypatch.undo()
    decoders.cache_clear()


@pytest.mark.usefixtures("without_heif")
def test_heic_images_are_counted_and_named_with_their_fix(fill: Fill, workplace: Workplace) -> None:
    files = {f"cat/IMG_{number}.HEIC": HEIC_BYTES for number in range(12)}
    folder = fill({"cat/1.png": None, "dog/1.png": None, **files, "dog/IMG.jpg": HEIC_BYTES})
    output = convert(folder, workplace)
    assert list(labels(output)) == ["cat/1.png", "dog/1.png"]
    assert workplace.warnings == [
        "13 HEIC images were skipped: cat/IMG_0.HEIC, cat/IMG_1.HEIC, cat/IMG_10.HEIC. "
        "Install the extra heif: pip install pillow-heif."
    ]
    assert workplace.summary == "2 images, 2 classes, 13 skipped (13 HEIC)"
    assert skipped(output)["dog/IMG.jpg"] == "an image in the unsupported format HEIC"
    with pytest.raises(InvalidDatasetError, match=r"13 HEIC images cannot be read") as refused:
        convert(folder, workplace, FAIL)
    assert "extra heif" in refused.value.cure
    with pytest.raises(UnreadableImageError, match="HEIC"):
        open_rgb(folder / "dog/IMG.jpg")


@pytest.mark.usefixtures("without_heif")
def test_a_dataset_of_nothing_else_names_the_fix(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"cat/1.heic": HEIC_BYTES, "dog/1.heic": HEIC_BYTES})
    with pytest.raises(InvalidDatasetError, match=r"no valid images: 2 HEIC") as refused:
        convert(folder, workplace)
    assert "extra heif" in refused.value.cure


def test_what_a_folder_means_does_not_depend_on_decoders(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"train/a/1.png": None, "train/b/1.png": None, "test/a/1.jxl": b"\xff\x0a"})
    with pytest.raises(InvalidDatasetError) as refused:
        convert(folder, workplace)
    assert refused.value.parameter == "part"


def test_heic_images_are_read_with_the_extra(fill: Fill, workplace: Workplace) -> None:
    heif = pytest.importorskip("pillow_heif")
    file = BytesIO()
    heif.from_pillow(noise(1, (40, 30))).save(file)
    folder = fill({"cat/1.heic": file.getvalue(), "dog/wrong.jpg": file.getvalue()})
    output = convert(folder, workplace, FAIL)
    assert output.images[["width", "height"]].to_numpy().tolist() == [[40, 30]] * 2
    assert all(open_rgb(path).size == (40, 30) for path in output.file_paths())


@pytest.mark.skipif(not features.check("avif"), reason="this Pillow does not read AVIF")
def test_avif_images_are_read_upright(fill: Fill, workplace: Workplace) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = encoded(noise(1, (40, 30)), "AVIF", exif=exif)
    folder = fill({"cat/1.avif": turned, "dog/1.png": None})
    output = convert(folder, workplace, FAIL)
    assert AVIF.is_read
    assert output.images["width"].tolist() == [30, 16]
    assert open_rgb(output.file_paths()[0]).size == (30, 40)


@pytest.mark.parametrize("tags", [{50706: b"\1\4\0\0"}, {254: 1, 330: 8}])
def test_the_preview_in_a_raw_file_is_no_image(
    tags: dict[int, object], fill: Fill, workplace: Workplace
) -> None:
    folder = fill({"a/1.png": None, "a/photo.tif": _raw_preview(tags), "b/1.png": None})
    convert(folder, workplace)
    assert workplace.warnings == [
        "1 camera raw image was skipped: a/photo.tif. Develop such images to JPEG, PNG or TIFF."
    ]


@pytest.fixture
def linked(fill: Fill) -> Path:
    """A class and an image that are links to another folder, and one that leads nowhere."""
    store = fill({"cat/1.png": None, "cat/2.png": None, "x.png": None}, "store")
    folder = fill({"dog/1.png": None, "fox/1.png": None})
    (folder / "cat").symlink_to(store / "cat")
    (folder / "dog" / "2.png").symlink_to(store / "x.png")
    return folder


def test_links_are_followed_where_their_targets_are_allowed(
    linked: Path, workplace: Workplace
) -> None:
    expected = ["cat/1.png", "cat/2.png", "dog/1.png", "dog/2.png", "fox/1.png"]
    for roots in (None, (linked, linked.parent / "store")):
        output = convert(linked, workplace, FAIL, allowed_roots=roots)
        assert list(labels(output)) == expected
        assert not any(path.is_symlink() for path in output.file_paths())
        assert not len(output.skipped)


def test_links_out_of_allowed_folders_are_reported(linked: Path, workplace: Workplace) -> None:
    output = convert(linked, workplace, allowed_roots=(linked,))
    assert list(labels(output)) == ["dog/1.png", "fox/1.png"]
    assert workplace.warnings == [
        "1 linked folder is outside of the source: cat. Copy the files into the source, or allow "
        "their folder with DESIGNER_DATA_ROOTS.",
        "1 linked file is outside of the source: dog/2.png. Copy the files into the source, or "
        "allow their folder with DESIGNER_DATA_ROOTS.",
    ]
    assert workplace.summary.endswith("2 skipped (1 linked folder, 1 linked file)")
    with pytest.raises(InvalidDatasetError, match="1 linked folder is outside of"):
        convert(linked, workplace, FAIL, allowed_roots=(linked,))


def test_broken_links_and_links_inside_are_reported(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"cat/1.png": None, "dog/1.png": None})
    (folder / "kitten").symlink_to(folder / "cat")
    (folder / "dog" / "gone.png").symlink_to(folder / "nowhere.png")
    convert(folder, workplace)
    assert workplace.warnings == [
        "1 symbolic link points to a missing file: dog/gone.png. Restore the files, or delete the "
        "symbolic links.",
        "1 symbolic link to a folder inside the source was not followed: kitten. Replace each "
        "symbolic link with a copy of its folder.",
    ]
    with pytest.raises(InvalidDatasetError, match="to a missing file"):
        convert(folder, workplace, FAIL)


def test_archives_inside_are_reported_unless_they_were_unpacked(
    fill: Fill, workplace: Workplace
) -> None:
    folder = fill({"cat/1.png": None, "dog/1.png": None, "dog.zip": b"PK", "fox.7z": b"7z"})
    convert(folder, workplace)
    assert workplace.warnings == [
        "1 archive inside the source was not unpacked: fox.7z. Unpack it and use the folder with "
        "the unpacked files."
    ]


def test_a_dataset_of_archives_names_the_fix(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"train.zip": b"PK\x03\x04", "sampleSubmission.csv": b"id,label\n1,0\n"})
    with pytest.raises(InvalidDatasetError, match=r"1 archive inside .*: train\.zip") as refused:
        convert(folder, workplace)
    assert refused.value.cure.startswith("Unpack it")
