"""One short run on real pictures, recorded, and a way to take its file apart."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from pipelines.document.document import parse_document
from pipelines.replay.archive import OpenReplay, unpack
from pipelines.replay.library import export
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace

DOCUMENT = {
    "format": "pipeline-designer/2",
    "id": "shapes",
    "name": "Shapes <b>taken apart</b>",
    "nodes": [
        {
            "id": "import",
            "module": "import_images",
            "parameters": {"source": "sample:shapes?classes=3&images=30&size=32&seed=1"},
        },
        {"id": "convert", "module": "convert_to_image_directory"},
        {"id": "split", "module": "split_image_directory"},
    ],
    "links": [
        {
            "from": {"node": "import", "port": "dataset"},
            "to": {"node": "convert", "port": "input_dataset"},
        },
        {
            "from": {"node": "convert", "port": "output_image_directory"},
            "to": {"node": "split", "port": "input_image_directory"},
        },
    ],
}


@pytest.fixture(scope="session")
def recorded_runs() -> Iterator[tuple[RunService, str]]:
    """A workspace with one finished run, and the run's id."""
    with tempfile.TemporaryDirectory(prefix="designer-") as folder:
        runs = WorkspaceSession(Workspace.at(Path(folder) / "workspace").make()).runs
        run_id = runs.submit(RunRequest(parse_document(DOCUMENT), name="A <script>run</script>"))
        for _ in runs.follow(run_id):
            continue
        yield runs, run_id
        runs.runner.stop()
        runs.database.close()


@pytest.fixture(scope="session")
def content(recorded_runs: tuple[RunService, str]) -> bytes:
    """The bytes of its replay."""
    return export(*recorded_runs)


@pytest.fixture(scope="session")
def opened(content: bytes) -> OpenReplay:
    return unpack(content)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Another workspace, in which nothing has ever run."""
    return Workspace.at(tmp_path / "elsewhere")


def members_of(content: bytes) -> dict[str, bytes]:
    """Name to content, in order."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(members: dict[str, bytes]) -> bytes:
    """A zip of the members."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()
