"""Problems are values with a fixed shape, and every code is in the reference once."""

from __future__ import annotations

import json
import re

from modules.errors import GreaterThanError
from pipelines import problems
from pipelines.problems import KINDS, PipelineError, Problem, did_you_mean, error_reference


def test_codes_of_the_reference_are_unique_and_documented() -> None:
    rows = error_reference()
    codes = [row["code"] for row in rows]
    assert len(set(codes)) == len(codes)
    assert codes == sorted(codes)
    assert {"0003", "0138", "3001", "3100"} <= set(codes)
    assert all(re.fullmatch(r"\d{4}", code) for code in codes)
    assert all(row["when"] and re.fullmatch(r"[A-Z]\w+", row["name"]) for row in rows)
    assert all("3000" <= kind.code <= "3099" for kind in KINDS)


def test_json_has_every_key() -> None:
    found = Problem.of(
        problems.UNKNOWN_MODULE, "There is no module 'x'.", "Install it.", node="n"
    ).to_json()
    assert json.loads(json.dumps(found)) == {
        "code": "3001",
        "name": "UnknownModule",
        "severity": "error",
        "node": "n",
        "port": None,
        "parameter": None,
        "message": "There is no module 'x'.",
        "cure": "Install it.",
        "remedy": None,
        "details": None,
    }


def test_the_error_of_a_module_becomes_a_problem() -> None:
    error = GreaterThanError(
        "Epochs is 0.", cure="Set it to 1.", parameter="epochs", remedy={"set": {"epochs": 1}}
    )
    found = Problem.from_error(error, "train")
    assert found.sentence == "train.epochs: Epochs is 0. Set it to 1. (0004)"
    assert found.remedy == {"set": {"epochs": 1}}
    assert str(PipelineError([found])) == found.sentence


def test_suggestions() -> None:
    assert did_you_mean("epocs", ["epochs", "patience"]) == "Did you mean 'epochs'?"
    assert did_you_mean("x", ["b", "a"]) == "Choose one of a, b."
    many = [f"name{number:02}" for number in range(30)]
    assert did_you_mean("x", many).endswith("name09 and 20 more.")
    assert did_you_mean("x", []) == "There is none: remove it."
