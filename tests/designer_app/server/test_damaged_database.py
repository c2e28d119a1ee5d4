"""The app with a damaged database, and what a killed app leaves behind."""

from __future__ import annotations

import os
import random
import signal
import socket
from pathlib import Path

import pytest

from modules.files.workspace_folder import UPLOADED
from pipelines.sentences import places
from pipelines.workspace import Workspace
from tests.designer_app.documents import document
from tests.designer_app.server.app_process import app, client_of, designer
from tests.polling import wait_for

pytestmark = pytest.mark.extended

DAMAGE = {
    sentence.message
    for sentence in (places.NOT_A_DATABASE, places.PAGES_DAMAGED, places.TEXT_DAMAGED)
}


def overwrite(folder: Path) -> None:
    """Random bytes in place of the database and its log, while the app has them open."""
    for path in (folder / "workspace").glob("designer.db*"):
        if not path.name.endswith("-shm"):
            with path.open("r+b") as file:
                file.write(random.Random(7).randbytes(path.stat().st_size))


def test_a_running_app_and_one_that_starts_say_so(tmp_path: Path) -> None:
    with app(tmp_path) as (_, port):
        client = client_of(tmp_path, port)
        names = [f"birds-{number}" for number in range(200)]
        for name in names:  # more than a connection keeps in memory
            large = document(name, description="x" * 20_000)
            assert client.post("/api/pipelines", large).status == 201
        overwrite(tmp_path)
        answers = [client.get(f"/api/pipelines/{name}") for name in names]
        refusals = [answer for answer in answers if answer.status != 200]
        assert {(each.status, each.error) for each in refusals} == {(503, "database_damaged")}
        messages = [answer.json["error"]["message"] for answer in refusals]
        kinds = {message.partition("designer.db: ")[2].partition(".")[0] for message in messages}
        assert kinds <= DAMAGE  # which one depends on the pages that a connection still has
        refused = designer(tmp_path, "workspace", "restore", "--empty", "--yes")
        assert "is using the database" in refused.stderr
        assert "Traceback" not in (tmp_path / "out.txt").read_text()
    started = designer(tmp_path, "app", "--no-browser")
    assert started.returncode == 1
    assert "Traceback" not in started.stderr
    assert "`designer workspace restore --empty`" in started.stderr
    restored = designer(tmp_path, "workspace", "restore", "--empty", "--yes")
    assert restored.returncode == 0, restored.stderr
    assert len(list((tmp_path / "workspace").glob("designer-damaged-*.db"))) == 1
    assert designer(tmp_path, "runs", "list").returncode == 0


def uploading(folder: Path, port: int) -> socket.socket:
    """An upload of which half has arrived, when its folder is there."""
    token = (folder / "workspace" / "token").read_text()
    head = (
        f"POST /api/datasets?name=pets&file=pets.zip HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"X-Designer-Token: {token}\r\nContent-Type: application/zip\r\nContent-Length: 2000000\r\n"
        "\r\n"
    )
    made = socket.create_connection(("127.0.0.1", port))
    made.sendall(head.encode() + b"x" * 1_000_000)
    return made


def uploads(folder: Path) -> list[Path]:
    cache = Workspace.at(folder / "workspace").cache_dir
    return [path for path in cache.glob(f"{UPLOADED}*") if path.is_dir()]


def test_an_upload_of_a_killed_app_goes_but_not_that_of_another_one(tmp_path: Path) -> None:
    with app(tmp_path) as (killed, port), uploading(tmp_path, port):
        [left] = wait_for(lambda: uploads(tmp_path))
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    assert left.is_dir()
    with app(tmp_path) as (_, port), uploading(tmp_path, port):
        wait_for(lambda: left not in uploads(tmp_path) and uploads(tmp_path))
        [written] = uploads(tmp_path)
        old = written.with_name(f"{UPLOADED}old")  # of a version without locks
        old.mkdir()
        os.utime(old, (1, 1))
        assert designer(tmp_path, "gc").returncode == 0
        assert (written.is_dir(), old.exists()) == (True, False)
