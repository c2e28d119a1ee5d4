"""What a page of another site, or a wrong client, is refused."""

from __future__ import annotations

import http.client
import os
import re
import socket
from pathlib import Path

import pytest

from designer_app.api.endpoint import ApiEndpoint
from designer_app.api.endpoints import ENDPOINTS
from designer_app.application import workspace_token
from designer_app.editor.static_files import bundle
from designer_app.settings import ServerSettings
from pipelines.workspace import Workspace
from tests.designer_app.documents import document
from tests.designer_app.http import Client, Server

EXAMPLE = {
    "revision": "1",
    "run_id": "20260101-000000-abcd",
    "node": "train",
    "log": "70_driver_log_0.txt",
    "artifact_id": "0123-abc",
    "port": "output",
    "file": "a/b.png",
}


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda each: each.operation_id)
def test_every_endpoint_needs_the_token(client: Client, endpoint: ApiEndpoint) -> None:
    names = re.findall(r"{(\w+)", endpoint.path)
    path = endpoint.path.replace(":path", "").format_map(dict.fromkeys(names, "toy") | EXAMPLE)
    for token in (None, "", "wrong", client.token[:-1]):
        answer = client.send(endpoint.method, path, None, {"X-Designer-Token": token})
        assert (answer.status, answer.error) == (401, "not_let_in")


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost", "file://", ""],
)
def test_another_origin_is_refused(client: Client, origin: str) -> None:
    answer = client.get("/api/pipelines", Origin=origin)
    assert (answer.status, answer.error) == (403, "wrong_origin")
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_request_that_the_browser_calls_foreign_is_refused(client: Client, site: str) -> None:
    assert client.get("/api/pipelines", Sec_Fetch_Site=site).error == "wrong_origin"


def test_a_link_on_another_site_opens_a_page_and_nothing_else(client: Client) -> None:
    site, link = {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Mode": "navigate"}
    assert client.get("/", **site, **link).status == 200
    assert client.get("/", **site, Sec_Fetch_Mode="no-cors").error == "wrong_origin"
    assert client.post("/", {}, **site, **link).error == "wrong_origin"
    assert client.get("/api/pipelines", **site, **link).error == "wrong_origin"


def test_our_own_origin_is_answered(client: Client) -> None:
    origin = f"http://localhost:{client.port}"
    answer = client.get("/api/pipelines", Origin=origin, Sec_Fetch_Site="same-origin")
    assert answer.status == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil:{port}", ""])
@pytest.mark.parametrize("path", ["/api/pipelines", "/ui/editor.js", "/"])
def test_another_host_is_refused_everywhere(client: Client, host: str, path: str) -> None:
    answer = client.get(path, Host=host.format(port=client.port))
    assert (answer.status, answer.error) == (403, "wrong_host")


def test_the_host_may_be_named_in_three_ways(client: Client) -> None:
    for name in ("127.0.0.1", "localhost", "[::1]", "LOCALHOST"):
        assert client.get("/api/pipelines", Host=f"{name}:{client.port}").status == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None, "json"])
def test_a_body_that_is_not_json_is_refused(client: Client, kind: str | None) -> None:
    answer = client.send("POST", "/api/pipelines", document(), {"Content-Type": kind})
    assert (answer.status, answer.error) == (415, "wrong_content_type")


def test_an_archive_goes_nowhere_but_to_datasets(client: Client) -> None:
    answer = client.send("POST", "/api/runs", b"PK", {"Content-Type": "application/zip"})
    assert answer.status == 415


def test_a_document_of_30_megabytes_is_refused_by_its_header(client: Client) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=120)
    connection.putrequest("POST", "/api/pipelines")
    headers = {"X-Designer-Token": client.token, "Content-Type": "application/json"}
    for name, value in {**headers, "Content-Length": "30000000"}.items():
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    assert response.status == 413
    assert b"too_large" in response.read()
    connection.close()


def test_a_document_of_30_megabytes_is_refused_without_a_header(client: Client) -> None:
    head = (
        f"POST /api/pipelines HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
        f"X-Designer-Token: {client.token}\r\nContent-Type: application/json\r\n"
        "Transfer-Encoding: chunked\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", client.port), timeout=120) as connection:
        connection.sendall(head.encode())
        chunk = b"%x\r\n%s\r\n" % (1_000_000, b" " * 1_000_000)
        try:
            for _ in range(30):
                connection.sendall(chunk)
        except OSError:  # the server has answered and hung up
            pass
        assert b"413" in connection.recv(200).split(b"\r\n")[0]


def test_unknown_addresses_are_json_too(client: Client) -> None:
    for path in ("/api/nothing", "/api/pipelines/UPPER", "/api/runs/../../etc/passwd"):
        answer = client.get(path)
        assert (answer.status, answer.error) == (404, "not_found")
    assert client.send("PATCH", "/api/pipelines").status == 404


def test_answers_are_kept_out_of_caches_and_frames(client: Client) -> None:
    headers = client.get("/api/pipelines").headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "SAMEORIGIN"


def test_the_servers_metrics_are_closed(client: Client) -> None:
    for path in ("/_stcore/metrics", "/_stcore/metrics/"):
        assert client.get(path).status == 404


def test_an_error_of_ours_tells_nothing_about_the_inside(
    server: Server, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ValueError("a secret path")

    monkeypatch.setattr(server.application.session.pipelines, "all", broken)
    answer = client.get("/api/pipelines")
    assert (answer.status, answer.error) == (500, "internal_error")
    assert b"secret" not in answer.body


def test_the_whole_disk_is_never_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setenv("HOME", "/")
    monkeypatch.setenv("DESIGNER_DATA_ROOTS", os.pathsep.join(("/", f"{data}/../..", str(data))))
    settings = ServerSettings(Workspace.at(tmp_path / "w"))
    above = tmp_path.parent.resolve()
    assert settings.allowed_roots == (settings.workspace.root, above, data.resolve())
    monkeypatch.setenv("HOME", str(tmp_path))
    assert ServerSettings(Workspace.at(tmp_path / "w")).allowed_roots[0] == tmp_path.resolve()


def test_a_file_outside_is_refused_where_home_is_the_whole_disk(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/")
    server = Server(workspace, data_roots=(), more_hosts=())
    answer = server.client.post("/api/datasets/preview", {"path": "/etc"})
    server.stop()
    assert (answer.status, answer.error) == (422, "SourceNotAllowed")


def test_the_bundle_is_kept_by_browsers_and_its_index_is_not(client: Client) -> None:
    built = bundle()
    assert built is not None
    kept = client.get(built["js"])
    assert kept.status == 200
    assert kept.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert kept.headers["content-type"].startswith(("text/javascript", "application/javascript"))
    assert kept.headers["x-content-type-options"] == "nosniff"
    assert client.get("/ui/manifest.json").headers["cache-control"] == "no-cache"


def test_the_token_is_the_owners_alone(tmp_path: Path) -> None:
    first, second = (Workspace.at(tmp_path / name) for name in ("first", "second"))
    token = workspace_token(first)
    assert workspace_token(first) == token != workspace_token(second)
    path = first.root / "token"
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("")
    assert workspace_token(first) not in ("", token)
    assert sorted(each.name for each in first.root.iterdir() if "token" in each.name) == ["token"]
