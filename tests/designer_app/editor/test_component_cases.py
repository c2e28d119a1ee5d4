"""The editor's component tests use the catalog and the verdicts of the product.

``python -m tests.designer_app.editor.test_component_cases`` writes the catalog again.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from modules.catalog import builtin_catalog
from modules.catalog_spec import catalog_spec
from tests.designer_app.http import Client
from tests.json_values import as_json
from tests.pipelines.document import cases

NAME = "builtin_catalog.json"


def test_the_catalog_of_component_tests_is_the_builtin_catalog() -> None:
    assert cases.load(NAME) == as_json(catalog_spec(builtin_catalog())), __doc__


@pytest.mark.parametrize("case", cases.named(cases.load("verdicts.json")))
def test_component_tests_show_what_the_server_finds(client: Client, case: dict[str, Any]) -> None:
    answer = client.post("/api/validate", case["document"]).json
    assert answer["problems"] == case["problems"]


def write_catalog() -> None:
    """Write the catalog, one module a line."""
    catalog = as_json(catalog_spec(builtin_catalog()))
    modules = ",\n".join(json.dumps(module) for module in catalog.pop("modules"))
    rest = json.dumps(catalog, indent=1).removeprefix("{\n")
    (cases.CASES_DIR / NAME).write_text(f'{{\n "modules": [\n{modules}\n ],\n{rest}\n', "utf-8")


if __name__ == "__main__":
    write_catalog()
