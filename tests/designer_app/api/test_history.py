"""The history of runs over HTTP: find, name, clone, repeat, delete."""

from __future__ import annotations

import pytest

from designer_app.api.history import RunList
from designer_app.api.results import RunColumnList, RunFigures
from designer_app.api.runs import RunAnswer
from pipelines.events import Event
from pipelines.runs.comparison import Comparison
from pipelines.runs.deletion import RunDeletion
from pipelines.runs.history import RunEntry
from tests.designer_app.api.runs import ended, submit
from tests.designer_app.documents import document, node, slow
from tests.designer_app.http import Client, Server
from tests.polling import wait_for


def constant(value: float) -> dict[str, object]:
    """A pipeline whose output no other test has."""
    return document("history", nodes=[node("two", "constant", value=value)], links=[])


@pytest.fixture(scope="module")
def run_id(client: Client) -> str:
    """A run that has completed."""
    found = submit(client, constant(71), name="Robins", experiment="history")
    ended(client, found)
    return found


def test_a_run_is_named_tagged_noted_and_found(client: Client, run_id: str) -> None:
    path = f"/api/runs/{run_id}/naming"
    change = {"name": "Robins, again", "note": "<b>good</b>", "add_tags": ["best", "talk"]}
    entry = RunEntry.model_validate(client.put(path, change).json)
    assert (entry.name, entry.note, entry.tags) == (
        "Robins, again",
        "<b>good</b>",
        ["best", "talk"],
    )
    assert client.put(path, {"remove_tags": ["talk"]}).json["tags"] == ["best"]
    queries = ("text=robins+good", "tag=best", "experiment=history", "status=completed&tag=best")
    for query in queries:
        found = RunList.model_validate(client.get(f"/api/runs?{query}").json)
        assert [each.run_id for each in found.runs] == [run_id]
        assert found.total == 1
    assert client.get("/api/runs?tag=best&status=failed").json["runs"] == []
    assert client.get("/api/runs?until=1&since=0.5").json["total"] == 0
    assert "best" in client.get("/api/runs").json["tags"]
    shown = RunAnswer.model_validate(client.get(f"/api/runs/{run_id}").json)
    assert (shown.name, shown.note, shown.tags) == (entry.name, entry.note, ["best"])


def test_a_run_tells_what_its_pipeline_is_called_now(client: Client) -> None:
    created = client.post("/api/pipelines", document("robins", name="Robins")).json
    path = f"/api/pipelines/{created['id']}"
    run_id = submit(client, constant(71), pipeline_id=created["id"])
    client.put(path, {**client.get(path).json, "name": "Blackbirds"}, If_Match='"1"')
    [entry] = client.get(f"/api/runs?pipeline={created['id']}").json["runs"]
    assert (entry["run_id"], entry["pipeline_name"]) == (run_id, "Blackbirds")
    ended(client, run_id)
    unsaved = submit(client, {**constant(71), "name": "Wrens"})
    ended(client, unsaved)
    names = {each["run_id"]: each["pipeline_name"] for each in client.get("/api/runs").json["runs"]}
    assert names[unsaved] == "Wrens"


def test_runs_of_pipelines_with_the_same_name_have_the_id_in_their_label(client: Client) -> None:
    ids = [client.post("/api/pipelines", document("owls", name="Owls")).json["id"] for _ in "ab"]
    run_id = submit(client, constant(71), pipeline_id=ids[0])
    ended(client, run_id)
    [entry] = client.get(f"/api/runs?pipeline={ids[0]}").json["runs"]
    assert (entry["pipeline_name"], entry["pipeline_label"]) == ("Owls", f"Owls ({ids[0]})")
    client.delete(f"/api/pipelines/{ids[1]}")
    [entry] = client.get(f"/api/runs?pipeline={ids[0]}").json["runs"]
    assert entry["pipeline_label"] == "Owls"


def test_what_cannot_be_is_refused(client: Client, run_id: str) -> None:
    path = f"/api/runs/{run_id}/naming"
    assert client.put(path, {"add_tags": ["a,b"]}).error == "not_taken"
    assert client.put(path, {"name": "  "}).error == "not_taken"
    assert client.put(path, {"name": ""}).status == 422
    assert client.put(path, {"colour": "red"}).status == 422
    assert client.get("/api/runs?since=yesterday").error == "invalid_request"
    assert client.get("/api/runs?offset=-1").error == "invalid_request"
    for action in ("clone", "resubmit"):
        assert client.post(f"/api/runs/20200101-000000-ffff/{action}", {}).error == "not_found"
    assert client.delete("/api/runs/20200101-000000-ffff").error == "not_found"


def test_a_run_is_cloned_and_submitted_again(client: Client, run_id: str) -> None:
    made = client.post(f"/api/runs/{run_id}/clone", {})
    assert made.status == 201
    draft = client.get(f"/api/pipelines/{made.json['id']}").json
    assert draft["nodes"][0]["parameters"] == {"value": 71}
    again = client.post(f"/api/runs/{run_id}/resubmit", {"from_node": "two", "name": "Anew"})
    assert again.status == 201
    found = ended(client, again.json["run_id"])
    assert (found["name"], found["from_run"]) == ("Anew", run_id)
    assert found["nodes"]["two"]["status"] == "completed"
    fixed = {**draft, "id": "another"}
    fixed["nodes"] = [{**each, "parameters": {"value": 73}} for each in draft["nodes"]]
    other = client.post(f"/api/runs/{run_id}/resubmit", {"document": fixed}).json["run_id"]
    found = ended(client, other)
    assert (found["from_run"], found["nodes"]["two"]["status"]) == (run_id, "completed")
    ran = client.get(f"/api/runs/{other}/document").json
    assert (ran["id"], ran["nodes"][0]["parameters"]) == (constant(71)["id"], {"value": 73})
    unknown = client.post(f"/api/runs/{run_id}/resubmit", {"from_node": "nowhere"})
    assert unknown.error == "UnknownNode"


def test_a_run_is_deleted_with_what_only_it_refers_to(client: Client) -> None:
    run_id = submit(client, constant(72))
    artifact = ended(client, run_id)["state"]["steps"]["two"]["artifact_id"]
    path = f"/api/runs/{run_id}"
    plan = RunDeletion.model_validate(client.get(f"{path}/deletion").json)
    assert [each.artifact_id for each in plan.freed] == [artifact]
    assert plan.num_bytes > plan.log_bytes > 0
    done = RunDeletion.model_validate(client.delete(path).json)
    assert done.is_done
    assert done.freed == plan.freed
    assert client.get(path).error == "not_found"
    assert client.get(f"/api/artifacts/{artifact}/output").error == "not_found"


def test_a_run_under_way_is_not_deleted(client: Client) -> None:
    run_id = submit(client, slow(30, "history-slow"))
    wait_for(lambda: client.get(f"/api/runs/{run_id}").json["nodes"]["nap"]["status"] == "running")
    assert client.get(f"/api/runs/{run_id}/deletion").error == "still_running"
    assert client.delete(f"/api/runs/{run_id}").error == "still_running"
    client.post(f"/api/runs/{run_id}/cancel")
    ended(client, run_id)


def test_runs_are_compared(client: Client, run_id: str) -> None:
    other = submit(client, constant(73))
    ended(client, other)
    found = Comparison.model_validate(client.get(f"/api/compare?run={run_id}&run={other}").json)
    assert [each.run_id for each in found.runs] == [run_id, other]
    assert [each.values for each in found.parameters] == [[71.0, 73.0]]
    path = f"/api/compare/flips?run={run_id}&run={other}&node=two"
    assert client.get(path).error == "not_found"
    assert client.get(f"/api/compare?run={run_id}").error == "invalid_request"
    assert client.get(f"/api/compare?run={run_id}&run=last").error == "not_found"


def test_what_a_run_came_to_stands_in_every_answer(server: Server, client: Client) -> None:
    run_id = submit(client, constant(72), experiment="judged")
    ended(client, run_id)
    assert RunFigures.model_validate(client.get(f"/api/runs/{run_id}/figures").json).figures == []
    store = server.application.session.runs.store
    logged = {"name": "Overall_Accuracy", "step": 0, "value": 0.983}
    again = Event("RunQueued", data={"nodes": ["two"]})
    over = Event("RunFinished", data={"status": "completed"})
    store.append_to(run_id, [again, Event("MetricLogged", "two", logged), over])
    query = "experiment=judged&columns=metric:Overall_Accuracy%0Aparameter:constant.value"
    [entry] = RunList.model_validate(client.get(f"/api/runs?{query}").json).runs
    assert entry.headline is not None
    assert (entry.headline.value, entry.headline.text) == (0.983, "98.3 %")
    assert entry.values == [0.983, 72.0]
    answer = RunAnswer.model_validate(client.get(f"/api/runs/{run_id}").json)
    figures = RunFigures.model_validate(client.get(f"/api/runs/{run_id}/figures").json)
    assert answer.headline == figures.headline == entry.headline
    columns = RunColumnList.model_validate(client.get("/api/run-columns?experiment=judged").json)
    assert [column.key for column in columns.columns] == ["metric:Overall_Accuracy"]
    with client.stream(f"/api/runs/{run_id}/events") as messages:
        told = [each.data["headline"] for each in messages if each.kind == "headline"]
    assert told == [entry.headline.model_dump()]


def test_a_pipelines_runs_are_judged_by_what_its_user_chose(client: Client) -> None:
    pipeline = client.post("/api/pipelines", document("judged", name="Judged")).json["id"]
    path = f"/api/pipelines/{pipeline}/headline"
    chosen = {"headline": {"node": "two", "metric": "size"}}
    assert client.put(path, chosen).json == chosen
    assert client.put(path, {"headline": None}).json == {"headline": None}
    assert client.put("/api/pipelines/gone/headline", chosen).status == 404
    assert client.put(path, {"headline": {"node": "two"}}).status == 422
    assert client.put(path, {}).status == 422


def test_nodes_inside_sub_pipelines_are_named_by_their_paths(client: Client, run_id: str) -> None:
    deep = "/".join([f"{'sub_pipeline-' * 4}{place}" for place in range(3)])
    again = client.post(f"/api/runs/{run_id}/resubmit", {"from_node": deep})
    assert again.error == "UnknownNode"
    assert client.post("/api/runs", {"document": constant(71), "to": deep}).error == "UnknownNode"
    assert client.post(f"/api/runs/{run_id}/resubmit", {"from_node": f"{deep}/"}).status == 422
    pipeline = client.post("/api/pipelines", constant(73)).json["id"]
    chosen = {"headline": {"node": deep, "metric": "size"}}
    assert client.put(f"/api/pipelines/{pipeline}/headline", chosen).json == chosen
