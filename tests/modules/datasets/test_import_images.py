"""Import Images: sources of every kind, what is wrong with them, and what is foreseen."""

from __future__ import annotations

import gzip
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from modules.catalog_spec import module_spec
from modules.datasets.import_images import ImportParameters, import_images, resolve_source
from modules.datasets.registered import RegisteredDataset, list_datasets, register_dataset
from modules.datasets.torchvision_datasets import DATASETS
from modules.errors import (
    FailedToDownloadFilesError,
    InvalidDatasetError,
    ModuleError,
    NotInRangeValueError,
    NullOrEmptyError,
    SourceNotAllowedError,
)
from modules.forecast import ArtifactForecast
from tests.json_values import as_json
from tests.modules.conftest import Workplace
from tests.modules.image_directories.pictures import png_bytes

Fill = Callable[..., Path]


def run(source: str | None, workplace: Workplace) -> Path:
    location = import_images(ImportParameters(source=source), workplace.context()).dataset.location
    assert isinstance(location, Path)
    return location


def fingerprint(source: str, workplace: Workplace) -> str:
    assert import_images.fingerprint is not None
    return import_images.fingerprint(ImportParameters(source=source), workplace.context())


def foreseen(source: str, workplace: Workplace) -> ArtifactForecast:
    assert import_images.forecast is not None
    forecast = import_images.forecast({}, ImportParameters(source=source), workplace.context())
    found = forecast.outputs["dataset"]
    assert isinstance(found, ArtifactForecast)
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_digits_are_the_real_scans(workplace: Workplace) -> None:
    from sklearn.datasets import load_digits

    folder = run("sample:digits", workplace)
    files = sorted(folder.glob("*/*.png"), key=lambda path: path.name)
    assert len(files) == 1797
    digits = load_digits()
    assert [int(path.parent.name) for path in files] == digits.target.tolist()
    with Image.open(files[100]) as image:
        assert (image.size, image.mode) == ((32, 32), "L")
        scan = np.asarray(image.resize((8, 8), Image.Resampling.BOX), dtype=float)
    assert np.corrcoef(scan.ravel(), digits.images[100].ravel())[0, 1] > 0.95
    assert foreseen("sample:digits", workplace) == ArtifactForecast(1797, 10, 32, 32, labeled=True)


def test_shapes_are_seeded(workplace: Workplace) -> None:
    source = "sample:shapes?classes=3&images=12&size=24&seed=5"
    first = contents(run(source, workplace))
    assert contents(run(source, workplace)) == first
    assert contents(run(source.replace("seed=5", "seed=6"), workplace)) != first
    assert sorted(first)[:2] == ["circle/00000.png", "circle/00003.png"]
    assert {name.split("/")[0] for name in first} == {"circle", "square", "triangle"}
    assert len(set(first.values())) == 12
    assert foreseen(source, workplace) == ArtifactForecast(12, 3, 24, 24, labeled=True)


def test_all_shapes_are_drawn_in_colour(workplace: Workplace) -> None:
    folder = run("sample:shapes?classes=8&images=8&size=40", workplace)
    for path in folder.glob("*/*.png"):
        with Image.open(path) as image:
            assert (image.size, image.mode) == ((40, 40), "RGB")
            assert np.asarray(image).std() > 5
    assert len(list(folder.iterdir())) == 8


def test_a_folder_is_referred_to(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"cat/1.png": None, "dog/1.png": None, "dog/2.png": None, "notes.txt": b"x"})
    assert run(f"file:{folder}", workplace) == folder
    known = foreseen(f"file:{folder}", workplace)
    assert (known.num_images, known.num_classes, known.labeled) == (3, 2, True)
    flat = foreseen(f"file:{folder / 'dog'}", workplace)
    assert (flat.num_images, flat.num_classes, flat.labeled) == (2, 0, False)


def test_an_archive_is_referred_to(tmp_path: Path, workplace: Workplace) -> None:
    archive = tmp_path / "set.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("set/cat/1.png", png_bytes())
        opened.writestr("set/dog/1.png", png_bytes())
        opened.writestr("__MACOSX/set/cat/._1.png", b"")
    assert run(f"file:{archive}", workplace) == archive
    known = foreseen(f"file:{archive}", workplace)
    assert (known.num_images, known.num_classes) == (2, 2)


@pytest.mark.parametrize(
    ("files", "is_new"),
    [
        (["a/1.png", "b/1.png"], False),
        (["train/a/1.png", "train/b/1.png", "val/a/1.png"], False),
        (["1.png"], False),
        (["train/1.png", "test/1.png"], True),
        (["seg_train/a/1.png", "seg_train/b/1.png", "seg_test/a/1.png"], True),
        (["cat_1.png", "cat_2.png", "dog_1.png", "dog_2.png"], True),
    ],
)
def test_only_datasets_that_are_read_in_another_way_have_a_new_fingerprint(
    files: list[str], is_new: bool, fill: Fill, workplace: Workplace
) -> None:
    folder = fill(dict.fromkeys(files))
    assert fingerprint(f"file:{folder}", workplace).endswith(":layout-2") is is_new


@pytest.mark.parametrize(
    ("table", "is_new"),
    [
        (b"path,label\n1.png,a\n2.png,b\n", False),
        (b"path;label\n1.png;a\n2.png;b\n", False),
        (b"id,breed\n1,a\n2,b\n", True),
        ("path,label\n1.png,a\n2.png,b\n".encode("utf-16"), True),
    ],
)
def test_a_table_that_earlier_versions_read_keeps_the_fingerprint(
    table: bytes, is_new: bool, fill: Fill, workplace: Workplace
) -> None:
    folder = fill({"1.png": None, "2.png": None, "labels.csv": table})
    assert fingerprint(f"file:{folder}", workplace).endswith(":layout-2") is is_new


def test_fingerprints_follow_the_content(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"cat/1.png": None})
    first = fingerprint(f"file:{folder}", workplace)
    assert fingerprint(f"file:{folder}", workplace) == first
    facts = (folder / "cat" / "1.png").stat()
    (folder / "cat" / "1.png").write_bytes(png_bytes(77))
    os.utime(folder / "cat" / "1.png", ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert fingerprint(f"file:{folder}", workplace) != first
    samples = ("sample:digits", "sample:shapes", "sample:shapes?seed=8", "torchvision:CIFAR10")
    assert len({fingerprint(sample, workplace) for sample in samples}) == 4
    same = "sample:shapes?seed=7&size=64"
    assert fingerprint(same, workplace) == fingerprint("sample:shapes", workplace)


def findings(source: str | None) -> list[tuple[str, str]]:
    assert import_images.check is not None
    found = list(import_images.check(ImportParameters(source=source)))
    assert all((each.parameter, each.severity) == ("source", "error") for each in found)
    return [(each.message, each.cure) for each in found]


@pytest.mark.parametrize(
    ("source", "error", "cure"),
    [
        (None, NullOrEmptyError, "sample:digits"),
        ("  ", NullOrEmptyError, "sample:digits"),
        ("/data/photos", NotInRangeValueError, "file:/data/photos"),
        ("photos.zip", NotInRangeValueError, "file:photos.zip"),
        (
            "ftp://x/y.zip",
            NotInRangeValueError,
            "sample:, file:, https:, s3:, abfs:, gs:, dataset: or torchvision:",
        ),
        ("file:", NotInRangeValueError, "Write a name after"),
        ("file:/a\0b", InvalidDatasetError, "Check the path"),
        ("sample:birds", NotInRangeValueError, "sample:digits, sample:shapes"),
        ("sample:digits?size=3", NotInRangeValueError, "Remove everything"),
        ("sample:shapes?colour=red", NotInRangeValueError, "classes, images, size, seed"),
        ("sample:shapes?classes=9", NotInRangeValueError, "from 2 to 8"),
        ("sample:shapes?classes=two", NotInRangeValueError, "from 2 to 8"),
        ("sample:shapes?images=" + "9" * 4000, NotInRangeValueError, "whole number"),
        ("sample:shapes?size=-64", NotInRangeValueError, "from 16 to 1,024"),
        ("dataset:../../etc", NotInRangeValueError, "letters, digits"),
        ("dataset:.hidden", NotInRangeValueError, "letters, digits"),
        ("dataset:a/b", NotInRangeValueError, "letters, digits"),
        ("dataset:torchvision", NotInRangeValueError, "do not use torchvision"),
        ("dataset:birds@latest", NotInRangeValueError, "whole number"),
        ("dataset:birds@0", NotInRangeValueError, "whole number"),
        ("dataset:birds@", NotInRangeValueError, "whole number"),
        ("torchvision:VOCDetection", InvalidDatasetError, "CIFAR10, CIFAR100"),
        ("torchvision:os.system", InvalidDatasetError, "CIFAR10, CIFAR100"),
    ],
)
def test_ill_formed_sources_are_found_before_and_refused_when_run(
    source: str | None, error: type[ModuleError], cure: str, workplace: Workplace
) -> None:
    ((_, told),) = findings(source)
    assert cure in told
    with pytest.raises(error) as caught:
        resolve_source(source, workplace.context())
    assert caught.value.cure == told
    assert caught.value.parameter == "source"
    assert import_images.forecast is not None
    forecast = import_images.forecast({}, ImportParameters(source=source), workplace.context())
    assert len(forecast.findings) == 1


@pytest.mark.parametrize("source", ["sample:digits", "file:/x", "dataset:b@3", "torchvision:USPS"])
def test_well_formed_sources_have_no_finding(source: str) -> None:
    assert findings(source) == []


def test_what_is_not_there_or_no_archive_is_0018(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"a.png": None, "a.7z": b"7z\xbc\xaf\x27\x1c"})
    for path, match in (
        (folder / "gone", "was not found"),
        (folder / ("n" * 3000), "was not found"),
        (folder / "a.png", "is not an archive"),
        (folder / "a.7z", "7z archive"),
    ):
        with pytest.raises(InvalidDatasetError, match=match):
            resolve_source(f"file:{path}", workplace.context())


def test_only_allowed_folders_are_read(fill: Fill, workplace: Workplace) -> None:
    secret = fill({"1.png": None}, "secret")
    allowed = fill({"set/1.png": None}, "allowed")
    (allowed / "link").symlink_to(secret)
    context = workplace.context(allowed_roots=(allowed,))
    resolve_source(f"file:{allowed}", context)
    resolve_source(f"file:{allowed}/set", context)
    resolve_source("sample:digits", context)
    for path in (secret, allowed / "link", allowed / ".." / "secret", "/etc", f"{allowed}2"):
        with pytest.raises(SourceNotAllowedError, match="Move it into"):
            resolve_source(f"file:{path}", context)
    with pytest.raises(SourceNotAllowedError):
        resolve_source(f"file:{allowed}", workplace.context(allowed_roots=()))


def test_datasets_have_versions(fill: Fill, tmp_path: Path, workplace: Workplace) -> None:
    datasets_dir = workplace.root / "datasets"
    folder = fill({"cat/1.png": None})
    assert list_datasets(datasets_dir) == []
    assert register_dataset(folder, "pets", datasets_dir) == 1
    archive = tmp_path / "pets.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("dog/1.png", png_bytes())
    assert register_dataset(archive, "pets", datasets_dir) == 2
    assert list_datasets(datasets_dir) == [RegisteredDataset("pets", (1, 2))]
    assert contents(run("dataset:pets@1", workplace)) == contents(folder)
    assert list(contents(run("dataset:pets", workplace))) == ["dog/1.png"]
    newest = fingerprint("dataset:pets", workplace)
    assert newest == fingerprint("dataset:pets@2", workplace)
    assert newest != fingerprint("dataset:pets@1", workplace)
    assert foreseen("dataset:pets", workplace).num_images == 1
    with pytest.raises(
        InvalidDatasetError, match=r"pets@3 was not found.*Available versions: 1, 2"
    ):
        run("dataset:pets@3", workplace)
    with pytest.raises(
        InvalidDatasetError, match=r"Dataset birds was not found.*designer dataset import"
    ):
        run("dataset:birds", workplace)


def test_a_failed_registration_leaves_nothing(fill: Fill, tmp_path: Path) -> None:
    datasets_dir = tmp_path / "datasets"
    linked = fill({"a.png": None}, "linked")
    (linked / "out").symlink_to("/etc/passwd")
    broken = fill({"bad.zip": b"PK\x03\x04 broken"}, "broken")
    for source in (linked, broken / "bad.zip", fill({}, "empty"), tmp_path / "gone"):
        with pytest.raises(InvalidDatasetError):
            register_dataset(source, "pets", datasets_dir)
    for name in ("../pets", "", "a b", "torchvision", "x" * 101, "pets\n"):
        with pytest.raises(NotInRangeValueError):
            register_dataset(linked, name, datasets_dir)
    assert list(datasets_dir.iterdir()) == []


def test_generated_data_of_torchvision_become_class_folders(workplace: Workplace) -> None:
    folder = run("torchvision:FakeData", workplace)
    files = contents(folder)
    assert len(files) == 200
    assert {name.split("/")[0] for name in files} <= set("0123456789")


def test_cached_datasets_of_torchvision_need_no_network(workplace: Workplace) -> None:
    """MNIST as torchvision keeps it, but with few pictures; EuroSAT as the folders it is."""
    cache = workplace.root / "datasets" / "torchvision"
    raw = cache / "MNIST" / "MNIST" / "raw"
    raw.mkdir(parents=True)
    for split, count in (("train", 12), ("t10k", 3)):
        pixels = struct.pack(">IIII", 0x803, count, 28, 28) + bytes(count * 784)
        digits = struct.pack(">II", 0x801, count) + bytes(each % 10 for each in range(count))
        for name, content in (("images-idx3", pixels), ("labels-idx1", digits)):
            (raw / f"{split}-{name}-ubyte").write_bytes(content)
            (raw / f"{split}-{name}-ubyte.gz").write_bytes(gzip.compress(content))
    names = list(contents(run("torchvision:MNIST", workplace)))
    assert len(names) == 15
    assert "3 - three/train_000003.png" in names
    assert "0 - zero/test_000000.png" in names
    satellite = cache / "EuroSAT" / "eurosat" / "2750"
    for name in ("Forest", "River"):
        (satellite / name).mkdir(parents=True)
        (satellite / name / f"{name}_1.jpg").write_bytes(name.encode())
    files = contents(run("torchvision:EuroSAT", workplace))
    assert files == {"Forest/all_000000.jpg": b"Forest", "River/all_000001.jpg": b"River"}


def test_every_listed_dataset_is_one_of_torchvision() -> None:
    import inspect

    import torchvision.datasets

    for name, splits in DATASETS.items():
        dataset_type = getattr(torchvision.datasets, name)
        known = inspect.signature(dataset_type).parameters
        takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in known.values())
        for arguments in splits.arguments.values():
            assert takes_any or set(arguments) <= set(known), name


@pytest.mark.extended
def test_without_cache_and_network_it_is_0162(workplace: Workplace) -> None:
    """In a process of its own, where no host name can be resolved."""
    code = f"""
import socket, sys
from pathlib import Path
def nowhere(*arguments, **options):
    raise socket.gaierror("no network")
socket.getaddrinfo = nowhere
from modules.context import Context
from modules.datasets.import_images import ImportParameters, import_images
from modules.errors import FailedToDownloadFilesError
root = Path({str(workplace.root)!r})
try:
    import_images(ImportParameters(source="torchvision:CIFAR10"),
                  Context(root / "step", datasets_dir=root / "datasets"))
except FailedToDownloadFilesError as error:
    assert str(root / "datasets" / "torchvision" / "CIFAR10") in error.cure, error.cure
    assert list((root / "datasets" / "torchvision").iterdir()) == []
    sys.exit(62)
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 62
    assert FailedToDownloadFilesError.code == "0162"


def test_importing_the_modules_imports_no_library() -> None:
    code = (
        "import sys, modules.datasets.import_images\n"
        "import modules.image_directories.convert_to_image_directory\n"
        "import modules.image_directories.split_image_directory\n"
        "heavy = {'PIL', 'numpy', 'torch', 'torchvision', 'pandas', 'pyarrow', 'sklearn'}\n"
        "assert not heavy & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_three_modules_describe_themselves() -> None:
    import json

    from modules.image_directories.convert_to_image_directory import convert_to_image_directory
    from modules.image_directories.split_image_directory import split_image_directory

    titles = []
    for each in (import_images, convert_to_image_directory, split_image_directory):
        spec = module_spec(each)
        json.dumps(as_json(spec))
        titles += [port.title for port in (*spec.inputs, *spec.outputs)]
    assert titles == [
        "Dataset",
        "Input dataset",
        "Output image directory",
        "Input image directory",
        "Output image directory1",
        "Output image directory2",
    ]
    source, _part = as_json(module_spec(import_images))["parameters"]
    assert "sample:digits" in source["suggestions"]
