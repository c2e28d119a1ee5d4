"""Pictures with a check mark survive a kill of the app in the middle of recording."""

from __future__ import annotations

import io
import threading
from http.client import HTTPException
from pathlib import Path

import pytest
from PIL import Image

from pipelines.registry.recordings import Recordings
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.designer_app.http import Client
from tests.designer_app.server.app_process import app, client_of
from tests.polling import wait_for

pytestmark = pytest.mark.extended

PATH = "/api/recordings/cups"


def jpeg(shade: int) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (320, 240), (shade % 256, 90, 90)).save(made, "JPEG")
    return made.getvalue()


def record(client: Client, class_id: str, start: int, acknowledged: list[str]) -> None:
    """Store pictures until the server is gone, as a tab does while a button is held."""
    for number in range(start, start + 5_000):
        picture = f"{number:024x}"
        place = f"{PATH}/classes/{class_id}/pictures/{picture}"
        try:
            answer = client.put(place, jpeg(number), Content_Type="image/jpeg")
        except (OSError, HTTPException):  # it may end within its answer
            return
        if answer.status == 200:
            acknowledged.append(picture)


def test_every_acknowledged_picture_survives_a_kill(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    with app(tmp_path) as (process, port):
        client = client_of(tmp_path, port)
        assert client.post("/api/recordings", {"name": "cups"}).status == 201
        made = [
            client.post(f"{PATH}/classes", {"name": name}).json["id"] for name in ("Cup", "Pen")
        ]
        tabs = [
            threading.Thread(target=record, args=(client, class_id, start, acknowledged))
            for class_id, start in zip(made, (0, 100_000), strict=True)
        ]
        for tab in tabs:
            tab.start()
        wait_for(lambda: len(acknowledged) > 40)
        process.kill()
        process.wait()
        for tab in tabs:
            tab.join()
    workspace = Workspace.at(tmp_path / "workspace")
    stored = Recordings(workspace).get("cups")
    found = {picture for category in stored.classes for picture in category.pictures}
    assert set(acknowledged) <= found
    for category in stored.classes:
        for picture in category.pictures:
            path = Recordings(workspace).picture("cups", category.id, picture)
            Image.open(path).load()  # complete, also those that nobody was told of
    with WorkspaceSession(workspace) as session:
        saved = session.recording_versions.save("cups")
        folder = session.datasets.location("cups", saved.version)
        assert len(list(folder.rglob("*.jpg"))) == len(found)
