"""Saved pipelines over HTTP: revisions, conflicts, commits sent twice, looking back."""

from __future__ import annotations

import http.client
import json
import threading
from typing import Any

import pytest

from pipelines.document.document import PipelineDocument
from pipelines.problems import Problem
from pipelines.validation.workspace_checks import WorkspaceChecks
from tests.designer_app.documents import document, node
from tests.designer_app.http import Answer, Client


@pytest.fixture
def made(client: Client) -> dict[str, Any]:
    """A new pipeline's document as the server has it."""
    answer = client.post("/api/pipelines", document("fresh"))
    assert answer.status == 201
    found: dict[str, Any] = client.get(answer.headers["location"]).json
    return found


def put(client: Client, content: dict[str, Any], base: int, **headers: str) -> Answer:
    path = f"/api/pipelines/{content['id']}"
    return client.put(path, content, If_Match=f'"{base}"', **headers)


def named(content: dict[str, Any], name: str) -> dict[str, Any]:
    return {**content, "name": name}


def test_a_new_pipeline_gets_an_id_of_its_own(client: Client) -> None:
    first = client.post("/api/pipelines", document("twin")).json
    second = client.post("/api/pipelines", document("twin")).json
    assert first == {"id": "twin", "revision": 1}
    assert second == {"id": "twin-2", "revision": 1}
    listed = {each["id"]: each for each in client.get("/api/pipelines").json["pipelines"]}
    assert listed["twin-2"]["num_nodes"] == 2
    assert client.get("/api/pipelines/twin-2").json == document("twin-2")


def test_a_commit_is_the_next_revision(client: Client, made: dict[str, Any]) -> None:
    answer = put(client, named(made, "New"), 1)
    assert (answer.status, answer.json) == (200, {"revision": 2, "problems": []})
    assert answer.revision == 2
    opened = client.get(f"/api/pipelines/{made['id']}")
    assert (opened.revision, opened.json["name"]) == (2, "New")


def test_a_number_that_becomes_a_truth_value_is_a_change(
    client: Client, made: dict[str, Any]
) -> None:
    for base, value in enumerate((1, True, False, 0), 1):
        changed = {**made, "nodes": [node("two", "constant", value=value), made["nodes"][1]]}
        assert put(client, changed, base).json["revision"] == base + 1
        kept = client.get(f"/api/pipelines/{made['id']}").json["nodes"][0]["parameters"]["value"]
        assert (type(kept), kept) == (type(value), value)
    assert put(client, changed, base + 1).json["revision"] == base + 1, "nothing has changed"


def test_a_commit_tells_what_is_wrong_and_is_kept_all_the_same(
    client: Client, made: dict[str, Any]
) -> None:
    broken = {**made, "links": []}
    answer = put(client, broken, 1)
    assert answer.json["revision"] == 2
    assert [each["node"] for each in answer.json["problems"]] == ["whole"]


def test_a_commit_is_acknowledged_before_it_has_been_checked(
    client: Client, made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    acknowledged, check = threading.Event(), WorkspaceChecks.problems

    def held_up(checks: WorkspaceChecks, content: PipelineDocument) -> list[Problem]:
        assert acknowledged.wait(60)
        return check(checks, content)

    monkeypatch.setattr(WorkspaceChecks, "problems", held_up)
    broken, base = {**made, "links": []}, {"If-Match": '"1"'}
    with client.begun("PUT", f"/api/pipelines/{made['id']}", broken, base) as response:
        assert (response.status, response.getheader("ETag")) == (200, '"2"')
        assert client.get(f"/api/pipelines/{made['id']}").json["links"] == []
        acknowledged.set()
        told = json.load(response)
    assert told["revision"] == 2
    assert [each["node"] for each in told["problems"]] == ["whole"]


def test_an_answer_whose_checks_fail_is_taken_for_no_whole_one(
    client: Client, made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_checks: WorkspaceChecks, _content: PipelineDocument) -> list[Problem]:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(WorkspaceChecks, "problems", failing)
    path, base = f"/api/pipelines/{made['id']}", {"If-Match": '"1"'}
    with (
        client.begun("PUT", path, named(made, "Kept"), base) as response,
        pytest.raises(http.client.IncompleteRead),
    ):
        response.read()
    assert client.get(path).json["name"] == "Kept"


def test_a_commit_must_say_what_it_was_made_from(client: Client, made: dict[str, Any]) -> None:
    path = f"/api/pipelines/{made['id']}"
    answer = client.put(path, made)
    assert (answer.status, answer.error) == (428, "precondition_required")
    assert client.put(path, made, If_Match="*").status == 400


def test_a_stale_commit_is_refused_with_what_is_there(client: Client, made: dict[str, Any]) -> None:
    put(client, named(made, "Mine"), 1, X_Designer_Client="tab-1", X_Designer_Seq="1")
    answer = put(client, named(made, "Theirs"), 1, X_Designer_Client="tab-2", X_Designer_Seq="1")
    assert (answer.status, answer.error) == (409, "stale_revision")
    assert answer.json["revision"] == 2
    assert answer.json["document"]["name"] == "Mine"
    assert client.get(f"/api/pipelines/{made['id']}").json["name"] == "Mine"


def test_a_commit_sent_again_is_acknowledged_again(client: Client, made: dict[str, Any]) -> None:
    tab = {"X_Designer_Client": "tab-1"}
    for _ in range(3):
        answer = put(client, named(made, "One"), 1, **tab, X_Designer_Seq="1")
        assert (answer.status, answer.json["revision"]) == (200, 2)
    assert len(client.get(f"/api/pipelines/{made['id']}/revisions").json["revisions"]) == 2


def test_a_tab_that_missed_its_answer_goes_on(client: Client, made: dict[str, Any]) -> None:
    tab = {"X_Designer_Client": "tab-1"}
    put(client, named(made, "One"), 1, **tab, X_Designer_Seq="1")
    answer = put(client, named(made, "Two"), 1, **tab, X_Designer_Seq="2")
    assert (answer.status, answer.json["revision"]) == (200, 3)
    late = put(client, named(made, "One"), 1, **tab, X_Designer_Seq="1")
    assert late.json["revision"] == 3
    assert client.get(f"/api/pipelines/{made['id']}").json["name"] == "Two"


def test_a_resend_never_hides_what_another_tab_saved(client: Client, made: dict[str, Any]) -> None:
    mine, theirs = {"X_Designer_Client": "mine"}, {"X_Designer_Client": "theirs"}
    put(client, named(made, "One"), 1, **mine, X_Designer_Seq="1")
    put(client, named(made, "Other"), 2, **theirs, X_Designer_Seq="1")
    resent = put(client, named(made, "One"), 1, **mine, X_Designer_Seq="1")
    assert resent.json["revision"] == 2, "its own, so that the next commit meets the other's"
    following = put(client, named(made, "Two"), 2, **mine, X_Designer_Seq="2")
    assert following.status == 409


def test_the_document_already_there_is_no_conflict(client: Client, made: dict[str, Any]) -> None:
    put(client, named(made, "Same"), 1)
    answer = put(client, named(made, "Same"), 1)
    assert (answer.status, answer.json["revision"]) == (200, 2)


def test_a_burst_of_commits_leaves_few_revisions(client: Client, made: dict[str, Any]) -> None:
    revision = 1
    for seq in range(6):
        content = named(made, f"Name {seq}")
        answer = put(client, content, revision, X_Designer_Client="t", X_Designer_Seq=str(seq))
        revision = answer.json["revision"]
    assert revision == 7
    entries = client.get(f"/api/pipelines/{made['id']}/revisions").json["revisions"]
    assert [each["revision"] for each in entries] == [7, 1]


def test_a_version_has_a_name_and_is_not_thinned_out(client: Client, made: dict[str, Any]) -> None:
    path = f"/api/pipelines/{made['id']}/revisions"
    author = {"X_Designer_Client": "t"}
    put(client, named(made, "One"), 1, **author, X_Designer_Seq="1")
    assert client.put(f"{path}/2/name", {"name": "  baseline "}).json == {"name": "baseline"}
    for seq in (2, 3):
        put(client, named(made, f"Name {seq}"), seq, **author, X_Designer_Seq=str(seq))
    entries = client.get(path).json["revisions"]
    assert [(each["revision"], each["name"]) for each in entries] == [
        (4, None),
        (2, "baseline"),
        (1, None),
    ], "the one between came and went in the same burst"
    listed = client.get(f"{path}?limit=1").json["revisions"]
    assert [(each["revision"], each["changes"]) for each in listed] == [
        (4, "renamed the pipeline to Name 3"),
        (2, "renamed the pipeline to One"),
    ], "one with a name is never too old to be listed"
    assert client.put(f"{path}/2/name", {"name": " "}).json == {"name": None}
    refused = client.put(f"{path}/2/name", {"name": "x" * 101})
    assert (refused.status, refused.error) == (422, "not_taken")
    assert "1 to 100 characters" in str(refused.json)
    assert client.put(f"{path}/9/name", {"name": "none"}).status == 404
    assert client.put(f"{path}/2/name", {"name": 7}).status == 422


def test_a_commit_for_another_pipeline_is_refused(client: Client, made: dict[str, Any]) -> None:
    path = f"/api/pipelines/{made['id']}"
    answer = client.put(path, document("other"), If_Match='"1"')
    assert (answer.status, answer.error) == (422, "wrong_id")


def test_deleting_can_be_undone(client: Client, made: dict[str, Any]) -> None:
    path = f"/api/pipelines/{made['id']}"
    assert client.delete(path).json == {"id": made["id"], "deleted": True}
    assert client.get(path).error == "not_found"
    assert put(client, made, 1).status == 404
    ids = [each["id"] for each in client.get("/api/pipelines").json["pipelines"]]
    assert made["id"] not in ids
    assert client.post(f"{path}/undelete").json == {"id": made["id"], "revision": 1}
    assert client.get(path).json == made


def test_history_says_what_changed_and_can_be_restored(
    client: Client, made: dict[str, Any]
) -> None:
    path = f"/api/pipelines/{made['id']}"
    nodes = [{**made["nodes"][0], "parameters": {"value": 5}}, made["nodes"][1]]
    more = {**made, "nodes": [*nodes, node("sum", "add")]}
    assert put(client, more, 1).json["revision"] == 2
    entries = client.get(f"{path}/revisions").json["revisions"]
    assert [each["changes"] for each in entries] == [
        "added Add, set Constant · Value to 5",
        "created",
    ]
    assert client.get(f"{path}/revisions/1").json == made
    restored = client.post(f"{path}/revisions/1/restore")
    assert restored.json == {"id": made["id"], "revision": 3}
    assert client.get(path).json == made
    assert client.get(f"{path}/revisions/9").error == "not_found"


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"id": "x"}', b'{"format": NaN}'])
def test_what_is_no_document_is_refused_with_its_problems(client: Client, body: bytes) -> None:
    answer = client.post("/api/pipelines", body)
    assert answer.status == 422
    assert answer.error
    assert answer.json["problems"]


def test_markup_in_names_stays_text(client: Client) -> None:
    hostile = '<img src=x onerror="alert(1)"></script><script>alert(1)</script>'
    content = document("hostile", name=hostile, notes=[{"id": "n", "text": hostile}])
    made = client.post("/api/pipelines", content).json
    answer = client.get(f"/api/pipelines/{made['id']}")
    assert answer.json["name"] == hostile
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
