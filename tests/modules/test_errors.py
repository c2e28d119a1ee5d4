"""The errors of modules: the tree as it is drawn is the tree as it is."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from modules import errors
from modules.context import Context, Report
from modules.sentences.sentence import Sentence
from modules.spec import ParameterFinding

TOO_WIDE = Sentence("{width:,} pixels of {file}.", "Crop {file}.", key="too_wide")


def test_the_drawing_has_every_error_with_its_code_and_its_second_parent() -> None:
    drawn = re.findall(r"(?:├──|└──) (\w+) \((\d{4})\)(?: +also (\w+))?", errors.__doc__ or "")
    declared = [
        (kind.__name__, kind.code, second_parent(kind))
        for kind in errors.all_error_types()
        if kind is not errors.ModuleError
    ]
    assert sorted(drawn) == sorted(declared)


def second_parent(kind: type[errors.ModuleError]) -> str:
    """The error of Python's that it is too; a range error's is drawn at its parent."""
    parents = {each.__name__ for each in kind.__bases__} - {"ModuleError", "RangeError"}
    return parents.pop() if parents else ""


def too_wide() -> errors.ModuleError:
    """An error whose fact no pickle takes."""
    return errors.LessThanError(TOO_WIDE, width=3000, file=Unpicklable(), parameter="width")


class Unpicklable:
    def __str__(self) -> str:
        return "a.png"

    def __reduce__(self) -> str:
        raise TypeError("cannot be pickled")


@pytest.mark.parametrize(
    "travelled",
    [
        lambda error: pickle.loads(pickle.dumps(error)),  # noqa: S301 - our own
        lambda error: errors.ModuleError.from_json(error.to_json()),
    ],
)
def test_an_error_that_travels_keeps_its_texts_its_reason_and_its_facts(
    travelled: Callable[[errors.ModuleError], errors.ModuleError],
) -> None:
    error = too_wide()
    assert str(error) == "3,000 pixels of a.png. Crop a.png."
    assert (error.reason, error.facts) == ("too_wide", {"width": 3000, "file": "a.png"})
    arrived = travelled(error)
    assert type(arrived) is errors.LessThanError
    assert str(arrived) == str(error)
    assert arrived.to_json() == error.to_json()


def test_an_author_writes_both_texts_and_no_facts() -> None:
    error = errors.ModuleError("It is blue.", cure="Paint it.")
    assert (str(error), error.reason, error.facts) == ("It is blue. Paint it.", "", {})
    with pytest.raises(TypeError, match="cure"):
        errors.ModuleError("It is blue.")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="colour"):
        errors.ModuleError("It is {colour}.", cure="Paint it.", colour="blue")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="cure"):
        errors.ModuleError(TOO_WIDE, cure="Paint it.", width=1, file="a")


def test_what_a_step_tells_and_a_check_finds_carries_reason_and_facts(tmp_path: Path) -> None:
    told: list[Report] = []
    context = Context(tmp_path, emit=told.append)
    context.warn(TOO_WIDE, width=1, file="a.png")
    context.summary("all of it")
    assert told[0]["message"] == "1 pixels of a.png. Crop a.png."
    assert (told[0]["reason"], told[0]["facts"]["width"]) == ("too_wide", 1)
    assert (told[1]["text"], told[1]["reason"], told[1]["facts"]) == ("all of it", "", {})
    found = ParameterFinding.from_error(too_wide())
    assert found == ParameterFinding.of("width", TOO_WIDE, "error", width=3000, file="a.png")
