"""Image directories as Convert makes them, and what is sealed beside them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

from modules.artifacts import ImageDirectory
from modules.files.hashing import hash_file
from pipelines.inspection.client import Inspector
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.session import WorkspaceSession
from pipelines.store.artifacts.manifest import seal
from pipelines.workspace import Workspace
from tests.pipelines.inspection.runs import run_everything

HOSTILE = "<img src=x onerror=alert(1)>"
MADE_BY = {"key": "k", "run_id": "20260101-000000-abcd", "node": "convert", "module": "convert"}


def write_images(folder: Path, names: dict[str, str | None]) -> ImageDirectory:
    """A sealed directory of small pictures by path and label; the last letter is the colour."""
    rows = []
    for path, label in names.items():
        file = folder / "images" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        shade = ord(Path(path).stem[-1])
        Image.new("RGB", (8 + shade % 2, 8), (shade, 0, 0)).save(file)
        with Image.open(file) as made:
            width, height = made.size
        facts = (path, label, width, height, file.stat().st_size, hash_file(file), "")
        rows.append(dict(zip(ImageDirectory.COLUMNS, facts, strict=True)))
    table = pd.DataFrame(rows).astype({"label": "string"})
    classes = sorted({label for label in names.values() if label is not None})
    skipped = pd.DataFrame(
        {"path": ["bad.png"], "reason": ["the file is truncated"]}, dtype="string"
    )
    directory = ImageDirectory.write(folder, table, classes, skipped=skipped)
    seal(folder, directory, MADE_BY)
    return directory


@pytest.fixture
def directory(tmp_path: Path) -> ImageDirectory:
    """Five images of two classes, one of none; one is a duplicate, one class name is hostile."""
    folder = tmp_path / "artifact-1" / "output"
    folder.mkdir(parents=True)
    return write_images(
        folder,
        {
            "b/1.png": "b",
            "b/2.png": "b",
            "a/3.png": HOSTILE,
            "a/x1.png": HOSTILE,
            "b/4.png": "b",
            "5.png": None,
        },
    )


@pytest.fixture(scope="session")
def outputs() -> Iterator[RunOutputs]:
    """Of a real run with a node of every kind."""
    with tempfile.TemporaryDirectory(prefix="designer-") as folder:
        runs = WorkspaceSession(Workspace.at(Path(folder) / "workspace").make()).runs
        yield RunOutputs(runs, run_everything(runs, Path(folder)))
        runs.runner.stop()
        runs.database.close()


@pytest.fixture(scope="session")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inspector]:
    """The process that answers what needs torch; it ends with these tests."""
    made = Inspector(tmp_path_factory.mktemp("inspector") / "log")
    yield made
    made.close()
