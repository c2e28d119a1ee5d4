"""Edits of a document; the cases are shared with the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pipelines.documents.document import Endpoint, PipelineDocument, parse_document
from pipelines.editing import edits, insertions, sub_pipelines
from pipelines.problems import PipelineError
from tests.pipelines.documents import cases
from tests.toy import CATALOG

NEEDS_CATALOG = {
    "add_node",
    "connect",
    "set_parameter",
    "upgrade_node",
    "remove_and_heal",
    "insert_on_link",
    "insert_bridge",
    "make_sub_pipeline",
    "unpack",
}
ARGUMENTS = {"from": "from_", "parameter": "name", "nodes": "node_ids", "node": "node_id"}


def apply(document: PipelineDocument, edit: dict[str, Any]) -> PipelineDocument:
    """The document after an edit in the words of the shared cases."""
    name = edit["do"]
    functions = {**vars(sub_pipelines), **vars(insertions), **vars(edits)}
    function: Callable[..., PipelineDocument] = functions[name]
    arguments = {ARGUMENTS.get(key, key): each for key, each in edit.items() if key != "do"}
    for key in {"from_", "to"} & arguments.keys():
        arguments[key] = Endpoint(**arguments[key])
    if "module" in arguments:
        arguments["module_id"] = arguments.pop("module")
    if "copied" in arguments:
        arguments["copied"] = parse_document(arguments["copied"])
    if name in NEEDS_CATALOG:
        arguments["catalog"] = CATALOG
    return function(document, **arguments)


@pytest.mark.parametrize("case", cases.named(cases.load("edits.json")))
def test_shared_cases(case: dict[str, Any]) -> None:
    before = parse_document(case["document"])
    if "problems" in case:
        with pytest.raises(PipelineError) as caught:
            apply(before, case["edit"])
        assert [cases.told(each) for each in caught.value.problems] == case["problems"]
    else:
        assert apply(before, case["edit"]) == parse_document(case["expect"])
    assert before == parse_document(case["document"])


def test_every_edit_has_a_case() -> None:
    done = {case["edit"]["do"] for case in cases.load("edits.json")}
    public = {
        name
        for module in (edits, insertions, sub_pipelines)
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    }
    inner = {
        "fresh_id",
        "free_name",
        "changed",
        "node_of",
        "module_of",
        "insert_between",
        "extract",
        "with_images",  # by the server alone: "Use in a pipeline"
    }
    assert done == {name for name in public if not name.startswith("_")} - inner


def test_fresh_ids_stay_within_the_limit() -> None:
    document = parse_document(cases.pipeline({"id": "x" * 64, "module": "add"}))
    found = edits.fresh_id(document, "x" * 64)
    assert found == "x" * 62 + "_2"
