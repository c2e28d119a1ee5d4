"""Archives, good and hostile."""

from __future__ import annotations

import errno
import io
import os
import random
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from modules.errors import InvalidDatasetError, ModuleOutOfMemoryError
from modules.files.archive_kinds import require_archive
from modules.files.archives import ExtractionLimits, extract_archive, list_archive
from modules.files.disk import disk_errors
from tests.modules.image_directories.pictures import png_bytes

FILES = {"set/cat/1.png": png_bytes(1), "set/dog/ünïcode.png": png_bytes(2), "set/read.me": b"hi"}
TAR_MODES = {"tar": "w", "tar.gz": "w:gz", "tar.bz2": "w:bz2", "tar.xz": "w:xz"}
KINDS = ("zip", *TAR_MODES)
Entry = tuple[tarfile.TarInfo, bytes]


def make_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def make_tar(path: Path, entries: list[Entry], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for info, content in entries:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def make(kind: str, folder: Path, files: dict[str, bytes]) -> Path:
    path = folder / f"archive.{kind}"
    if kind == "zip":
        return make_zip(path, files)
    entries = [(tarfile.TarInfo(name), content) for name, content in files.items()]
    return make_tar(path, entries, TAR_MODES[kind])


def refused(archive: Path, match: str, limits: ExtractionLimits | None = None) -> None:
    """Check that it is refused with that sentence and a cure, and that nothing is left behind."""
    before = sorted(archive.parent.rglob("*"))
    with pytest.raises(InvalidDatasetError, match=match) as caught:
        extract_archive(archive, archive.parent / "out", limits or ExtractionLimits())
    assert caught.value.cure.endswith(".")
    assert sorted(archive.parent.rglob("*")) == before


@pytest.mark.parametrize("kind", KINDS)
def test_archives_are_known_by_their_content(kind: str, tmp_path: Path) -> None:
    archive = make(kind, tmp_path, FILES).rename(tmp_path / "no extension")
    extraction = extract_archive(archive, tmp_path / "out")
    found = {
        str(path.relative_to(tmp_path / "out")): path.read_bytes()
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    }
    assert found == FILES
    assert (extraction.num_files, extraction.renamed) == (3, ())
    assert extraction.num_bytes == sum(map(len, FILES.values()))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["no extension", "out"]


def test_names_can_be_listed_where_that_is_quick(tmp_path: Path) -> None:
    assert list_archive(make("zip", tmp_path, FILES)) == list(FILES)
    assert list_archive(make("tar", tmp_path, FILES)) == list(FILES)
    assert list_archive(make("tar.gz", tmp_path, FILES)) is None


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (b"Rar!\x1a\x07\x01\x00", "rar"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
    ],
)
def test_other_archives_are_refused_with_the_list(start: bytes, name: str, tmp_path: Path) -> None:
    archive = tmp_path / "photos.zip"
    archive.write_bytes(start + bytes(600))
    refused(archive, f"is a {name} archive.*zip, tar, tar.gz, tar.bz2 or tar.xz")


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    for number, content in enumerate((b"text", png_bytes(), b"?" + os.urandom(2000))):
        path = tmp_path / f"{number}.zip"
        path.write_bytes(content)
        with pytest.raises(InvalidDatasetError, match="is not an archive"):
            require_archive(path)


def test_a_compressed_file_that_is_no_tar_is_refused(tmp_path: Path) -> None:
    import gzip

    archive = tmp_path / "picture.gz"
    archive.write_bytes(gzip.compress(png_bytes() * 10))
    refused(archive, "no tar archive in it")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("../evil.png", "leads out of the archive"),
        ("a/../../evil.png", "leads out of the archive"),
        ("..\\evil.png", "leads out of the archive"),
        ("/tmp/evil.png", "an absolute path"),
        ("\\evil.png", "an absolute path"),
        ("C:\\evil.png", "an absolute path"),
        ("n" * 300 + "/x.png", "a name that this disk cannot store"),
    ],
)
def test_paths_that_lead_elsewhere_are_refused(
    kind: str, name: str, fault: str, tmp_path: Path
) -> None:
    refused(make(kind, tmp_path, {"ok.png": png_bytes(), name: b"evil"}), fault)


def test_links_in_a_tar_are_refused(tmp_path: Path) -> None:
    link = tarfile.TarInfo("link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    refused(make_tar(tmp_path / "a.tar", [(link, b"")]), "'link' is a link")


@pytest.mark.parametrize("type_", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_devices_in_a_tar_are_refused(type_: bytes, tmp_path: Path) -> None:
    device = tarfile.TarInfo("device")
    device.type = type_
    refused(make_tar(tmp_path / "a.tar", [(device, b"")]), "'device' is a device")


@pytest.mark.parametrize(("kind", "what"), [(stat.S_IFLNK, "a link"), (stat.S_IFCHR, "a device")])
def test_links_and_devices_in_a_zip_are_refused(kind: int, what: str, tmp_path: Path) -> None:
    info = zipfile.ZipInfo("special")
    info.external_attr = (kind | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    refused(tmp_path / "a.zip", f"'special' is {what}")


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    """The flag of traditional encryption, set by hand in both headers."""
    path = make_zip(tmp_path / "a.zip", {"secret.png": png_bytes()})
    data = bytearray(path.read_bytes())
    local, central = data.index(b"PK\x03\x04"), data.index(b"PK\x01\x02")
    for at in (local + 6, central + 8):
        data[at : at + 2] = struct.pack("<H", struct.unpack("<H", data[at : at + 2])[0] | 1)
    path.write_bytes(data)
    refused(path, "is encrypted")


@pytest.mark.parametrize("kind", KINDS)
def test_limits_are_counted_while_writing(kind: str, tmp_path: Path) -> None:
    files = {f"{number}.txt": bytes(100_000) for number in range(20)}
    archive = make(kind, tmp_path, files)
    refused(archive, "more than 10 files", ExtractionLimits(num_files=10))
    refused(archive, "more than 1,000,000 bytes", ExtractionLimits(num_bytes=1_000_000))
    if kind != "tar":
        refused(archive, "times its size", ExtractionLimits(ratio=10, free_bytes=100_000))


def test_sizes_in_headers_are_not_believed(tmp_path: Path) -> None:
    """A zip whose directory says 10 bytes where 5 MB come out."""
    path = make_zip(tmp_path / "a.zip", {"x.bin": bytes(5_000_000)})
    data = path.read_bytes().replace(struct.pack("<I", 5_000_000), struct.pack("<I", 10))
    path.write_bytes(data)
    refused(path, "damaged|times its size", ExtractionLimits(ratio=2, free_bytes=1000))


def test_a_real_bomb_is_stopped(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "bomb.zip", {"x.bin": bytes(100 * 2**20)})
    assert path.stat().st_size < 200_000
    refused(path, "may be a zip bomb")


def test_folders_count_as_files(tmp_path: Path) -> None:
    names = {f"{number}/": b"" for number in range(50)}
    refused(make("zip", tmp_path, names), "more than 20 files", ExtractionLimits(num_files=20))


def test_a_header_of_impossible_length_is_refused(tmp_path: Path) -> None:
    """A "long name" of 100 MB would be read into memory at once."""
    info = tarfile.TarInfo("././@LongLink")
    info.type = tarfile.GNUTYPE_LONGNAME
    archive = make_tar(tmp_path / "a.tar.gz", [(info, bytes(100 * 2**20))], "w:gz")
    refused(archive, "header is too long|may be a zip bomb")


@pytest.mark.parametrize("kind", KINDS)
def test_archives_without_files_are_refused(kind: str, tmp_path: Path) -> None:
    refused(make(kind, tmp_path, {}), "contains no files")


def test_an_archive_of_folders_only_is_refused(tmp_path: Path) -> None:
    refused(make("zip", tmp_path, {"cat/": b"", "dog/": b""}), "contains no files")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.2, 0.5, 0.75])
def test_archives_that_are_cut_off_are_refused(kind: str, share: float, tmp_path: Path) -> None:
    files = {f"{number}.bin": random.Random(number).randbytes(9_000) for number in range(20)}
    archive = make(kind, tmp_path, files)
    data = archive.read_bytes()
    archive.write_bytes(data[: int(len(data) * share)])
    refused(archive, "damaged or truncated")


def test_a_tar_cut_between_two_files_is_refused(tmp_path: Path) -> None:
    archive = make("tar", tmp_path, {"a.bin": bytes(range(200)), "b.bin": b"b"})
    archive.write_bytes(archive.read_bytes()[:1024])
    refused(archive, "end mark is missing")


@pytest.mark.parametrize("kind", KINDS)
def test_flipped_bits_never_do_worse_than_0018(kind: str, tmp_path: Path) -> None:
    files = {f"{number}.bin": random.Random(number).randbytes(900) for number in range(9)}
    data = make(kind, tmp_path, files).read_bytes()
    for seed in range(40):
        chance = random.Random(seed)
        damaged = bytearray(data)
        for _ in range(4):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        folder = tmp_path / str(seed)
        folder.mkdir()
        (folder / "archive").write_bytes(damaged)
        try:
            extract_archive(folder / "archive", folder / "out")
        except InvalidDatasetError:
            assert [path.name for path in folder.iterdir()] == ["archive"]


def test_equal_names_are_kept_side_by_side(tmp_path: Path) -> None:
    entries = [(tarfile.TarInfo("cat/1.png"), png_bytes(seed)) for seed in range(3)]
    extraction = extract_archive(make_tar(tmp_path / "a.tar", entries), tmp_path / "out")
    assert extraction.renamed == ("cat/1.png", "cat/1.png")
    contents = {path.name: path.read_bytes() for path in (tmp_path / "out" / "cat").iterdir()}
    assert contents == {
        "1.png": png_bytes(0),
        "1~2.png": png_bytes(1),
        "1~3.png": png_bytes(2),
    }


def test_names_that_differ_by_case_or_normalisation_are_all_kept(tmp_path: Path) -> None:
    names = ("A.png", "a.png", "\u00e9.png", "e\u0301.png")
    archive = make("zip", tmp_path, {name: name.encode() for name in names})
    extract_archive(archive, tmp_path / "out")
    kept = {path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert kept == {name.encode() for name in names}


def test_a_file_that_is_also_a_folder_is_refused(tmp_path: Path) -> None:
    refused(make("tar", tmp_path, {"a": b"1", "a/b": b"2"}), "a name that this disk cannot store")


def test_folders_of_windows_and_odd_names_work(tmp_path: Path) -> None:
    odd = tarfile.TarInfo("caf\udce9.png")  # Latin-1 bytes in a tar.
    archive = make_tar(tmp_path / "a.tar", [(odd, b"1"), (tarfile.TarInfo("./x/y.png"), b"2")])
    extract_archive(archive, tmp_path / "out")
    assert (tmp_path / "out" / "caf\ufffd.png").read_bytes() == b"1"
    archive = make("zip", tmp_path, {"win\\cat\\1.png": b"3"})
    extract_archive(archive, tmp_path / "win")
    assert (tmp_path / "win" / "win" / "cat" / "1.png").read_bytes() == b"3"


def test_a_full_disk_is_0138(tmp_path: Path) -> None:
    for number in (errno.ENOSPC, errno.EDQUOT):
        with pytest.raises(ModuleOutOfMemoryError, match="Free disk space"), disk_errors(tmp_path):
            raise OSError(number, "full")
    with pytest.raises(PermissionError), disk_errors(tmp_path):
        raise PermissionError(errno.EACCES, "no")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_disk_that_is_really_full_is_0138() -> None:
    with pytest.raises(ModuleOutOfMemoryError), disk_errors(Path("/dev")):
        Path("/dev/full").write_bytes(b"x" * 10_000)


def test_progress_is_reported(tmp_path: Path) -> None:
    told: list[int] = []
    report: Callable[[int], None] = told.append
    extract_archive(make("zip", tmp_path, FILES), tmp_path / "out", report=report)
    assert told == [1, 2, 3]
