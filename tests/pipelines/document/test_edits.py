"""Edits of a document; the cases are shared with the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pipelines.document import edits
from pipelines.document.document import Endpoint, PipelineDocument, parse_document
from pipelines.problems import PipelineError
from tests.pipelines.document import cases
from tests.toy import CATALOG

EDITS = {"add_node", "connect", "disconnect", "remove_nodes", "set_parameter"}
"""Edits that both sides have; the other cases are of the browser alone."""
NEEDS_CATALOG = {"add_node", "connect", "set_parameter"}
ARGUMENTS = {"from": "from_", "parameter": "name", "nodes": "node_ids", "node": "node_id"}


def apply(document: PipelineDocument, edit: dict[str, Any]) -> PipelineDocument:
    """The document after an edit in the words of the shared cases."""
    name = edit["do"]
    function: Callable[..., PipelineDocument] = getattr(edits, name)
    arguments = {ARGUMENTS.get(key, key): item for key, item in edit.items() if key != "do"}
    for key in {"from_", "to"} & arguments.keys():
        arguments[key] = Endpoint(**arguments[key])
    if "module" in arguments:
        arguments["module_id"] = arguments.pop("module")
    if name in NEEDS_CATALOG:
        arguments["catalog"] = CATALOG
    return function(document, **arguments)


SHARED = [case for case in cases.load("edits.json") if case["edit"]["do"] in EDITS]


@pytest.mark.parametrize("case", cases.named(SHARED))
def test_shared_cases(case: dict[str, Any]) -> None:
    before = parse_document(case["document"])
    if "problems" in case:
        with pytest.raises(PipelineError) as caught:
            apply(before, case["edit"])
        assert [cases.message_of(problem) for problem in caught.value.problems] == case["problems"]
    else:
        assert apply(before, case["edit"]) == parse_document(case["expect"])
    assert before == parse_document(case["document"])


def test_every_edit_has_a_case() -> None:
    assert {case["edit"]["do"] for case in SHARED} == EDITS
    public = {
        name
        for name, value in vars(edits).items()
        if callable(value) and getattr(value, "__module__", "") == edits.__name__
    }
    inner = {"fresh_id", "free_name", "changed", "node_of", "module_of", "with_images"}
    assert {name for name in public if not name.startswith("_")} - inner == EDITS


def test_fresh_ids_stay_within_the_limit() -> None:
    document = parse_document(cases.pipeline({"id": "x" * 64, "module": "add"}))
    fresh_id = edits.fresh_id(document, "x" * 64)
    assert fresh_id == "x" * 62 + "_2"
