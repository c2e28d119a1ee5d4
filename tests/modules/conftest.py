"""A context that remembers what it was told, small pictures, and data sets to train on."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from modules.artifacts import ImageDirectory
from modules.context import Context, Report
from modules.files.object_folder import ObjectFolder
from tests import s3
from tests.modules.downloads.web import ALLOWED, CONTENT, Site, serving
from tests.modules.image_directories.pictures import png_bytes
from tests.modules.training.noise import two_squares


@dataclass
class Workplace:
    """Contexts in one artifact store, and the events of all of them."""

    root: Path
    events: list[Report] = field(default_factory=list)
    _num_contexts: int = 0

    def context(self, allowed_roots: tuple[Path, ...] | None = None) -> Context:
        self._num_contexts += 1
        return Context(
            self.root / "store" / f"step-{self._num_contexts}",
            cache_dir=self.root / "cache",
            datasets_dir=self.root / "datasets",
            allowed_roots=allowed_roots,
            emit=self.events.append,
        )

    @property
    def warnings(self) -> list[str]:
        return [event["message"] for event in self.events if event["kind"] == "warning"]

    @property
    def summary(self) -> str:
        return next(
            str(event["text"]) for event in reversed(self.events) if event["kind"] == "summary"
        )


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    return Workplace(tmp_path / "workplace")


@pytest.fixture
def there(s3_port: int, monkeypatch: pytest.MonkeyPatch) -> ObjectFolder:
    """An empty folder of a store."""
    for name, value in s3.environment(s3_port).items():
        monkeypatch.setenv(name, value)
    return ObjectFolder.parse(f"s3://{s3.new_bucket(s3_port)}/some/birds")


@pytest.fixture
def fill(tmp_path: Path) -> Callable[..., Path]:
    """Make a folder of files: ``fill({"cat/1.png": None})``, None being a picture of its own."""

    def make(files: dict[str, bytes | None], name: str = "dataset") -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        for number, (path, content) in enumerate(files.items()):
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(png_bytes(number) if content is None else content)
        return folder

    return make


def zipped(folder: Path) -> Path:
    """Write a ZIP file with the files of a folder next to it, and return its path."""
    archive = folder.with_suffix(".zip")
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                file.write(path, path.relative_to(folder))
    return archive


@pytest.fixture
def downloads_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine may be asked, and no proxy is."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv(ALLOWED, "localhost")


@pytest.fixture
def site() -> Site:
    return Site(CONTENT)


@pytest.fixture
def url(site: Site) -> Iterator[str]:
    with serving(site) as address:
        yield f"{address}/birds.zip"


@pytest.fixture
def squares(tmp_path: Path) -> tuple[ImageDirectory, ImageDirectory]:
    return two_squares(tmp_path)
