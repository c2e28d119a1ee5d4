"""Registered models and datasets over HTTP: register, name, download, delete guarded."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from designer_app.api.models import AliasMoveList, ModelList
from modules.datasets.registered import register_dataset
from pipelines.registry.model_report import ModelEntry, ModelVersionReport
from pipelines.registry.models import ModelRegistry
from tests.designer_app.documents import document, node
from tests.designer_app.http import Client, Server
from tests.pipelines.registry.trained import trained_run


@pytest.fixture
def artifact(quiet: Server) -> dict[str, str]:
    """A trained model in the store."""
    runs = quiet.application.session.runs
    ((_, artifact_id, port),) = ModelRegistry(runs.database, runs.artifacts).trained_by(
        trained_run(runs)
    )
    return {"artifact_id": artifact_id, "port": port}


def test_a_model_is_registered_named_taken_away_and_deleted(
    quiet: Server, artifact: dict[str, str]
) -> None:
    client: Client = quiet.client
    made = client.post("/api/models", {**artifact, "name": "shapes", "alias": "best"})
    assert made.status == 201, made.body
    version = ModelVersionReport.model_validate(made.json)
    assert (version.reference, version.aliases) == ("shapes@1", ["best"])
    assert version.lineage["run_exists"] is True
    assert version.type == "TrainedModel"
    (entry,) = ModelList.model_validate(client.get("/api/models").json).models
    assert (entry.name, entry.aliases) == ("shapes", {"best": 1})
    change = {"description": "two shapes", "aliases": {"best": None, "good": 1}}
    named = ModelEntry.model_validate(client.put("/api/models/shapes/naming", change).json)
    assert (named.description, named.aliases) == ("two shapes", {"good": 1})
    weights = client.get("/api/models/shapes@good/file?as=safetensors")
    assert b"pipeline-designer/2" in weights.body[:100_000]
    assert "attachment" in weights.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(client.get("/api/models/shapes/file").body)) as archive:
        assert "shapes-1/model.json" in archive.namelist()
    left = quiet.application.settings.workspace.cache_dir.iterdir()
    assert [each.name for each in left if each.name.startswith(("tmp", "."))] == []
    content = document(nodes=[node("kept", "registered_model", model="shapes@1")], links=[])
    pipeline_id = client.post("/api/pipelines", content).json["id"]
    refused = client.delete("/api/models/shapes")
    assert (refused.error, refused.json["users"]) == ("in_use", ["the pipeline Toy"])
    client.delete(f"/api/pipelines/{pipeline_id}")
    assert client.delete("/api/models/shapes@1").json["deleted"]
    problems = client.post("/api/validate", content).json["problems"]
    assert [each["name"] for each in problems] == ["ModelGone"]
    assert client.get("/api/models/shapes").error == "not_found"


def test_an_alias_moves_by_its_rule(
    quiet: Server, artifact: dict[str, str], tmp_path: Path
) -> None:
    client = quiet.client
    for _ in range(2):
        client.post("/api/models", {**artifact, "name": "m"})
    golden = tmp_path / "golden/circle"
    golden.mkdir(parents=True)
    Image.new("RGB", (32, 32), (200, 30, 30)).save(golden / "1.png")
    change = {"aliases": {"live": 1}, "rules": {"live": str(golden.parent)}, "reason": "first"}
    named = ModelEntry.model_validate(client.put("/api/models/m/naming", change).json)
    assert (named.aliases, named.rules) == ({"live": 1}, {"live": str(golden.parent)})
    (golden / "1.png").unlink()
    refused = client.put("/api/models/m/naming", {"aliases": {"live": 2}})
    assert refused.error == "not_taken"
    assert "cannot be checked" in refused.json["error"]["message"]
    taken = client.post("/api/models", {**artifact, "name": "m", "alias": "live"})
    assert taken.error == "not_registered"
    forced = {"aliases": {"live": 2}, "reason": "the disk is gone", "force": True}
    assert client.put("/api/models/m/naming", forced).json["aliases"] == {"live": 2}
    moves = AliasMoveList.model_validate(client.get("/api/models/m/moves").json).moves
    assert [move.reason for move in moves] == ["the disk is gone", "first", "first"]
    assert [move.forced for move in moves] == [True, False, False]
    assert "by the API" in moves[0].author
    assert client.get("/api/models/none/moves").error == "not_found"


def test_what_cannot_be_registered_is_refused(quiet: Server, artifact: dict[str, str]) -> None:
    client = quiet.client
    assert client.post("/api/models", {**artifact, "name": "../up"}).error == "not_registered"
    unknown = {**artifact, "artifact_id": "nothing", "name": "m"}
    assert client.post("/api/models", unknown).error == "not_found"
    assert client.post("/api/models", {"name": "m"}).status == 422
    client.post("/api/models", {**artifact, "name": "m"})
    assert client.put("/api/models/m/naming", {"aliases": {"7": 1}}).error == "not_taken"
    assert client.put("/api/models/m/naming", {"aliases": {"best": 9}}).error == "not_taken"
    assert client.get("/api/models/m/file?as=pickle").error == "invalid_request"
    assert client.get("/api/models/m@9").error == "not_found"
    assert client.get("/api/models/..%2Fup").error == "not_found"


def test_a_dataset_is_deleted_unless_it_is_needed(quiet: Server, tmp_path: Path) -> None:
    client, folder = quiet.client, tmp_path / "birds"
    folder.mkdir()
    (folder / "a.txt").write_text("x", encoding="utf-8")
    register_dataset(folder, "birds", quiet.application.settings.workspace.datasets_dir)
    content = document(nodes=[node("images", "import_images", source="dataset:birds")], links=[])
    pipeline_id = client.post("/api/pipelines", content).json["id"]
    assert client.delete("/api/datasets/birds").error == "in_use"
    client.delete(f"/api/pipelines/{pipeline_id}")
    assert client.delete("/api/datasets/birds?version=2").error == "not_found"
    assert client.delete("/api/datasets/birds?version=1").json["deleted"]
    assert client.delete("/api/datasets/birds").error == "not_found"
