"""Problems are values with a fixed shape, and every code is in the reference once."""

from __future__ import annotations

import json
import re

from modules.errors import GreaterThanError
from modules.sentences.sentence import Sentence
from pipelines import problems
from pipelines.problems import KINDS, PipelineError, Problem, did_you_mean, error_reference
from pipelines.sentences import wiring


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
    said = wiring.NO_MODULE.about({"module": "x", "help": did_you_mean("x", ["yy"])})
    result = Problem.of(problems.UNKNOWN_MODULE, said, node="n").to_json()
    assert json.loads(json.dumps(result)) == {
        "code": "3001",
        "name": "UnknownModule",
        "severity": "error",
        "node": "n",
        "port": None,
        "parameter": None,
        "message": "Module 'x' not found.",
        "cure": "Choose one of yy.",
        "remedy": None,
        "details": None,
        "reason": "no_module",
        "facts": {
            "module": "x",
            "help": {
                "reason": "choose_one",
                "facts": {"names": {"first": ["yy"], "count": 1}},
            },
        },
    }


def test_the_error_of_a_module_becomes_a_problem() -> None:
    error = GreaterThanError(
        "Epochs is 0.", cure="Set it to 1.", parameter="epochs", remedy={"set": {"epochs": 1}}
    )
    problem = Problem.from_error(error, "train")
    assert problem.sentence == "train.epochs: Epochs is 0. Set it to 1. (0004)"
    assert problem.remedy == {"set": {"epochs": 1}}
    assert str(PipelineError([problem])) == problem.sentence


def test_suggestions() -> None:
    assert str(did_you_mean("epocs", ["epochs", "patience"])) == "Did you mean 'epochs'?"
    assert str(did_you_mean("x", ["b", "a"])) == "Choose one of a, b."
    many = [f"name{number:02}" for number in range(30)]
    assert str(did_you_mean("x", many)).endswith("name09 and 20 more.")
    assert str(did_you_mean("x", [])) == "None are available: remove it."


def test_what_was_said_elsewhere_keeps_its_reason_and_facts() -> None:
    said = Sentence("{file} has {width} pixels.", "Crop it.", key="too_wide")
    error = GreaterThanError(said, file="a.png", width=9, parameter="width")
    problem = Problem.from_error(error, "import")
    assert (problem.reason, problem.facts) == ("too_wide", {"file": "a.png", "width": 9})
    again = Problem.relayed(problems.UNEXPECTED, problem, node="import")
    assert (again.code, again.message, again.cure) == ("3032", "a.png has 9 pixels.", "Crop it.")
    assert (again.reason, again.facts) == (problem.reason, problem.facts)


def test_an_error_without_a_cure_points_to_the_log() -> None:
    [problem] = [Problem.from_error(GreaterThanError("Epochs is 0.", cure=""))]
    assert (problem.cure, problem.reason) == ("See the log of the step.", "")


def test_a_list_has_the_first_problems_and_the_number_of_all_others() -> None:
    warnings = [Problem.of(problems.DOUBTFUL_PARAMETER, wiring.NOTHING_TO_RUN, severity="warning")]
    errors = [Problem.of(problems.EMPTY_PIPELINE, wiring.NOTHING_TO_RUN)]
    most = problems.MAX_PROBLEMS
    assert problems.bounded(warnings * most) == warnings * most
    *listed, more = problems.bounded([*warnings * most, *errors * 2])
    assert listed == [*warnings * (most - 2), *errors * 2], "errors come before warnings"
    assert (more.code, more.severity, more.facts["count"]) == ("3090", "warning", 2)
    *listed, more = problems.bounded([*errors * (most + 1000), *warnings])
    assert listed == errors * most
    assert (more.severity, more.message) == ("error", "The document has 1,001 more problems.")
    *_, again = problems.bounded([*listed, more, *errors])
    assert again.facts["count"] == 1002, "lists of lists keep the number"
    assert PipelineError([*listed, more]).problems == (*listed, more)
