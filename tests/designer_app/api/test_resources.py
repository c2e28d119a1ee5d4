"""Catalog, lessons, targets, datasets, environment; and answers that are what is documented."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import tarfile
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from PIL import Image
from pydantic import BaseModel

from designer_app.api.answers import Created, ErrorAnswer
from designer_app.api.catalog import CatalogAnswer, LessonList, OpenedLesson
from designer_app.api.datasets import DatasetCreated, DatasetList, DatasetPreview
from designer_app.api.endpoints import ENDPOINTS
from designer_app.api.environment import Environment
from designer_app.api.events import Snapshot
from designer_app.api.history import RunList
from designer_app.api.logs import LogList
from designer_app.api.pipelines import Committed, PipelineList
from designer_app.api.revisions import RevisionList
from designer_app.api.routes import document as openapi_document
from designer_app.api.runs import RunAnswer
from designer_app.api.targets import TargetList
from designer_app.api.validation import Verdict
from modules.datasets.folder_summary import folder_summary
from pipelines.document.document import PipelineDocument
from pipelines.forecasting.estimates import RunForecast
from pipelines.lessons.lesson import lessons
from pipelines.runs.curves import RunCurves
from tests.designer_app.api.runs import ended, submit
from tests.designer_app.documents import document
from tests.designer_app.http import Client, Server

ZIP = {"Content_Type": "application/zip"}


def png(shade: int = 0) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (8, 8), (shade, 0, 0)).save(file, "PNG")
    return file.getvalue()


def archive(names: list[str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for place, name in enumerate(names):
            made.writestr(name, png(place))
    return file.getvalue()


def test_the_catalog_has_modules_targets_and_settings(client: Client) -> None:
    answer = client.get("/api/catalog").json
    CatalogAnswer.model_validate(answer)
    ids = [each["id"] for each in answer["modules"]]
    assert {"import_images", "train_pytorch_model", "constant"} <= set(ids)
    assert [each["name"] for each in answer["targets"]][:2] == ["local", "simulated"]


def test_lessons_are_the_files_of_the_library(client: Client) -> None:
    answer = LessonList.model_validate(client.get("/api/lessons").json)
    assert [each.slug for each in answer.lessons] == [each.slug for each in lessons()]
    assert answer.lessons[0].slug == "01-digits"
    assert answer.lessons[0].level == "beginner"


def test_a_pipeline_that_was_opened_for_a_lesson_has_its_steps(client: Client) -> None:
    first = lessons()[0]
    made = client.post("/api/pipelines", first.opened().to_json()).json["id"]
    answer = OpenedLesson.model_validate(client.get(f"/api/pipelines/{made}/lesson").json)
    assert answer.lesson == first.guide
    plain = client.post("/api/pipelines", first.document.to_json()).json["id"]
    assert client.get(f"/api/pipelines/{plain}/lesson").json["lesson"] is None
    assert client.get("/api/pipelines/none/lesson").status == 404


def test_a_target_can_be_added(client: Client) -> None:
    answer = client.post("/api/targets", {"name": "three", "simulated_nodes": 3})
    assert answer.status == 201
    offer = next(each for each in answer.json["targets"] if each["name"] == "three")
    assert (offer["max_nodes"], offer["simulated"]) == (3, True)
    for taken in ("local", "three"):
        refusal = client.post("/api/targets", {"name": taken, "simulated_nodes": 5})
        assert (refusal.status, refusal.error) == (409, "name_taken")
    kept = next(t for t in client.get("/api/targets").json["targets"] if t["name"] == "three")
    assert kept == offer
    for wrong in ({"name": "../x", "simulated_nodes": 3}, {"name": "x", "simulated_nodes": 65}):
        assert client.post("/api/targets", wrong).status == 422


def test_a_target_is_removed_but_not_one_in_use_without_a_word(client: Client) -> None:
    client.post("/api/targets", {"name": "spare", "simulated_nodes": 2})
    used = document("on-spare", name="Borrowed")
    used["nodes"][0]["run_settings"] = {"target": "spare"}
    assert client.post("/api/pipelines", used).status == 201
    refusal = client.delete("/api/targets/spare")
    assert refusal.status == 409
    assert "Borrowed" in refusal.json["error"]["message"]
    answer = client.delete("/api/targets/spare?even_if_used=1")
    assert answer.status == 200
    assert "spare" not in {each["name"] for each in answer.json["targets"]}
    assert client.delete("/api/targets/spare").status == 404
    assert client.delete("/api/targets/local").status == 409


def test_an_archive_becomes_a_dataset(client: Client) -> None:
    body = archive(["cat/1.png", "cat/2.png", "dog/1.png"])
    answer = client.post("/api/datasets?name=pets", body, **ZIP)
    assert answer.status == 201, answer.body
    made = answer.json
    assert (made["source"], made["version"]) == ("dataset:pets@1", 1)
    assert made["preview"]["classes"] == [
        {"name": "cat", "images": 2},
        {"name": "dog", "images": 1},
    ]
    again = client.post("/api/datasets?name=pets", body, **ZIP).json
    assert again["version"] == 2
    listed = {each["name"]: each for each in client.get("/api/datasets").json["datasets"]}
    assert listed["pets"]["versions"] == [1, 2]
    assert listed["pets"]["preview"]["images"] == 3


def test_an_upload_without_a_name_is_a_new_dataset(client: Client) -> None:
    for file, source in (
        ("%E3%83%87%E3%83%BC%E3%82%BF.v2.zip", "dataset:データ.v2@1"),
        ("%E3%83%87%E3%83%BC%E3%82%BF.v2.tar", "dataset:データ.v2-2@1"),
        ("my.data.zip", "dataset:my.data@1"),
        ("my.other.zip", "dataset:my.other@1"),
    ):
        body = archive(["cat/1.png", "cat/2.png"][: 1 + file.endswith(".tar")])
        assert client.post(f"/api/datasets?file={file}", body, **ZIP).json["source"] == source
    assert client.delete("/api/datasets/%E3%83%87%E3%83%BC%E3%82%BF.v2").status == 200


def test_a_dataset_is_deleted_by_version_or_whole(client: Client) -> None:
    def versions() -> list[list[int]]:
        listed = client.get("/api/datasets").json["datasets"]
        return [each["versions"] for each in listed if each["name"] == "plants"]

    for _ in range(3):
        client.post("/api/datasets?name=plants", archive(["fern/1.png"]), **ZIP)
    assert client.delete("/api/datasets/plants?version=2").status == 200
    assert versions() == [[1, 3]]
    assert client.delete("/api/datasets/plants").json == {"id": "plants", "deleted": True}
    assert versions() == []
    assert client.delete("/api/datasets/plants").status == 404


def test_a_hostile_archive_leaves_nothing(client: Client, server: Server) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as made:
        member = tarfile.TarInfo("../../escaped.png")
        member.size = 3
        made.addfile(member, io.BytesIO(b"abc"))
    headers = {"Content_Type": "application/x-tar"}
    answer = client.post("/api/datasets?name=hostile", file.getvalue(), **headers)
    assert answer.status == 422
    assert answer.error
    folder = server.application.settings.workspace.datasets_dir
    assert not (folder / "hostile").exists()
    assert not list(server.application.settings.workspace.root.rglob("*escaped*"))
    assert not list(server.application.settings.workspace.cache_dir.glob(".upload*"))


def test_what_is_no_archive_or_no_name_is_refused(client: Client) -> None:
    assert client.post("/api/datasets?name=x", b"hello", **ZIP).status == 422
    assert client.post("/api/datasets?name=..%2Fx", archive(["a/1.png"]), **ZIP).status == 422


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("My flowers (1).zip", "My flowers (1).zip"),
        ("../../etc/passwd", "passwd"),
        ("C:\\pictures\\cats.zip", "cats.zip"),
        ("bl\u00fcten\u202e\x1b[2J.zip", "bl\u00fcten[2J.zip"),
        ("..", "upload"),
        ("\x00", "upload"),
        ("\U0001f33b" * 200, "\U0001f33b" * 50),
    ],
)
def test_what_is_wrong_with_an_upload_names_the_users_file(
    client: Client, server: Server, given: str, told: str
) -> None:
    query = urlencode({"name": "pets", "file": given})
    refusal = client.post(f"/api/datasets?{query}", b"hello", **ZIP)
    assert refusal.status == 422
    message = refusal.json["error"]["message"]
    assert told in message
    assert "upload-" not in message
    damaged = client.post(f"/api/datasets?{query}", archive(["a/1.png"])[:60], **ZIP)
    assert told in damaged.json["error"]["message"]
    assert not list(server.application.settings.workspace.cache_dir.glob(".upload*"))


def test_an_upload_has_a_limit(workspace: Any) -> None:
    small = Server(workspace, data_roots=(), max_upload_bytes=1000)
    answer = small.client.post("/api/datasets?name=x", b"P" * 2000, **ZIP)
    small.stop()
    assert (answer.status, answer.error) == (413, "too_large")


def test_a_folder_of_this_server_becomes_a_dataset(workspace: Any, tmp_path: Path) -> None:
    for name in ("a/1.png", "b/1.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(png())
    allowed = Server(workspace, data_roots=(tmp_path.resolve(),))
    request = {"path": str(tmp_path), "name": "taken"}
    seen = DatasetPreview.model_validate(allowed.client.post("/api/datasets/preview", request).json)
    made = DatasetCreated.model_validate(allowed.client.post("/api/datasets", request).json)
    allowed.stop()
    assert (seen.images, seen.num_classes) == (made.preview.images, made.preview.num_classes)
    assert made.preview.num_classes == 2


def test_a_folder_outside_is_refused(client: Client, tmp_path: Path) -> None:
    for path in (str(tmp_path), "/etc", f"{Path.home()}/../../etc", "relative/../../etc"):
        for address in ("/api/datasets", "/api/datasets/preview"):
            answer = client.post(address, {"path": path})
            assert (answer.status, answer.error) == (422, "SourceNotAllowed")


def test_markup_in_folder_names_stays_text(tmp_path: Path) -> None:
    hostile = '<img src=x onerror="alert(1)">'
    for name in (hostile, "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.png").write_bytes(png())
    assert {each.name for each in folder_summary(tmp_path).classes} == {hostile, "b"}


def test_the_environment_names_the_workspace(client: Client, server: Server) -> None:
    answer = Environment.model_validate(client.get("/api/environment").json)
    assert answer.workspace == str(server.application.settings.workspace.root)


@pytest.fixture(scope="module")
def answers(client: Client) -> list[tuple[type[BaseModel], Any]]:
    """An answer of each kind with the model that documents it."""
    created = client.post("/api/pipelines", document("shapes")).json
    path = f"/api/pipelines/{created['id']}"
    content = {**client.get(path).json, "name": "Other"}
    committed = client.put(path, content, If_Match='"1"').json
    run_id = submit(client, document())
    ended(client, run_id)
    with client.stream(f"/api/runs/{run_id}/events") as messages:
        snapshot, curves = next(messages).data, next(messages).data
    return [
        (Created, created),
        (Committed, committed),
        (ErrorAnswer, client.put(path, {**content, "name": "X"}, If_Match='"1"').json),
        (ErrorAnswer, client.post("/api/runs", {"document": document(links=[])}).json),
        (PipelineList, client.get("/api/pipelines").json),
        (RevisionList, client.get(f"{path}/revisions").json),
        (Verdict, client.post("/api/validate", document(links=[])).json),
        (RunForecast, client.post("/api/forecast", document()).json),
        (RunList, client.get("/api/runs").json),
        (RunAnswer, client.get(f"/api/runs/{run_id}").json),
        (PipelineDocument, client.get(f"/api/runs/{run_id}/document").json),
        (RunCurves, client.get(f"/api/runs/{run_id}/metrics").json),
        (LogList, client.get(f"/api/runs/{run_id}/logs").json),
        (Snapshot, snapshot),
        (RunCurves, curves),
        (TargetList, client.get("/api/targets").json),
        (DatasetList, client.get("/api/datasets").json),
    ]


def test_answers_are_what_is_documented(answers: list[tuple[type[BaseModel], Any]]) -> None:
    for model, content in answers:
        model.model_validate(content)


def test_the_documentation_is_complete_and_whole(client: Client) -> None:
    described = client.get("/api/openapi.json").json
    assert described == json.loads(json.dumps(openapi_document()))
    operations = {
        (method.upper(), path) for path, methods in described["paths"].items() for method in methods
    }
    assert operations == {(each.method, each.path.replace(":path", "")) for each in ENDPOINTS}
    references = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(described)))
    assert references <= set(described["components"]["schemas"])
    ids = [each.operation_id for each in ENDPOINTS]
    assert len(set(ids)) == len(ids)


def test_a_dataset_becomes_a_pipeline(server: Server, tmp_path: Path) -> None:
    for name in ("ant", "bee"):
        (tmp_path / "insects" / name).mkdir(parents=True)
        for number in range(6):
            picture = Image.new("RGB", (20, 20), (30 * number, 90, 90))
            picture.save(tmp_path / "insects" / name / f"{number}.png")
    datasets = server.application.session.datasets
    datasets.add(tmp_path / "insects", "insects")
    answer = server.client.post("/api/datasets/insects/pipeline", {})
    assert answer.status == 201
    made = server.client.get(f"/api/pipelines/{answer.json['id']}").json
    sources = [each["parameters"].get("source") for each in made["nodes"]]
    assert "dataset:insects@1" in sources
    for unknown in ("insects/pipeline?version=7", "beetles/pipeline"):
        assert server.client.post(f"/api/datasets/{unknown}", {}).status == 404


def test_an_unexpected_error_is_logged_with_its_request(
    quiet: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise RuntimeError("no such luck")

    monkeypatch.setattr(quiet.application.session.pipelines, "all", broken)
    assert quiet.client.get("/api/pipelines").status == 500
    [record] = [record for record in caplog.records if record.exc_info]
    assert record.getMessage() == "GET /api/pipelines failed"


def test_an_unexpected_error_with_a_damaged_database_is_reported_as_the_damage(
    quiet: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("a row has no such value")

    monkeypatch.setattr(quiet.application.session.pipelines, "all", broken)
    assert quiet.client.get("/api/pipelines").error == "internal_error"
    path = quiet.application.settings.workspace.root / "designer.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO facts VALUES ('odd', CAST(X'FFFE' AS TEXT))")
    answer = quiet.client.get("/api/pipelines")
    assert (answer.status, answer.error) == (503, "database_damaged")
    assert quiet.client.get("/api/pipelines/none").error == "not_found", "it has another reason"
