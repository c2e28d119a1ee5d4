"""Descriptions: what is rebuilt from them presents, checks and refuses what the module does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import Field, ValidationError, field_validator, model_validator

from modules.catalog import builtin_catalog
from modules.catalog_spec import module_spec
from modules.context import Context
from modules.declare import module
from modules.description import describe
from modules.forecast import ArtifactForecast, StepForecast
from modules.parameters import Parameters
from modules.rebuilding import rebuilt
from modules.spec import Module, ParameterFinding
from pipelines.user_modules.answers import ANSWERS
from tests import toy

MODULES = (*builtin_catalog().modules, *toy.MODULES)


def passed_on(original: Module) -> Module:
    """The module as another process has it, its questions answered as the code's process does."""

    def ask(question: str, facts: Mapping[str, Any]) -> Any:
        answer = ANSWERS[question](original, {"question": question, **_through_json(facts)})
        return _through_json(answer)

    return rebuilt(_through_json(describe(original)), ask)


def _through_json(content: Any) -> Any:
    return json.loads(json.dumps(content))


@pytest.mark.parametrize("original", MODULES, ids=lambda each: str(each.id))
def test_a_module_is_told_completely(original: Module) -> None:
    has_validator = original.id == "run_training_script"  # numbers are accepted as arguments
    assert describe(original)["parameters"]["is_plain"] is not has_validator
    found = passed_on(original)
    assert module_spec(found) == module_spec(original)
    assert (found.preload, found.results_version) == (original.preload, original.results_version)
    for hook in ("check", "fingerprint", "forecast"):
        assert (getattr(found, hook) is None) == (getattr(original, hook) is None)


class Colour(Enum):
    RED = "red"


class Checked(Parameters):
    @field_validator("*")
    @classmethod
    def _is_short(cls, value: Any) -> Any:
        if len(str(value)) > 9:
            raise ValueError("too {long}")
        return value


class Crossed(Parameters):
    low: int = Field(1, title="Low", description="Low.")

    @model_validator(mode="after")
    def _is_positive(self) -> Crossed:
        assert self.low > 0, "too low"
        return self


def declared(kind: type[Parameters]) -> Module:
    @module(title="T", category="C", summary="S")
    def own(parameters: Parameters) -> None:
        """Nothing."""
        assert parameters

    return Module(**{**vars(own), "parameters_type": kind})


class ShortParameters(Checked):
    value: str = Field("x", title="Value", description="Short.")


class NamedParameters(Parameters):
    value: Colour = Field(Colour.RED, title="Value", description="A colour.")


class PairParameters(Parameters):
    value: tuple[int, Literal["a", "b"]] = Field((1, "a"), title="Value", description="Two.")


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (ShortParameters, {"value": "good"}, {"value": "far too long"}),
        (NamedParameters, {"value": "red"}, {"value": "blue"}),
        (PairParameters, {"value": [2, "b"]}, {"value": [2, "c"]}),
        (Crossed, {"low": 2}, {"low": 0}),
        (Crossed, {"low": 2}, {"low": 2, "high": 3}),
    ],
    ids=["validator", "enumeration", "tuple", "model validator", "unknown name"],
)
def test_what_only_the_code_can_check_is_asked(
    kind: type[Parameters], good: dict[str, Any], bad: dict[str, Any]
) -> None:
    original = declared(kind)
    assert not describe(original)["parameters"]["is_plain"]
    found = passed_on(original)
    text = json.dumps(good)
    taken = found.parameters_type.model_validate_json(text)
    expected = original.parameters_type.model_validate_json(text)
    assert taken.model_dump(mode="json") == expected.model_dump(mode="json")
    with pytest.raises(ValidationError) as ours:
        original.parameters_type.model_validate_json(json.dumps(bad))
    with pytest.raises(ValidationError) as theirs:
        found.parameters_type.model_validate_json(json.dumps(bad))
    shown = ("type", "loc", "msg")
    assert [[each[name] for name in shown] for each in theirs.value.errors()] == [  # type: ignore[literal-required]
        [each[name] for name in shown]  # type: ignore[literal-required]
        for each in ours.value.errors()
    ]


def test_hooks_are_given_what_they_are_given_here(tmp_path: Any) -> None:
    heard: list[Any] = []

    def check(parameters: Crossed) -> list[ParameterFinding]:
        return [ParameterFinding("low", f"{parameters.low}", "None.", "error")]

    def forecast(inputs: Any, parameters: Crossed, context: Context) -> StepForecast:
        heard.append((dict(inputs), parameters, context))
        return StepForecast({"out": ArtifactForecast(num_images=3)}, images_processed=4)

    original = Module(**{**vars(declared(Crossed)), "check": check, "forecast": forecast})
    found = passed_on(original)
    assert found.check is not None
    assert found.forecast is not None
    parameters = found.parameters_type.model_validate({"low": 5})
    assert list(found.check(parameters)) == check(Crossed(low=5))
    context = Context(tmp_path, allowed_roots=(tmp_path,), world_size=2)
    inputs = {"in": ArtifactForecast(num_images=2, transformation=({"kind": "crop"},))}
    assert found.forecast(inputs, parameters, context) == forecast({}, Crossed(), context)
    given = heard[0]
    assert given[0] == inputs
    assert given[1] == Crossed(low=5)
    assert (given[2].staging_dir, given[2].allowed_roots) == (tmp_path, (tmp_path,))
    assert given[2].world_size == 2


def test_a_hook_is_told_of_the_registered_models_that_its_parameters_name(tmp_path: Path) -> None:
    given: list[Context] = []

    def fingerprint(parameters: ShortParameters, context: Context) -> str:
        given.append(context)
        return parameters.value

    found = passed_on(Module(**{**vars(declared(ShortParameters)), "fingerprint": fingerprint}))
    assert found.fingerprint is not None
    context = Context(tmp_path, models={"a:1": tmp_path / "a", "b:1": tmp_path / "b"})
    named = found.parameters_type.model_validate({"value": "a:1"})
    assert found.fingerprint(named, context) == "a:1"
    assert given[0].models == {"a:1": tmp_path / "a"}
