"""Schema errors of a document as sentences with their location."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from modules.formatting import shortest
from modules.sentences.sentence import Sentence
from pipelines.problems import INVALID_DOCUMENT, MAX_PROBLEMS, Kind, Problem, ProblemList
from pipelines.sentences import documents

_SENTENCES: Mapping[str, Sentence] = {
    "missing": documents.PART_MISSING,
    "extra_forbidden": documents.PART_UNKNOWN,
    "string_type": documents.PART_TEXT,
    "int_type": documents.PART_WHOLE,
    "float_type": documents.PART_NUMBER,
    "bool_type": documents.PART_BOOLEAN,
    "model_type": documents.PART_OBJECT,
    "dict_type": documents.PART_OBJECT,
    "tuple_type": documents.PART_LIST,
    "greater_than": documents.PART_GREATER,
    "greater_than_equal": documents.PART_AT_LEAST,
    "less_than": documents.PART_LESS,
    "less_than_equal": documents.PART_AT_MOST,
    "string_too_long": documents.PART_TOO_LONG,
    "too_long": documents.PART_TOO_MANY,
    "string_pattern_mismatch": documents.PART_NO_ID,
}
_BOUNDS = ("gt", "ge", "lt", "le", "max_length")


def schema_problems(
    error: ValidationError, content: Any, kind: Kind = INVALID_DOCUMENT, within: str = ""
) -> list[Problem]:
    """Return one problem per pydantic error; a last one states how many more there are.

    Locations consist of ``within`` and the path there.
    """
    details = error.errors(include_url=False, include_context=True, include_input=False)
    listed = details[:MAX_PROBLEMS]
    problems = ProblemList(_problem(detail, content, kind, within) for detail in listed)
    problems.count(len(details) - len(listed))
    return problems.listed()


def _problem(detail: ErrorDetails, content: Any, kind: Kind, within: str) -> Problem:
    location = [part for part in detail["loc"] if part != "[key]"]
    facts: dict[str, object] = {"place": within + _path_text(location)}
    sentence = _sentence(detail["type"], location)
    if sentence is documents.PART_WRONG:
        facts["fault"] = detail["msg"]
    bounds = [value for name, value in detail.get("ctx", {}).items() if name in _BOUNDS]
    if bounds and detail["type"] in _SENTENCES:
        facts["bound"] = shortest(bounds[0])
    node, parameter = _node_id(location, content), _parameter(location)
    return Problem.of(kind, sentence.about(facts), node=node, parameter=parameter)


def _sentence(kind: str, location: list[int | str]) -> Sentence:
    if kind == "string_pattern_mismatch" and "binds" in location[-2:]:
        return documents.PART_NO_BIND
    return _SENTENCES.get(kind, documents.PART_WRONG)


def _path_text(location: list[int | str]) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{str(part)[:100]}"
    return text.lstrip(".") or documents.THE_DOCUMENT.message


def _node_id(location: list[int | str], content: Any) -> str | None:
    """Return the id of the node that contains the location, if there is one."""
    if len(location) < 2 or location[0] != "nodes" or not isinstance(location[1], int):
        return None
    node = content["nodes"][location[1]]
    node_id = node.get("id") if isinstance(node, dict) else None
    return node_id if isinstance(node_id, str) else None


def _parameter(location: list[int | str]) -> str | None:
    is_parameter = len(location) > 3 and location[0] == "nodes" and location[2] == "parameters"
    return str(location[3]) if is_parameter else None
