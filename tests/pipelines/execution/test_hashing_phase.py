"""Looking at a source is a phase of the run: told, cancelled at once, taken up after a kill."""

from __future__ import annotations

import signal
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipelines.document.document import PipelineDocument, parse_document
from pipelines.events import Event, fold
from pipelines.execution.executor import Executor
from pipelines.execution.resources import Slots
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.store.database.leadership import Leadership
from pipelines.store.database.targets import TargetStore
from pipelines.targets.compute_targets import make_target
from pipelines.workspace import Workspace
from tests.modules.downloads.web import Site, serving
from tests.modules.image_directories.pictures import png_bytes
from tests.workspaces import opened


@pytest.fixture
def site() -> Iterator[Site]:
    """A server that sends half of an archive of two megabytes, then next to nothing."""
    made = Site(drip=threading.Event())
    yield made
    assert made.drip is not None
    made.drip.set()


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunService]:
    monkeypatch.setenv("DESIGNER_ALLOWED_DOWNLOAD_HOSTS", "localhost")
    monkeypatch.setenv("NO_PROXY", "localhost")
    with opened(Workspace.at(tmp_path / "workspace").make()) as made:
        yield made
        made.runner.stop()


def archive(folder: Path) -> bytes:
    path = folder / "archive.zip"
    with zipfile.ZipFile(path, "w") as opened_file:
        for number in range(4):
            opened_file.writestr(f"{'ab'[number % 2]}/{number}.png", png_bytes(number))
        opened_file.writestr("a/notes.bin", bytes(2_000_000))
    return path.read_bytes()


def document(source: str) -> PipelineDocument:
    return parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "looking",
            "nodes": [
                {"id": "import", "module": "import_images", "parameters": {"source": source}},
                {"id": "convert", "module": "convert_to_image_directory"},
            ],
            "links": [
                {
                    "from": {"node": "import", "port": "dataset"},
                    "to": {"node": "convert", "port": "input_dataset"},
                }
            ],
        }
    )


def follow_until(runs: RunService, run_id: str, wanted: Callable[[Event], bool]) -> list[Event]:
    events: list[Event] = []
    for batch in runs.follow(run_id):
        events += batch
        if any(wanted(event) for event in batch):
            break
    return events


def is_looking(event: Event) -> bool:
    return event.kind == "StepLooking" and event.data["done"] >= 1


def test_a_download_is_told_on_its_node_and_cancelled_at_once(
    runs: RunService, site: Site, tmp_path: Path
) -> None:
    site.content = archive(tmp_path)
    with serving(site) as address:
        run_id = runs.submit(RunRequest(document(f"{address}/birds.zip")))
        state = fold(follow_until(runs, run_id, is_looking))
        progress = state.steps["import"].progress
        assert state.steps["import"].status == "not started"
        assert progress is not None
        assert (progress["done"], progress["total"]) == (1, 2)
        assert progress["unit"] == "MB downloaded"
        runs.cancel(run_id)
        *_, last = [event for batch in runs.follow(run_id) for event in batch]
        assert (last.kind, last.data["status"]) == ("RunFinished", "cancelled")
        assert site.drip is not None
        assert not site.drip.is_set()
        site.drip.set()


def test_a_download_that_ends_because_of_the_cancel_does_not_fail_the_run(
    runs: RunService, site: Site, tmp_path: Path
) -> None:
    """The thread that plans may hear of a cancel before the executor's next round."""
    site.content = archive(tmp_path)
    planned = threading.Event()
    records = TargetStore(runs.database).all()
    executor = Executor(
        runs.workspace,
        runs.database,
        {record.name: make_target(record, runs.workspace) for record in records},
        Slots(1, (), 1),
        planned.set,
        Leadership(runs.database, {}),
    )
    with serving(site) as address:
        made = document(f"{address}/birds.zip")
        run_id = runs.store.create(made.to_json(), ["import", "convert"], name="A", experiment="A")
        executor.admit(run_id)
        run = executor.active[run_id]
        while not run.planning_progress:
            assert not planned.wait(0.01)
        executor.cancel(run_id)
        assert planned.wait(60)
    executor.advance()
    executor.shut_down()
    assert runs.store.state(run_id).status == "cancelled"


@pytest.mark.extended
def test_a_killed_runner_goes_on_with_the_download(
    runs: RunService, site: Site, tmp_path: Path
) -> None:
    site.content = archive(tmp_path)
    with serving(site) as address:
        run_id = runs.submit(RunRequest(document(f"{address}/birds.zip")))
        follow_until(runs, run_id, is_looking)
        runner = current_runner(runs.workspace)
        assert runner is not None
        runner.identity.signal(signal.SIGKILL)
        assert site.drip is not None
        site.drip.set()
        for _ in runs.follow(run_id):
            pass
    state = runs.store.state(run_id)
    assert state.status == "completed", state.problem
    assert (state.steps["convert"].summary or "").startswith("4 images, 2 classes")
    assert site.starts[-1] >= 1_000_000
