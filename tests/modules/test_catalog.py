"""The catalog: an immutable mapping of modules."""

from __future__ import annotations

from typing import Annotated

import pytest

from modules.artifacts import Artifact
from modules.catalog import ModuleOrigin
from modules.catalog_spec import catalog_spec
from modules.declare import module
from modules.loading import Found
from modules.spec import PortDoc
from tests import toy
from tests.json_values import as_json
from tests.toy import CATALOG


def test_modules_by_id_in_order() -> None:
    assert CATALOG.get("add") is toy.add
    assert CATALOG.get("subtract") is None
    assert [each.id for each in CATALOG.modules[:2]] == ["constant", "add"]
    assert CATALOG.failures == ()


def test_a_catalog_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        CATALOG.entries["add"] = CATALOG.entries["constant"]  # type: ignore[index]
    larger = CATALOG.adding([])
    assert larger is not CATALOG
    assert larger.modules == CATALOG.modules


def test_port_types_and_their_supertypes() -> None:
    assert set(CATALOG.port_types) == {"Artifact", "Number", "WholeNumber"}
    [whole] = [
        each
        for each in as_json(catalog_spec(CATALOG))["port_types"]
        if each["name"] == "WholeNumber"
    ]
    assert whole == {
        "name": "WholeNumber",
        "colour": "violet",
        "help": "A number without a fraction: fits wherever a number does.",
        "supertypes": ["Number", "Artifact"],
    }


def test_origins_of_importable_modules() -> None:
    assert CATALOG.origin("add") == ModuleOrigin("import", "tests.toy:add")
    assert CATALOG.code_hash("add") is None
    assert CATALOG.origin("subtract") is None


def test_an_id_that_is_taken_is_a_failure() -> None:
    twice = CATALOG.adding([Found(toy.add, ModuleOrigin("file", "mine.py"))])
    assert twice.modules == CATALOG.modules
    [failure] = twice.failures
    assert failure.source == "mine.py"
    assert "'add' is already used by tests.toy:add" in failure.message


class Number(Artifact):
    """Not the number of the toy catalog, but of the same name."""


@module(title="Fake", category="Tests", summary="Uses a type of a taken name.")
def fake(a: Annotated[Number, PortDoc("Not the number you know.")]) -> None:
    """Nothing."""
    assert a


def test_a_port_type_that_is_taken_is_a_failure() -> None:
    [failure] = CATALOG.adding([Found(fake, ModuleOrigin("file", "mine.py"))]).failures
    assert "port type 'Number'" in failure.message
