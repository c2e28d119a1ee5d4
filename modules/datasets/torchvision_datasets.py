"""The labelled image-classification datasets of ``torchvision.datasets`` as class folders.

Downloads stay in ``<datasets folder>/torchvision/<name>/``, in torchvision's layout, so that files
copied there manually work without a network. All labelled splits become one set of class folders;
file names start with the split of the image.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import shutil
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modules.artifacts import AnyDirectory
from modules.context import Context
from modules.datasets.dataset_names import DOWNLOADS
from modules.errors import FailedToDownloadFilesError, InvalidDatasetError
from modules.files.disk import disk_errors, scratch_folder
from modules.files.names import folder_name
from modules.files.progress import ProgressReporter
from modules.forecast import ArtifactForecast
from modules.sentences import datasets as say
from modules.sentences.sentence import said_by

TIMEOUT_SECONDS = 15.0
_EXPORT_VERSION = 1
Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Splits:
    """Way to open the labelled splits of a dataset, and known facts about it."""

    arguments: Mapping[str, Arguments] = field(default_factory=lambda: {"all": {}})
    """Split name -> constructor arguments."""
    num_images: int | None = None
    num_classes: int | None = None
    size: int | None = None
    """Pixels of a side, if all images are square and equal."""


def _train_test(
    images: int, classes: int, size: int | None, test: bool = True, **more: Any
) -> Splits:
    splits = {"train": {"train": True, **more}}
    if test:
        splits["test"] = {"train": False, **more}
    return Splits(splits, images, classes, size)


def _named(
    *names: str, images: int | None, classes: int | None, size: int | None = None, **more: Any
) -> Splits:
    return Splits({name: {"split": name, **more} for name in names}, images, classes, size)


DATASETS: Mapping[str, Splits] = {
    "CIFAR10": _train_test(60_000, 10, 32),
    "CIFAR100": _train_test(60_000, 100, 32),
    "CLEVRClassification": _named("train", "val", images=85_000, classes=None),
    "Caltech101": Splits(num_images=8_677, num_classes=101),
    "Caltech256": Splits(),
    "Country211": _named("train", "valid", "test", images=63_300, classes=211),
    "DTD": _named("train", "val", "test", images=5_640, classes=47),
    "EMNIST": _train_test(131_600, 47, 28, split="balanced"),
    "EuroSAT": Splits(num_images=27_000, num_classes=10, size=64),
    "FER2013": _named("train", images=28_709, classes=7, size=48),
    "FGVCAircraft": _named("trainval", "test", images=10_000, classes=100),
    "FakeData": Splits(
        {"all": {"size": 200, "image_size": (3, 32, 32), "num_classes": 10}}, 200, 10, 32
    ),
    "FashionMNIST": _train_test(70_000, 10, 28),
    "Flowers102": _named("train", "val", "test", images=8_189, classes=102),
    "Food101": _named("train", "test", images=101_000, classes=101),
    "GTSRB": _named("train", "test", images=39_270, classes=43),
    "INaturalist": Splits({v: {"version": v} for v in ("2021_train_mini", "2021_valid")}),
    "ImageNet": _named("train", "val", images=1_331_167, classes=1000),
    "Imagenette": _named("train", "val", images=13_394, classes=10),
    "KMNIST": _train_test(70_000, 10, 28),
    "LFWPeople": _named("10fold", images=13_233, classes=5_749, size=250),
    "MNIST": _train_test(70_000, 10, 28),
    # The two halves of Omniglot have different characters under the same numbers, so one is used.
    "Omniglot": Splits({"background": {"background": True}}, 19_280, 964, 105),
    "OxfordIIITPet": _named("trainval", "test", images=7_349, classes=37),
    "PCAM": _named("train", "val", "test", images=327_680, classes=2, size=96),
    "Places365": _named(
        "train-standard", "val", images=1_839_960, classes=365, size=256, small=True
    ),
    "QMNIST": _train_test(120_000, 10, 28),
    "RenderedSST2": _named("train", "val", "test", images=9_613, classes=2, size=448),
    "SEMEION": Splits(num_images=1_593, num_classes=10, size=16),
    "STL10": _named("train", "test", images=13_000, classes=10, size=96),
    "SUN397": Splits(num_images=108_754, num_classes=397),
    "SVHN": _named("train", "test", images=99_289, classes=10, size=32),
    "StanfordCars": _named("train", "test", images=16_185, classes=196),
    "USPS": _train_test(9_298, 10, 16),
}


@dataclass(frozen=True)
class TorchvisionSource:
    """A dataset of torchvision by the name of its class."""

    name: str

    def check(self, context: Context) -> None:
        """Do nothing: errors are reported when it is downloaded."""

    def write(self, context: Context) -> AnyDirectory:
        folder = context.new_folder()
        with disk_errors(folder), _home(self.name, context) as home:
            parts = _open_splits(self.name, home)
            _export(
                parts,
                DATASETS[self.name],
                folder / "data",
                ProgressReporter(context, "images exported"),
            )
        return AnyDirectory.write(folder)

    def fingerprint(self, context: Context) -> str:  # noqa: ARG002
        version = importlib.metadata.version("torchvision")
        return f"torchvision:{self.name}/{_EXPORT_VERSION}:{version}"

    def forecast(self, context: Context) -> ArtifactForecast:  # noqa: ARG002
        known = DATASETS[self.name]
        return ArtifactForecast(
            num_images=known.num_images,
            num_classes=known.num_classes,
            image_height=known.size,
            image_width=known.size,
            labeled=True,
        )


def parse_torchvision(name: str) -> TorchvisionSource:
    """Return the dataset of that name; raise ``InvalidDatasetError`` with all names otherwise."""
    if name not in DATASETS:
        raise InvalidDatasetError(
            say.UNKNOWN_TO_TORCHVISION,
            name=name[:100],
            names=", ".join(DATASETS),
            parameter="source",
        )
    return TorchvisionSource(name)


@contextmanager
def _home(name: str, context: Context) -> Iterator[Path]:
    """Return the folder of the dataset's files; without a datasets folder only for this step."""
    if context.datasets_dir is not None:
        yield context.datasets_dir / DOWNLOADS / name
    else:
        with scratch_folder(context.staging_dir) as scratch:
            yield scratch / name


def _open_splits(name: str, home: Path) -> dict[str, Any]:
    """Return the dataset objects by split, from ``home`` or downloaded to it.

    A first download goes to a temporary folder and is renamed when complete, as torchvision accepts
    a partially unpacked folder as complete.
    """
    import torchvision.datasets

    dataset_type = getattr(torchvision.datasets, name, None)
    if dataset_type is None:
        raise InvalidDatasetError(say.NEWER_TORCHVISION, name=name, parameter="source")
    if home.is_dir():
        try:
            return _construct(dataset_type, name, home, download=False)
        except (OSError, RuntimeError, ValueError):
            _download(dataset_type, name, home, home)
    else:
        with scratch_folder(home.parent) as scratch:
            _download(dataset_type, name, scratch, home)
            scratch.rename(home)
    return _construct(dataset_type, name, home, download=False)


def _construct(dataset_type: Any, name: str, root: Path, *, download: bool) -> dict[str, Any]:
    known = inspect.signature(dataset_type).parameters
    takes_any = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in known.values())
    common: dict[str, Any] = {"root": str(root)} if "root" in known else {}
    if "download" in known or (takes_any and name != "ImageNet"):
        common["download"] = download
    if "loader" in known or name == "ImageNet":
        common["loader"] = Path  # Files are copied, not decoded.
    splits = DATASETS[name].arguments
    return {split: dataset_type(**common, **arguments) for split, arguments in splits.items()}


def _download(dataset_type: Any, name: str, root: Path, home: Path) -> None:
    """Download to ``root``; any failure is 0162 and names ``home``, where the files belong."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(TIMEOUT_SECONDS)
    try:
        _construct(dataset_type, name, root, download=True)
    except (OSError, RuntimeError, ValueError, ImportError) as error:
        raise FailedToDownloadFilesError(
            say.TORCHVISION_NOT_DOWNLOADED,
            name=name,
            folder=home,
            error=said_by(error),
            parameter="source",
        ) from error
    finally:
        socket.setdefaulttimeout(before)


def _export(parts: Mapping[str, Any], known: Splits, folder: Path, pace: ProgressReporter) -> None:
    """Write ``<class>/<split>_<number>.<extension>`` for every image of every split."""
    total, done = sum(len(part) for part in parts.values()), 0
    for split, part in parts.items():
        names = _class_names(part)
        for number in range(len(part)):
            image, label = part[number]
            index = int(label)
            name = names.get(index, f"{index:0{_digits(known)}}")
            place = folder / folder_name(name)
            place.mkdir(parents=True, exist_ok=True)
            _write_image(image, place / f"{split}_{number:06}")
            done += 1
            pace.tell(done, total, last=done == total)


def _write_image(image: Any, stem: Path) -> None:
    """Copy an image that is a file, else write its pixels as PNG."""
    if isinstance(image, Path):
        shutil.copyfile(image, stem.with_name(stem.name + image.suffix.lower()))
    else:
        image.save(stem.with_name(f"{stem.name}.png"), compress_level=1)


def _digits(known: Splits) -> int:
    return len(str((known.num_classes or 1000) - 1))


def _class_names(part: Any) -> dict[int, str]:
    """Return class names by label; numbers if the dataset has no names."""
    names: Any = ()
    for attribute in ("classes", "categories", "all_categories"):
        names = names or getattr(part, attribute, ())
    if not names and isinstance(indices := getattr(part, "class_to_idx", None), Mapping):
        return {index: str(name) for name, index in indices.items()}
    texts = [str(entry[0] if isinstance(entry, tuple) else entry) for entry in names]
    if len(set(map(folder_name, texts))) < len(texts):
        return {}  # ImageNet has two classes "crane": their names alone would merge them.
    return dict(enumerate(texts))
