"""Published pipelines over HTTP: by the owner with the token, by programs with a key."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.designer_app.http import Answer, Client, Server
from tests.polling import wait_for

DOCUMENT: dict[str, Any] = {
    "format": "pipeline-designer/2",
    "id": "toy",
    "nodes": [{"id": "number", "module": "constant"}],
    "parameters": [
        {"id": "value", "type": "number", "default": 2, "binds": ["number.value"]},
    ],
}


@pytest.fixture(scope="module", autouse=True)
def nightly(client: Client) -> None:
    reply = client.post("/api/published", {"name": "nightly", "document": DOCUMENT, "note": "n"})
    assert (reply.status, reply.json["version"]) == (201, 1)


@pytest.fixture
def key(server: Server) -> Iterator[str]:
    keys = server.application.session.published.keys("nightly")
    yield keys.rotate(1)
    keys.clear()


def called(client: Client, key: str, body: object, **headers: str) -> Answer:
    fields = {name.replace("_", "-"): text for name, text in headers.items()}
    given = {"X-Designer-Token": None, "Authorization": f"Bearer {key}", **fields}
    return client.send("POST", "/api/published/nightly/runs", body, given)


def test_a_published_pipeline_is_listed_with_its_parameters(client: Client) -> None:
    [entry] = client.get("/api/published").json["published"]
    assert (entry["name"], entry["versions"]) == ("nightly", [1])
    report = client.get("/api/published/nightly").json
    assert [parameter["id"] for parameter in report["parameters"]] == ["value"]
    assert report["note"] == "n"
    assert client.get("/api/published/nightly?version=9").error == "not_found"
    assert client.get("/api/published/none").error == "not_found"


def test_a_program_with_a_key_starts_one_run_and_reads_its_report(client: Client, key: str) -> None:
    body = {"parameters": {"value": 5}, "version": 1}
    reply = called(client, key, body, Idempotency_Key="monday")
    assert reply.status == 202
    address = reply.headers["location"]
    assert reply.json["address"] == address
    again = called(client, key, body, Idempotency_Key="monday")
    assert (again.json["run_id"], again.json["is_new"]) == (reply.json["run_id"], False)
    headers = {"X-Designer-Token": None, "Authorization": f"Bearer {key}"}

    def report() -> Any:
        answer = client.send("GET", address, None, headers)
        assert answer.status == 200
        return answer.json if answer.json["status"] == "completed" else None

    assert wait_for(report)["run_id"] == reply.json["run_id"]


def test_calls_at_once_with_the_same_key_get_one_run(client: Client, key: str) -> None:
    def call(_: int) -> Any:
        return called(client, key, {"parameters": {"value": 6}}, Idempotency_Key="at-once")

    with ThreadPoolExecutor(12) as pool:
        replies = list(pool.map(call, range(12)))
    assert {reply.status for reply in replies} == {202}
    assert len({reply.json["run_id"] for reply in replies}) == 1
    assert sum(reply.json["is_new"] for reply in replies) == 1


def test_a_key_opens_nothing_else(client: Client, server: Server, key: str) -> None:
    headers = {"X-Designer-Token": None, "Authorization": f"Bearer {key}"}
    for method, path in (
        ("GET", "/api/published"),
        ("GET", "/api/published/nightly"),
        ("DELETE", "/api/published/nightly"),
        ("GET", "/api/runs"),
        ("POST", "/api/published/other/runs"),
        ("POST", "/api/published/nightly/runs/../../x"),
    ):
        assert client.send(method, path, None, headers).status == 401
    submitted = server.application.session.runs.store.newest()
    other = [record.id for record in submitted if record.experiment != "nightly"]
    for run_id in other:
        reply = client.send("GET", f"/api/published/nightly/runs/{run_id}", None, headers)
        assert reply.error == "not_found"


@pytest.mark.parametrize("sent", ["wrong", "dsk_", ""])
def test_wrong_keys(client: Client, key: str, sent: str) -> None:
    assert key
    assert called(client, sent, {}).status == 401
    assert called(client, key, {}, Origin="https://evil.example").error == "wrong_origin"
    assert called(client, key, {}, Host="evil.example").error == "wrong_host"


def test_bodies_that_are_refused(client: Client, key: str) -> None:
    assert called(client, key, b"{").status == 400
    assert called(client, key, {"parameters": {"none": 1}}).status == 422
    assert called(client, key, {"parameters": {"value": "x"}}).status == 422
    assert called(client, key, {"version": 77}).error == "not_found"
    assert called(client, key, {"more": 1}).status == 422
    assert called(client, key, {}, Content_Type="text/plain").error == "wrong_content_type"


def test_calls_are_limited(client: Client, key: str) -> None:
    replies = [called(client, key, {}) for _ in range(61)]
    refused = next(reply for reply in replies if reply.status != 202)
    assert (refused.status, refused.error) == (429, "too_many_calls")
    assert int(refused.headers["retry-after"]) >= 1
