"""Parameters as a settings pane sees them."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError

from modules.catalog_spec import parameter_specs
from modules.parameters import (
    Code,
    Group,
    Parameters,
    ShownWhen,
    Suggestions,
    Unit,
)
from modules.scripts.parameters import ScriptParameters

asked: list[bool] = []


def _names() -> list[str]:
    asked.append(True)
    return ["left", "right"]


class Sample(Parameters):
    epochs: Annotated[int, Unit("epochs")] = Field(5, gt=0, title="Epochs", description="Rounds.")
    rate: float = Field(0.1, ge=0, le=1, title="Rate", description="Speed.")
    crop: bool = Field(True, title="Crop", description="Cut.")
    size: Annotated[int, ShownWhen("crop"), Group("Advanced", folded=True)] = Field(
        224, lt=1000, title="Size", description="Edge."
    )
    mode: Literal["a", "b"] = Field("a", title="Mode", description="Which.")
    kind: Annotated[str, ShownWhen("mode", ("b",)), Suggestions(_names)] = Field(
        "left", max_length=9, title="Kind", description="Side."
    )
    seed: int | None = Field(None, title="Seed", description="Chance.")
    source: str = Field(title="Source", description="From where.")
    script: Annotated[str, Code()] = Field("", title="Script", description="A program.")


def described() -> dict[str, dict[str, Any]]:
    listed = [spec.model_dump(mode="json") for spec in parameter_specs(Sample)]
    assert json.loads(json.dumps(listed)) == listed
    return {each["id"]: each for each in listed}


def test_what_is_run_is_known() -> None:
    assert [name for name, each in described().items() if each["runs"]] == ["script"]
    asked = [spec.model_dump(mode="json") for spec in parameter_specs(ScriptParameters)]
    running = {each["id"] for each in asked if each["runs"]}
    sources = {"source_folder", "typed_script", "script", "command"}
    assert running == {*sources, "arguments", "secrets", "network"}


def test_order_and_types() -> None:
    found = described()
    assert list(found) == list(Sample.model_fields)
    assert {name: each["type"] for name, each in found.items()} == {
        "epochs": "integer",
        "rate": "number",
        "crop": "boolean",
        "size": "integer",
        "mode": "string",
        "kind": "string",
        "seed": "integer",
        "source": "string",
        "script": "string",
    }


def test_bounds_choices_and_words() -> None:
    found = described()
    assert found["epochs"]["exclusive_minimum"] == 0
    assert (found["rate"]["minimum"], found["rate"]["maximum"]) == (0, 1)
    assert found["size"]["exclusive_maximum"] == 1000
    assert found["kind"]["max_length"] == 9
    assert found["mode"]["choices"] == ["a", "b"]
    assert (found["epochs"]["title"], found["epochs"]["help"]) == ("Epochs", "Rounds.")


def test_what_only_a_pane_needs() -> None:
    found = described()
    assert found["epochs"]["unit"] == "epochs"
    assert (found["size"]["group"], found["size"]["folded"]) == ("Advanced", True)
    assert found["size"]["shown_when"] == [{"parameter": "crop", "values": [True]}]
    assert found["kind"]["shown_when"] == [{"parameter": "mode", "values": ["b"]}]


def test_suggestions_are_made_when_asked_for() -> None:
    asked.clear()
    assert described()["kind"]["suggestions"] == ["left", "right"]
    assert asked == [True]


def test_null_and_required() -> None:
    found = described()
    assert (found["seed"]["nullable"], found["seed"]["default"]) == (True, None)
    assert (found["source"]["required"], found["source"]["nullable"]) == (True, False)
    assert found["crop"]["default"] is True


@pytest.mark.parametrize(
    "values", [{"epochs": "5"}, {"epochs": 5.0}, {"rate": float("nan")}, {"crop": 1}, {"x": 1}]
)
def test_values_are_strict(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Sample.model_validate({"source": "here", **values})


def test_parameters_are_frozen() -> None:
    sample = Sample(source="here")
    with pytest.raises(ValidationError):
        sample.epochs = 7  # type: ignore[misc]


def test_programs_say_their_language() -> None:
    found = described()
    assert {name: each["code"] for name, each in found.items() if each["code"]} == {
        "script": "python"
    }
