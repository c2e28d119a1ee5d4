"""Environments over HTTP, with tiny wheels in a folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.designer_app.http import Client
from tests.pipelines.environments.toy_index import offer_wheels
from tests.polling import wait_for


@pytest.fixture(autouse=True)
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer_wheels(tmp_path / "wheels", monkeypatch)


def kept(client: Client, name: str, text: str) -> Any:
    answer = client.post("/api/environments", {"name": name, "text": text})
    assert answer.status == 201, answer.body
    return answer.json


def test_one_is_resolved_kept_built_watched_verified_compared_and_removed(client: Client) -> None:
    found = client.post("/api/environments/resolve", {"text": "needy"}).json
    assert found["requirements"] == ["needy"]
    assert kept(client, "first", "needy")["lock"] == found["lock"]
    path = "/api/environments/first@1"
    assert client.get(f"{path}/build").json["state"] == "none"
    assert client.post(f"{path}/build").status == 202
    wait_for(lambda: client.get(f"{path}/build").json["state"] == "built")
    assert client.get(f"{path}/build").json["lines"][0].startswith("Building first@1")
    assert client.get(f"{path}/build?first_line=1").json["lines"] == []
    assert client.get(path).json["built"]["num_packages"] == 2
    assert client.post(f"{path}/verify").json == {"damages": []}
    kept(client, "other", "tiny<2")
    changed = client.get(f"{path}/difference?other=other").json["packages"]
    assert {"name": "tiny", "before": "2.0", "after": "1.0"} in changed
    freed = client.delete(f"{path}?folder_only=1").json
    assert freed["freed_bytes"] > 0
    assert client.get(path).json["built"] is None
    assert client.delete(path).json["reference"] == "first@1"
    assert client.get(path).status == 404


def test_a_build_that_fails_says_why(client: Client, tmp_path: Path, workspace: Any) -> None:
    kept(client, "failing", "needy")
    for wheel in (tmp_path / "wheels").glob("needy*"):
        wheel.unlink()
    shutil.rmtree(workspace.environments_dir / "cache")
    client.post("/api/environments/failing/build")
    wait_for(lambda: client.get("/api/environments/failing/build").json["state"] == "failed")
    assert "needy" in client.get("/api/environments/failing/build").json["failure"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": "x", "text": "-r /etc/hostname\n./evil"}, "requirements"),
        ({"name": "designer", "text": ""}, "not_taken"),
        ({"name": "x", "text": "unknown-package"}, "EnvironmentNotMade"),
        ({"name": "x", "text": "dependencies: [", "file_name": "a.yml"}, "not_taken"),
    ],
)
def test_what_is_refused(client: Client, body: dict[str, str], code: str) -> None:
    answer = client.post("/api/environments", body)
    assert (answer.status, answer.error) == (422, code)
    if code == "requirements":
        assert [each["line"] for each in answer.json["findings"]] == [1, 2]


def test_the_list_names_the_designers_own_first(client: Client) -> None:
    listed = client.get("/api/environments").json
    assert listed["can_install"] is True
    assert [each["name"] for each in listed["environments"][:2]] == ["designer", "mpi"]
