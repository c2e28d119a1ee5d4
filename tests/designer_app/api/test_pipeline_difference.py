"""Differences of a document from pipelines, revisions, published versions and runs over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.designer_app.api.runs import new_run
from tests.designer_app.documents import document, link, node
from tests.designer_app.http import Answer, Client, Server


def compare(client: Client, reference: str, content: dict[str, Any]) -> Answer:
    return client.post(f"/api/compare/pipelines?with={reference}", content)


def changed(value: int, pipeline_id: str = "toy") -> dict[str, Any]:
    nodes = [node("two", "constant", value=value), node("whole", "whole")]
    return document(pipeline_id, nodes=nodes)


def test_a_document_is_compared_with_each_kind_of_baseline(client: Client, server: Server) -> None:
    saved = client.post("/api/pipelines", changed(3, "saved")).json["id"]
    client.send("PUT", f"/api/pipelines/{saved}", changed(4, saved), {"If-Match": '"1"'})
    client.post("/api/published", {"name": "frozen", "document": changed(5)})
    _, run = new_run(server)
    for reference, before in (
        (f"pipeline:{saved}", 4),
        (f"pipeline:{saved}@1", 3),
        ("published:frozen", 5),
        ("published:frozen@1", 5),
        (f"run:{run}", 2),
    ):
        answer = compare(client, reference, changed(9))
        assert answer.status == 200, answer.body
        graph = answer.json["graph"]
        assert graph["changed"] == {"two": [f"Value: {before} → 9"]}, reference
        assert graph["values"]["two"][0]["before"] == before
        assert answer.json["baseline"]["format"] == "pipeline-designer/2"


def test_equal_pipelines_have_no_differences(client: Client) -> None:
    saved = client.post("/api/pipelines", changed(3, "equal")).json["id"]
    assert compare(client, f"pipeline:{saved}", changed(3, saved)).json["count"] == 0


def test_unfinished_and_unknown_parts_are_compared(client: Client) -> None:
    saved = client.post("/api/pipelines", changed(3, "unfinished")).json["id"]
    nodes = [node("two", "constant", value="x"), node("far", "module_of_somebody", depth=1)]
    content = {"format": "pipeline-designer/2", "id": saved, "name": "Toy", "nodes": nodes}
    graph = compare(client, f"pipeline:{saved}", {**content, "links": []}).json["graph"]
    assert graph["added"] == ["far"]
    assert graph["removed"] == ["whole"]
    assert graph["changed"] == {"two": ["Value: 3 → x"]}


def test_a_baseline_of_an_old_format_is_migrated(client: Client) -> None:
    content = {key: value for key, value in changed(3, "old").items() if key != "definitions"}
    saved = client.post("/api/pipelines", {**content, "format": "pipeline-designer/1"}).json["id"]
    assert compare(client, f"pipeline:{saved}", changed(3, saved)).json["count"] == 0


def test_a_deleted_pipeline_is_not_found(client: Client) -> None:
    saved = client.post("/api/pipelines", changed(3, "short-lived")).json["id"]
    client.send("DELETE", f"/api/pipelines/{saved}")
    for reference in (f"pipeline:{saved}", f"pipeline:{saved}@1"):
        answer = compare(client, reference, changed(3))
        assert (answer.status, answer.error) == (404, "not_found")
        assert answer.json["error"]["cure"]


@pytest.mark.parametrize(
    ("reference", "status"),
    [
        ("", 422),
        ("toy", 422),
        ("pipeline:", 422),
        ("pipeline:toy@first", 422),
        ("pipeline:toy@99999999999", 422),
        ("run:../../etc@1", 422),
        ("run:none", 404),
        ("published:none", 404),
        ("published:none@3", 404),
        ("pipeline:none@1", 404),
    ],
)
def test_invalid_references_are_refused(client: Client, reference: str, status: int) -> None:
    answer = compare(client, reference, changed(3))
    assert answer.status == status
    assert answer.json["error"]["message"]
    assert answer.json["error"]["cure"]


def test_a_body_that_is_no_pipeline_is_refused(client: Client) -> None:
    client.post("/api/pipelines", changed(3, "body"))
    assert compare(client, "pipeline:body", {"format": "nothing"}).status == 422
    unlinked = changed(3, "body")
    unlinked["links"] = [link("two", "nowhere", "a")]
    assert compare(client, "pipeline:body", unlinked).status == 200
