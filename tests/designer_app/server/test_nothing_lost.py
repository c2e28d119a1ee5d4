"""What was acknowledged is there afterwards: pictures around the workspace, kills, lost files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.designer_app.documents import document, node
from tests.designer_app.server.app_process import app, client_of, designer, opened, save, saved
from tests.modules.image_directories.pictures import png_bytes
from tests.polling import wait_for

pytestmark = pytest.mark.extended


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of pictures in which the designer is started, so that its workspace lies in it."""
    for number in range(12):
        place = tmp_path / "my-pictures" / ("cat", "dog")[number % 2] / f"{number}.png"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(png_bytes(number))
    monkeypatch.setenv("DESIGNER_DATA_ROOTS", str(tmp_path / "my-pictures"))
    monkeypatch.delenv("DESIGNER_WORKSPACE", raising=False)
    return tmp_path / "my-pictures"


def converting(source: str = "file:.") -> dict[str, Any]:
    """Import and convert what lies there."""
    return document(
        "pictures",
        nodes=[
            node("import", "import_images", source=source),
            node("convert", "convert_to_image_directory"),
        ],
        links=[
            {
                "from": {"node": "import", "port": "dataset"},
                "to": {"node": "convert", "port": "input_dataset"},
            }
        ],
    )


def test_pipelines_saved_beside_pictures_survive_a_kill(pictures: Path) -> None:
    path = pictures.parent / "pipeline.json"
    path.write_text(json.dumps(converting()))
    with app(pictures) as (process, port):
        client = client_of(pictures, port)
        save(client, "one")
        forecast = client.post("/api/forecast", converting(f"file:{pictures}"))
        assert forecast.status == 200
        findings = forecast.json["nodes"][0]["findings"]
        assert ["workspace" in each["message"] for each in findings] == [True]
        detached = designer(pictures, "run", str(path), "--detach", "--json")
        assert detached.returncode == 0, detached.stderr
        save(client, "two", "three", "four")
        shown = designer(pictures, "forecast", str(path))
        assert "workspace" in shown.stderr
        assert designer(pictures, "runs", "list").returncode == 0
        save(client, "five", "six", "seven", "eight")
        process.kill()
        process.wait()
    run_id = json.loads(detached.stdout)["run_id"]
    try:
        with opened(pictures) as runs:
            wait_for(lambda: runs.store.state(run_id).is_finished)
            state = runs.store.state(run_id)
            assert state.status == "completed"
            assert str(state.steps["convert"].summary).startswith("12 images, 2 classes")
            assert "workspace" in str(state.steps["convert"].warnings)
        assert saved(pictures) == {
            *("one", "two", "three", "four", "five", "six", "seven", "eight")
        }
    finally:
        designer(pictures, "runner", "stop")


@pytest.mark.full  # what it leaves out is described above
def test_a_waited_run_over_the_folder_around_the_workspace_is_reused(pictures: Path) -> None:
    path = pictures.parent / "pipeline.json"
    path.write_text(json.dumps(converting()))
    try:
        first = designer(pictures, "run", str(path), "--json")
        assert json.loads(first.stdout)["status"] == "completed", first.stderr
        again = json.loads(designer(pictures, "run", str(path), "--json").stdout)
        assert {each["status"] for each in again["nodes"].values()} == {"reused"}
    finally:
        designer(pictures, "runner", "stop")


@pytest.mark.parametrize(
    "suffix", ["", *(pytest.param(each, marks=pytest.mark.full) for each in ("-wal", "-shm"))]
)
def test_no_way_to_the_database_is_a_preview(pictures: Path, suffix: str) -> None:
    with app(pictures) as (_process, port):
        client = client_of(pictures, port)
        save(client, "one")
        place = pictures / "workspace" / f"designer.db{suffix}"
        (pictures / "linked").symlink_to(place)
        os.link(place, pictures / "hard")
        for path in (
            place,
            pictures / "cat" / ".." / "workspace" / place.name,
            pictures / "linked",
            pictures / "hard",
            Path("/proc/self/cwd/workspace") / place.name,
        ):
            for address in ("/api/datasets/preview", "/api/datasets"):
                answer = client.post(address, {"path": str(path), "name": "stolen"})
                assert (answer.status, answer.error) == (422, "InvalidDataset"), path
                assert "belongs to" in answer.json["error"]["message"]
        pipelines = document(
            "weights",
            nodes=[node("net", "resnet", weights_path=str(pictures / "hard"), pretrained=False)],
            links=[],
        )
        answer = client.post("/api/forecast", pipelines)
        assert (answer.status, answer.error) == (422, "InvalidModelDirectory")
        save(client, "two")
        assert designer(pictures, "runs", "list").returncode == 0
        save(client, "three")
        _process.kill()
        _process.wait()
    assert saved(pictures) == {"one", "two", "three"}


@pytest.mark.full  # a run over it is above; imports: test_cli
def test_a_dataset_is_made_of_the_folder_around_the_workspace(pictures: Path) -> None:
    done = designer(pictures, "dataset", "import", ".", "--name", "pets", "--json")
    assert done.returncode == 0, done.stderr
    assert "workspace" in done.stderr
    home = pictures / "workspace" / "datasets" / "pets" / "1"
    assert sorted(each.name for each in home.iterdir()) == ["cat", "dog"]
    path = pictures.parent / "pipeline.json"
    path.write_text(json.dumps(converting("dataset:pets")))
    try:
        report = json.loads(designer(pictures, "run", str(path), "--json").stdout)
        assert report["nodes"]["convert"]["summary"] == "12 images, 2 classes"
    finally:
        designer(pictures, "runner", "stop")
