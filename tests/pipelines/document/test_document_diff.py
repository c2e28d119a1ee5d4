"""What changed between two documents, in a sentence; and commits of several at once."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import parse_document
from pipelines.document.document_diff import describe, is_same
from pipelines.errors import StaleRevisionError
from pipelines.registry.pipelines import SavedPipelines
from pipelines.store.database.connections import Database
from pipelines.workspace import Workspace
from tests.toy import CATALOG

BASE: dict[str, Any] = {
    "format": "pipeline-designer/2",
    "id": "p",
    "name": "P",
    "nodes": [
        {"id": "two", "module": "constant", "parameters": {"value": 2}},
        {"id": "sum", "module": "add"},
    ],
    "links": [
        {"from": {"node": "two", "port": "output"}, "to": {"node": "sum", "port": "a"}},
    ],
}
TWO, SUM = BASE["nodes"]
SECOND = {"from": {"node": "two", "port": "output"}, "to": {"node": "sum", "port": "b"}}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "nothing changed"),
        ({"nodes": [TWO, SUM, {"id": "x", "module": "multiply"}]}, "added Multiply"),
        ({"nodes": [SUM], "links": []}, "removed Constant"),
        ({"nodes": [{**TWO, "parameters": {"value": 5}}, SUM]}, "set Constant · Value to 5"),
        ({"nodes": [{**TWO, "parameters": {}}, SUM]}, "reset Constant · Value"),
        ({"nodes": [{**TWO, "title": "Deux"}, SUM]}, "renamed Constant to Deux"),
        ({"nodes": [TWO, {**SUM, "disabled": True}]}, "disabled Add"),
        ({"nodes": [TWO, {**SUM, "position": {"x": 9, "y": 0}}]}, "moved 1 node"),
        ({"nodes": [{**TWO, "collapsed": True}, SUM]}, "collapsed 1 node"),
        ({"nodes": [TWO, {**SUM, "run_settings": {"retries": 2}}]}, "set Add · Retries to 2"),
        ({"links": [*BASE["links"], SECOND]}, "connected Constant to Add"),
        ({"links": []}, "disconnected Constant from Add"),
        ({"settings": {"random_seed": 7}}, "set the pipeline's random seed to 7"),
        ({"name": "Q", "notes": [{"id": "n"}]}, "renamed the pipeline to Q, changed the notes"),
    ],
)
def test_changes_are_said_in_words(changes: dict[str, Any], sentence: str) -> None:
    old, new = parse_document(BASE), parse_document({**BASE, **changes})
    assert describe(old, new, CATALOG) == sentence


def test_collapsed_nodes_do_the_same() -> None:
    collapsed = {**BASE, "nodes": [{**TWO, "collapsed": True}, SUM]}
    assert is_same(parse_document(BASE), parse_document(collapsed))
    assert describe(parse_document(collapsed), parse_document(BASE), CATALOG) == "expanded 1 node"


def test_twins_are_told_apart_and_sub_pipelines_called_by_their_titles() -> None:
    twin = {"id": "three", "module": "constant"}
    inner = {"id": "x", "module": "constant", "parameters": {"value": 1}}
    part = {"id": "part", "title": "Numbers", "nodes": [inner]}
    placed = {"id": "p1", "module": "definition:part", "version": 1}
    before = {**BASE, "nodes": [TWO, SUM, twin, placed], "definitions": [part]}
    changed = {**part, "nodes": [{**inner, "parameters": {"value": 9}}]}
    after = {
        **before,
        "nodes": [TWO, SUM, {**twin, "parameters": {"value": 5}}, {**placed, "disabled": True}],
        "definitions": [changed],
    }
    assert describe(parse_document(before), parse_document(after), CATALOG) == (
        "set Constant 2 · Value to 5, disabled Numbers, in Numbers: set Constant · Value to 9"
    )


def test_a_long_list_is_cut() -> None:
    many = [{"id": f"n{i}", "module": "add", "title": f"N{i}"} for i in range(40)]
    new = parse_document({**BASE, "nodes": [TWO, SUM, *many]})
    said = describe(parse_document(BASE), new, CATALOG)
    assert said == "added N0, added N1, added N2, added N3, added N4 and 35 more"


def test_of_several_commits_from_one_revision_one_is_kept(tmp_path: Path) -> None:
    database = Database.open(Workspace.at(tmp_path))
    saved = SavedPipelines(database, lambda: CATALOG)
    made = saved.create(parse_document(BASE))
    outcomes: list[object] = []

    def commit(name: str) -> None:
        document = parse_document({**made.document, "name": name})
        try:
            outcomes.append(saved.commit(document, 1, client=name, seq=1).revision)
        except StaleRevisionError as error:
            outcomes.append(error.document["name"])

    threads = [threading.Thread(target=commit, args=(f"tab-{i}",)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winner = saved.open(made.pipeline_id).document["name"]
    assert sorted(map(str, outcomes)) == sorted(["2", *[winner] * 5])
    database.close()
