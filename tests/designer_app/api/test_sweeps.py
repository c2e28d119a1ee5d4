"""Sweeps over HTTP: start, list, show, stop, resume, repeat."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.store.database.sweeps import SweepStore
from tests.designer_app.http import Client, Server
from tests.pipelines.sweeps.conftest import SCORE, choices, curve, install
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
    own = client.get(f"/api/runs?sweep={report['sweep']}").json
    assert [run["run_id"] for run in own["runs"]] == [
        trial["run"] for trial in reversed(report["trials"])
    ]
    assert client.get("/api/runs?sweep=20260101-000000-abcd").json["total"] == 0
    columns = client.get(f"/api/run-columns?sweep={report['sweep']}").json["columns"]
    assert [column["label"] for column in columns] == ["value"]
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


def written(server: Server, num_trials: int, **parameters: Any) -> str:
    """A sweep that has completed with these many trials, the better the higher their number."""
    places = [0.01 * number for number in range(num_trials)]
    settings = {"parameters": {"curve.x": choices(*places)}, "objective": SCORE}
    document = curve({**settings, "max_trials": max(1, num_trials)}, **parameters)
    assert document.settings.sweep is not None
    store = SweepStore(server.application.session.database)
    sweep = document.settings.sweep.model_dump(mode="json")
    sweep_id = store.add("Curve", document.to_json(), sweep, {}, None)
    for number, x in enumerate(places):
        store.plan(sweep_id, number, {"curve.x": x}, None)
        facts = {"state": "completed", "objective": float(number), "finished": 9e9}
        store.set_trial(sweep_id, number, **facts)
    store.set_state(sweep_id, "completed", only_from=("running",))
    return sweep_id


def test_the_best_trials_are_repeated_with_other_seeds(quiet: Server) -> None:
    install(quiet.application.settings.workspace)
    address = f"/api/sweeps/{written(quiet, 4)}/repeat"
    reply = quiet.client.post(address, {"seeds": 2})
    assert (reply.status, reply.json["state"]) == (200, "running")
    planned = reply.json["trials"][4:]
    assert [trial["values"] for trial in planned] == [
        {"curve.x": x, "curve.random_seed": seed} for x in (0.03, 0.02, 0.01) for seed in (2, 3)
    ]
    assert {trial["state"] for trial in planned} == {"planned"}
    assert reply.json["repeated"][0] == {
        "trial": 3,
        "values": {"curve.x": 0.03},
        "objectives": [3.0],
        "mean": 3.0,
        "spread": None,
    }
    again = quiet.client.post(address, {"seeds": 2})
    assert again.status == 422
    assert "is running" in again.json["error"]["message"]


@pytest.mark.parametrize("body", [{"seeds": 0}, {"seeds": 21}, {"count": 1}, []])
def test_repetitions_that_are_no_request(quiet: Server, body: Any) -> None:
    install(quiet.application.settings.workspace)
    address = f"/api/sweeps/{written(quiet, 1)}/repeat"
    assert quiet.client.post(address, body).status == 422
    assert quiet.client.post(f"{address[:-7]}x/repeat", {}).error == "not_found"
    assert len(quiet.client.get(address[:-7]).json["trials"]) == 1


def test_nothing_can_be_repeated(quiet: Server) -> None:
    reply = quiet.client.post(f"/api/sweeps/{written(quiet, 0)}/repeat", {})
    assert reply.status == 422
    assert reply.json["error"]["message"] == "No trial of the sweep has completed."


def test_a_thousand_trials_are_listed_and_shown(quiet: Server) -> None:
    sweep_id = written(quiet, 1000)
    shown = quiet.client.get(f"/api/sweeps/{sweep_id}")
    assert [trial["number"] for trial in shown.json["trials"]] == list(range(1000))
    assert (shown.json["best"], len(shown.body) < 500_000) == (999, True)
    [entry] = quiet.client.get("/api/sweeps").json["sweeps"]
    assert (entry["num_trials"], entry["max_trials"], entry["best"]) == (1000, 1000, 999)
