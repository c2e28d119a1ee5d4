"""The editor's component tests use the catalog, verdicts and differences of the product.

``python -m tests.designer_app.editor.test_component_cases`` writes the catalog and the differences
again.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from modules.catalog import builtin_catalog
from modules.catalog_spec import catalog_spec
from pipelines.document.document import parse_document
from pipelines.document.graph_difference import pipeline_difference
from tests.designer_app.http import Client
from tests.json_values import as_json
from tests.pipelines.document import cases

NAME = "builtin_catalog.json"
DIFFERENCES = "pipeline_differences.json"


def test_the_catalog_of_component_tests_is_the_builtin_catalog() -> None:
    assert cases.load(NAME) == as_json(catalog_spec(builtin_catalog())), __doc__


@pytest.mark.parametrize("case", cases.named(cases.load("verdicts.json")))
def test_component_tests_show_what_the_server_finds(client: Client, case: dict[str, Any]) -> None:
    answer = client.post("/api/validate", case["document"]).json
    assert answer["problems"] == case["problems"]


@pytest.mark.parametrize("case", cases.named(cases.load(DIFFERENCES)))
def test_component_tests_draw_what_the_server_compares(case: dict[str, Any]) -> None:
    assert difference_of(case) == case["difference"], __doc__


def difference_of(case: dict[str, Any]) -> Any:
    baseline, document = parse_document(case["baseline"]), parse_document(case["document"])
    return as_json(pipeline_difference(baseline, document, builtin_catalog()))


def write_differences() -> None:
    """Write the differences of the cases, whose pipelines are written by hand."""
    written = [{**case, "difference": difference_of(case)} for case in cases.load(DIFFERENCES)]
    text = json.dumps(written, indent=1, ensure_ascii=False)
    (cases.CASES_DIR / DIFFERENCES).write_text(f"{text}\n", "utf-8")


def write_catalog() -> None:
    """Write the catalog, one module a line."""
    catalog = as_json(catalog_spec(builtin_catalog()))
    modules = ",\n".join(json.dumps(module) for module in catalog.pop("modules"))
    rest = json.dumps(catalog, indent=1).removeprefix("{\n")
    (cases.CASES_DIR / NAME).write_text(f'{{\n "modules": [\n{modules}\n ],\n{rest}\n', "utf-8")


if __name__ == "__main__":
    write_catalog()
    write_differences()
