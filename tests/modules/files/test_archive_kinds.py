"""Archives that other programs make: names in legacy encodings, hard links, parts, odd methods."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest

from modules.errors import InvalidDatasetError
from modules.files.archive_kinds import archive_stem, require_archive
from modules.files.archives import (
    archive_paths,
    encoding_notice,
    extract_archive,
    has_new_names,
    list_archive,
)
from modules.files.legacy_names import decoded_names
from tests.modules.image_directories.pictures import png_bytes


def _zip_with(path: Path, names: list[bytes], extra: bytes = b"") -> Path:
    """A zip archive with names as raw bytes that are not marked as UTF-8."""
    placeholders = [f"{number}".rjust(len(name), "x") for number, name in enumerate(names)]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for placeholder in placeholders:
            info = zipfile.ZipInfo(placeholder)
            info.extra = extra
            archive.writestr(info, b"1")
    content = buffer.getvalue()
    for placeholder, name in zip(placeholders, names, strict=True):
        content = content.replace(placeholder.encode(), name)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("cp932", ["猫/0.jpg", "犬/1.jpg"]),
        ("cp932", ["データ/ネコ/写真1.jpg", "データ/イヌ/写真2.jpg"]),
        ("gb18030", ["猫/0.jpg", "狗/1.jpg"]),
        ("gb18030", ["训练集/合格/图片1.jpg", "训练集/划痕/图片2.jpg"]),
        ("big5", ["訓練/正常/圖片1.jpg", "訓練/異常/圖片2.jpg"]),
        ("cp949", ["고양이/0.jpg", "개/1.jpg"]),
        ("euc_jp", ["ネコ/写真1.jpg"]),
        ("cp437", ["Käfer/0.jpg", "Größe/1.jpg"]),
        ("cp437", ["été/1.jpg", "forêt/2.jpg"]),
        ("cp850", ["maçã/1.jpg", "limão/2.jpg"]),
        ("cp1252", ["Käfer/0.jpg", "été/1.jpg"]),
        ("cp852", ["kočka/1.jpg", "žába/2.jpg"]),
        ("cp866", ["кошка/1.jpg", "Собака/2.jpg"]),
        ("cp1251", ["кошка/1.jpg", "собака/2.jpg"]),
        ("koi8_r", ["кошка/1.jpg"]),
        ("cp737", ["γάτα/1.jpg", "σκύλος/2.jpg"]),
        ("cp1253", ["γάτα/1.jpg", "σκύλος/2.jpg"]),
        ("cp874", ["แมว/1.jpg", "สุนัข/2.jpg"]),
        ("utf-8", ["猫/0.jpg", "Käfer/1.jpg"]),
    ],
)
def test_few_names_reveal_their_encoding(encoding: str, names: list[str]) -> None:
    found = decoded_names([name.encode(encoding) for name in names])
    assert found is not None
    assert found[1] == names


def test_names_that_fit_no_encoding_stay_as_the_standard_has_them(tmp_path: Path) -> None:
    archive = _zip_with(tmp_path / "a.zip", [b"\x81\xff\xfe.png", "猫.png".encode()])
    assert len(list_archive(archive) or ()) == 2


def test_a_detected_encoding_is_named(tmp_path: Path) -> None:
    names = [name.encode("cp932") for name in ("猫/0.png", "犬/1.png")]
    archive = _zip_with(tmp_path / "a.zip", names)
    assert list_archive(archive) == ["猫/0.png", "犬/1.png"]
    extraction = extract_archive(archive, tmp_path / "out")
    assert extraction.encoding == "cp932"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["犬", "猫"]
    assert "cp932" in str(encoding_notice(archive))
    assert has_new_names(archive)


@pytest.mark.parametrize("encoding", ["utf-8", "cp437", "ascii"])
def test_usual_names_need_no_notice(encoding: str, tmp_path: Path) -> None:
    name = "cafe/0.png" if encoding == "ascii" else "café/0.png"
    archive = _zip_with(tmp_path / "a.zip", [name.encode(encoding)])
    assert list_archive(archive) == [name]
    assert extract_archive(archive, tmp_path / "out").encoding is None
    assert encoding_notice(archive) is None
    assert has_new_names(archive) is (encoding == "utf-8")


def test_the_name_in_an_extra_field_counts(tmp_path: Path) -> None:
    raw = "?é.png".encode("cp850")
    content = b"\x01" + struct.pack("<I", zlib.crc32(raw)) + "日é.png".encode()
    extra = struct.pack("<HH", 0x7075, len(content)) + content
    archive = _zip_with(tmp_path / "a.zip", [raw], extra)
    assert list_archive(archive) == ["日é.png"]


def test_a_hard_link_is_the_file_it_names(tmp_path: Path) -> None:
    first, link = tarfile.TarInfo("./cat/1.png"), tarfile.TarInfo("./dog/copy.png")
    first.size, link.type, link.linkname = len(png_bytes()), tarfile.LNKTYPE, "./cat/1.png"
    archive = tmp_path / "a.tar"
    with tarfile.open(archive, "w") as opened:
        opened.addfile(first, io.BytesIO(png_bytes()))
        opened.addfile(link)
    assert extract_archive(archive, tmp_path / "out").num_files == 2
    copy = tmp_path / "out" / "dog" / "copy.png"
    assert copy.read_bytes() == png_bytes()
    assert copy.stat().st_nlink == 1
    assert list_archive(archive) == ["./cat/1.png", "./dog/copy.png"]
    assert archive_paths(archive) == ["cat/1.png", "dog/copy.png"]


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("/etc/passwd", "an absolute path"),
        ("../../etc/passwd", "leads out of the archive"),
        ("later.png", "a hard link to 'later.png', which is not an earlier file"),
        (".", "a hard link"),
        ("cat", "a hard link to 'cat'"),
    ],
)
def test_hard_links_elsewhere_are_refused(target: str, why: str, tmp_path: Path) -> None:
    folder, link = tarfile.TarInfo("cat"), tarfile.TarInfo("cat/1.png")
    folder.type, link.type, link.linkname = tarfile.DIRTYPE, tarfile.LNKTYPE, target
    archive = tmp_path / "a.tar"
    with tarfile.open(archive, "w") as opened:
        opened.addfile(folder)
        opened.addfile(link)
    with pytest.raises(InvalidDatasetError, match=why):
        extract_archive(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("method", "name"), [(9, "Deflate64"), (93, "Zstandard"), (42, "42")])
def test_a_method_that_is_not_read_is_named(method: int, name: str, tmp_path: Path) -> None:
    content = bytearray(_zip_with(tmp_path / "a.zip", [b"cat/1.png"]).read_bytes())
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        content[content.find(mark) + place] = method
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(InvalidDatasetError, match=f"compressed with {name}, ") as refused:
        extract_archive(tmp_path / "a.zip", tmp_path / "out")
    assert "zip with Deflate" in refused.value.cure


def _end_of_zip(disk: int) -> bytes:
    return b"data" * 200 + b"PK\x05\x06" + struct.pack("<HHHHIIH", disk, disk, 1, 1, 46, 0, 0)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("photos.zip.001", b"PK\x03\x04" + bytes(600)),
        ("photos.zip.002", b"?" * 600),
        ("photos.z01", b"PK\x07\x08PK\x03\x04" + bytes(600)),
        ("photos.z02", b"?" * 600),
        ("photos.zip", _end_of_zip(2)),
        ("photos.zip", b"PK\x03\x04" + _end_of_zip(2)),
        ("photos.part1.rar", b"Rar!\x1a\x07\x01\x00" + bytes(600)),
        ("photos.r00", b"Rar!\x1a\x07\x00" + bytes(600)),
        ("photos.7z.001", b"7z\xbc\xaf\x27\x1c" + bytes(600)),
        ("photos.tar.gz.001", b"\x1f\x8b" + bytes(600)),
    ],
)
def test_parts_of_split_archives_are_named(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InvalidDatasetError, match="one part of a split archive") as refused:
        require_archive(path)
    assert "7-Zip" in refused.value.cure


def test_a_whole_archive_may_be_called_a_part(tmp_path: Path) -> None:
    assert require_archive(_zip_with(tmp_path / "a.zip.001", [b"cat/1.png"])) == "zip"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "an empty file"),
        (b"\n<!DOCTYPE html><html>Sign in", "a web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "a pointer of Git LFS"),
    ],
)
def test_files_that_are_no_archives_are_named(content: bytes, what: str, tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    path.write_bytes(content)
    with pytest.raises(InvalidDatasetError, match=f"is {what}"):
        require_archive(path)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("train.zip", "train"),
        ("a/my.data.v2.tar.gz", "my.data.v2"),
        ("x.part2.rar", "x"),
        ("x.7z.001", "x"),
        ("labels.csv.gz", None),
        ("weights.npz", None),
        ("1.png", None),
    ],
)
def test_archives_inside_are_known_by_their_extension(name: str, stem: str | None) -> None:
    assert archive_stem(name) == stem
