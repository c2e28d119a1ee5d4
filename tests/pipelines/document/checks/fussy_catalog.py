"""The toy catalog and two modules more: one that checks its parameters, one that runs on ranks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from modules.catalog import Catalog
from modules.context import Context
from modules.declare import module
from modules.parameters import Parameters
from modules.spec import ParameterFinding
from tests import toy
from tests.toy import Number


class FussyParameters(Parameters):
    positive: int = Field(1, gt=0, title="Positive", description="More than nothing.")
    least: float = Field(1.0, ge=0.5, title="Least", description="At least a half.")
    below: int = Field(1, lt=10, title="Below", description="Less than ten.")
    most: int = Field(1, le=10, title="Most", description="Ten or less.")
    share: float = Field(0.5, gt=0, lt=1, title="Share", description="Between the ends.")
    mode: Literal["fast", "slow"] = Field("fast", title="Mode", description="How.")
    flag: bool = Field(False, title="Flag", description="Yes or no.")
    sizes: tuple[int, ...] = Field((1, 2), title="Sizes", description="Some.")
    label: str | None = Field(None, max_length=5, title="Label", description="A word.")
    needed: str = Field(min_length=1, title="Needed", description="Has no default.")
    even: int = Field(2, title="Even", description="Divisible by two.")
    random_seed: int = Field(1, title="Random seed", description="Where chance begins.")

    @field_validator("even")
    @classmethod
    def _is_even(cls, value: int) -> int:
        if value == 13:
            raise ZeroDivisionError("thirteen")
        if value % 2:
            raise ValueError("it is odd")
        return value


def _check(parameters: FussyParameters) -> Iterable[ParameterFinding]:
    if parameters.flag and parameters.mode == "slow":
        yield ParameterFinding("flag", "Flag does nothing in slow mode.", "Switch it off.")
    if parameters.flag and parameters.label is None:
        yield ParameterFinding("label", "The flag has no label.", "Give one.", "error")
    if parameters.label == "bad":
        yield ParameterFinding("label", "The label is bad.", "Give another.", "error")
    if parameters.needed == "boom":
        raise RuntimeError("a check that fails")


@module(title="Fussy", category="Tests", summary="Has a word on everything.", check=_check)
def fussy(parameters: FussyParameters, context: Context) -> Number:
    """Give one."""
    assert parameters.positive
    return Number.write(context.new_folder(), 1)


@module(title="Team", category="Tests", summary="Runs on ranks.", distributed=True, version=3)
def team(a: Annotated[Number | None, toy.First] = None) -> Number | None:
    """Give what came."""
    return a


CATALOG = Catalog.of((*toy.MODULES, fussy, team))


def fussy_node(**parameters: Any) -> dict[str, Any]:
    """Return a node of the module Fussy with its required parameter."""
    return {"id": "f", "module": "fussy", "parameters": {"needed": "x", **parameters}}
