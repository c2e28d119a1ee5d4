"""The catalog: an immutable mapping of modules, listed without torch in half a second."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Annotated

import pytest

from modules.catalog import Origin, builtin_catalog, load_catalog
from modules.declare import module
from modules.loading import Found
from modules.ports import Artifact
from modules.spec import PortDoc
from tests import toy
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
    [whole] = [each for each in CATALOG.to_json()["port_types"] if each["name"] == "WholeNumber"]
    assert whole == {
        "name": "WholeNumber",
        "colour": "violet",
        "help": "A number without a fraction: fits wherever a number does.",
        "supertypes": ["Number", "Artifact"],
    }


def test_origins_of_importable_modules() -> None:
    assert CATALOG.origin("add") == Origin("import", "tests.toy:add")
    assert CATALOG.code_hash("add") is None
    assert CATALOG.origin("subtract") is None


def test_an_id_that_is_taken_is_a_failure() -> None:
    twice = CATALOG.adding([Found(toy.add, Origin("file", "mine.py"))])
    assert twice.modules == CATALOG.modules
    [failure] = twice.failures
    assert failure.source == "mine.py"
    assert "'add' is taken by tests.toy:add" in failure.message


class Number(Artifact):
    """Not the number of the toy catalog, but of the same name."""


@module(title="Fake", category="Tests", summary="Uses a type of a taken name.")
def fake(a: Annotated[Number, PortDoc("Not the number you know.")]) -> None:
    """Nothing."""
    assert a


def test_a_port_type_that_is_taken_is_a_failure() -> None:
    [failure] = CATALOG.adding([Found(fake, Origin("file", "mine.py"))]).failures
    assert "port type 'Number'" in failure.message


def test_the_json_of_the_whole_catalog() -> None:
    listed = load_catalog(None).to_json()
    assert json.loads(json.dumps(listed)) == listed
    assert listed["format"] == "pipeline-designer-modules/1"
    assert len(listed["modules"]) == len(builtin_catalog().modules)
    assert {"AnyDirectory", "ImageDirectory", "TrainedModel"} <= {
        each["name"] for each in listed["port_types"]
    }


def test_listing_the_catalog_loads_pydantic_and_nothing_heavier(tmp_path: Path) -> None:
    program = (
        "import json, pathlib, sys\n"
        "before = set(sys.modules)\n"
        "from modules.catalog import load_catalog\n"
        "json.dumps(load_catalog(pathlib.Path(sys.argv[1])).to_json())\n"
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], check=True, capture_output=True, text=True
    )
    installed = set(ran.stdout.split()) & set(packages_distributions())
    assert installed <= {
        "annotated_types",
        "modules",
        "pydantic",
        "pydantic_core",
        "typing_extensions",
        "typing_inspection",
    }
