"""Sweeps over HTTP: start, list, show, stop, resume."""

from __future__ import annotations

from typing import Any

from tests.designer_app.http import Client
from tests.polling import wait_for

SLEEPS: dict[str, Any] = {
    "format": "pipeline-designer/2",
    "id": "toy",
    "name": "Sleeps",
    "nodes": [
        {"id": "number", "module": "constant"},
        {"id": "nap", "module": "sleep", "parameters": {"seconds": 0.1}},
    ],
    "links": [
        {"from": {"node": "number", "port": "output"}, "to": {"node": "nap", "port": "a"}},
    ],
}


def sweeping(*values: Any, place: str = "number.value", **others: Any) -> dict[str, Any]:
    spaces = {place: {"kind": "choices", "choices": list(values)}}
    return {"document": {**SLEEPS, "settings": {"sweep": {"parameters": spaces, **others}}}}


def test_a_sweep_from_its_start_to_its_end(client: Client) -> None:
    body = {**sweeping(1, 2), "pipeline_id": "toy"}
    reply = client.post("/api/sweeps", body)
    assert reply.status == 201
    address = reply.headers["location"]
    assert address == f"/api/sweeps/{reply.json['sweep']}"
    assert (reply.json["max_trials"], reply.json["settings"]["strategy"]) == (2, "grid")

    def ended() -> dict[str, Any] | None:
        report: dict[str, Any] = client.get(address).json
        return report if report["finished"] else None

    report = wait_for(ended)
    # these modules report no metrics
    assert (report["state"], report["best"]) == ("failed", None)
    assert [trial["values"] for trial in report["trials"]] == [
        {"number.value": 1},
        {"number.value": 2},
    ]
    assert "no metric" in report["trials"][0]["reason"]
    assert client.get(f"/api/runs/{report['trials'][1]['run']}").json["pipeline_id"] == "toy"
    [entry] = client.get("/api/sweeps?pipeline=toy").json["sweeps"]
    assert (entry["sweep"], entry["num_trials"]) == (report["sweep"], 2)
    assert client.get("/api/sweeps?pipeline=other").json["sweeps"] == []


def test_stop_and_resume(client: Client) -> None:
    started = client.post("/api/sweeps", sweeping(60, 61, place="nap.seconds")).json["sweep"]
    address = f"/api/sweeps/{started}"
    wait_for(lambda: [trial for trial in client.get(address).json["trials"] if trial["run"]])
    assert client.post(f"{address}/stop", {}).json["state"] in ("stopping", "stopped")
    wait_for(lambda: client.get(address).json["state"] == "stopped")
    assert client.get(address).json["trials"][0]["state"] == "interrupted"
    assert client.post(f"{address}/stop", {}).status == 422
    assert client.post(f"{address}/resume", {}).json["state"] == "running"
    wait_for(lambda: client.get(address).json["trials"][0]["state"] == "running")
    client.post(f"{address}/stop", {})
    wait_for(lambda: client.get(address).json["state"] == "stopped")


def test_what_cannot_be_started(client: Client) -> None:
    reply = client.post("/api/sweeps", {"document": SLEEPS})
    assert (reply.status, reply.json["problems"][0]["code"]) == (422, "3044")
    reply = client.post("/api/sweeps", sweeping("two"))
    assert "Value" in reply.json["problems"][0]["message"]
    assert client.post("/api/sweeps", sweeping(1, strategy="guess")).status == 422
    assert client.post("/api/sweeps", {"document": []}).status == 422
    assert client.get("/api/sweeps/20260101-000000-abcd").error == "not_found"
    assert client.get("/api/sweeps/other").error == "not_found"
