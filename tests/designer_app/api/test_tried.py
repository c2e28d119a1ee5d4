"""Images tried on a model over HTTP: predicted, refused, kept in a dataset."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from designer_app.api.tried import KeptAnswer, TriedAnswer
from pipelines.inspection.questions import MAX_PICTURE_BYTES
from tests.designer_app.http import Client, Server
from tests.pipelines.registry.trained import CLASSES, trained_run

PNG = {"Content-Type": "image/png"}


@pytest.fixture
def place(quiet: Server) -> str:
    """The node of a run that trained a model."""
    return f"/api/runs/{trained_run(quiet.application.session.runs)}/nodes/train"


def photo() -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (60, 40), (200, 30, 30)).save(content, "PNG")
    return content.getvalue()


@pytest.mark.extended  # it waits until torch is loaded
def test_an_image_is_predicted_and_nothing_is_stored(quiet: Server, place: str) -> None:
    client: Client = quiet.client
    answer = client.send("POST", f"{place}/try?file=a.png", photo(), PNG)
    assert answer.status == 200, answer.body
    tried = TriedAnswer.model_validate(answer.json)
    assert tried.category == tried.names[0] == tried.classes[0].name
    assert sorted(tried.names) == sorted(CLASSES)
    assert sum(row.probability for row in tried.classes) == pytest.approx(1, abs=1e-4)
    assert client.get("/api/datasets").json["datasets"] == []
    broken = client.send("POST", f"{place}/try?file=a.png", b"no image", PNG)
    assert broken.status == 422
    assert "cannot be used" in broken.json["error"]["message"]


def test_an_image_is_kept_under_its_true_class(quiet: Server, place: str) -> None:
    client: Client = quiet.client
    kept = client.send("POST", f"{place}/try/keep?file=a.png&category=square", photo(), PNG)
    assert KeptAnswer.model_validate(kept.json).source == "dataset:kept-pictures@1"
    [dataset] = client.get("/api/datasets").json["datasets"]
    assert dataset["preview"]["classes"] == [{"name": "square", "images": 1}]
    for query in ("", "&category=", "&category=%20"):
        refused = client.send("POST", f"{place}/try/keep?file=a.png{query}", photo(), PNG)
        assert (refused.status, refused.error) == (400, "invalid_request")


@pytest.mark.parametrize("way", ["try", "try/keep"])
def test_other_bodies_and_nodes_are_refused(quiet: Server, place: str, way: str) -> None:
    client: Client = quiet.client
    html = {"Content-Type": "text/html"}
    assert client.send("POST", f"{place}/{way}?category=x", b"<p>", html).status == 415
    claimed = {**PNG, "Content-Length": str(MAX_PICTURE_BYTES + 1)}
    assert client.send("POST", f"{place}/{way}?category=x", b"", claimed).status == 413
    elsewhere = place.replace("nodes/train", "nodes/nothing")
    assert client.send("POST", f"{elsewhere}/{way}?category=x", photo(), PNG).status == 404


def test_the_script_of_the_field_is_served_and_no_other_file(quiet: Server) -> None:
    client: Client = quiet.client
    script = client.get("/elements/try_picture.js")
    assert script.status == 200
    assert "export default" in script.body.decode()
    assert "[[" not in script.body.decode()
    for name in ("start", "reach", "..%2Felement", "nothing"):
        assert client.get(f"/elements/{name}.js").status == 404
