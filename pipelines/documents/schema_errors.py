"""What is wrong with a document's shape, in words with the place."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pipelines.problems import INVALID_DOCUMENT, Problem

_SENTENCES = {
    "missing": ("is missing", "Add it."),
    "extra_forbidden": ("is no part of the format", "Remove it."),
    "string_type": ("must be text", "Put it in quotation marks."),
    "int_type": ("must be a whole number", "Write a whole number."),
    "float_type": ("must be a number", "Write a number."),
    "bool_type": ("must be true or false", "Write true or false."),
    "model_type": ("must be an object", "Write it in braces."),
    "dict_type": ("must be an object", "Write it in braces."),
    "tuple_type": ("must be a list", "Write it in square brackets."),
    "greater_than": ("must be greater than {gt}", "Write a larger number."),
    "greater_than_equal": ("must be at least {ge}", "Write a larger number."),
    "less_than": ("must be less than {lt}", "Write a smaller number."),
    "less_than_equal": ("must be at most {le}", "Write a smaller number."),
    "string_too_long": ("has more than {max_length} characters", "Shorten it."),
    "too_long": ("has more than {max_length} entries", "Remove some."),
}
_PATTERN = (
    "is not a valid id",
    "Use up to 64 small letters, digits, _ and -, beginning with a letter or digit.",
)
_MAX_PROBLEMS = 100


def schema_problems(error: ValidationError, content: Any) -> list[Problem]:
    """One problem for each fault that pydantic found, at most a hundred."""
    details = error.errors(include_url=False, include_context=True, include_input=False)
    return [_problem(each, content) for each in details[:_MAX_PROBLEMS]]


def _problem(detail: ErrorDetails, content: Any) -> Problem:
    location = [part for part in detail["loc"] if part != "[key]"]
    if detail["type"] == "string_pattern_mismatch":
        what, cure = _PATTERN
    else:
        what, cure = _SENTENCES.get(detail["type"], (f"is wrong: {detail['msg']}", "Correct it."))
    what = what.format(**detail.get("ctx", {}))
    return Problem.of(
        INVALID_DOCUMENT,
        f"{_place(location)} {what}.",
        cure,
        node=_node_id(location, content),
        parameter=_parameter(location),
    )


def _place(location: list[int | str]) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{str(part)[:100]}"
    return text.lstrip(".") or "The document"


def _node_id(location: list[int | str], content: Any) -> str | None:
    """The id of the node that the place lies in, where it has one."""
    if len(location) < 2 or location[0] != "nodes" or not isinstance(location[1], int):
        return None
    node = content["nodes"][location[1]]
    found = node.get("id") if isinstance(node, dict) else None
    return found if isinstance(found, str) else None


def _parameter(location: list[int | str]) -> str | None:
    is_parameter = len(location) > 3 and location[0] == "nodes" and location[2] == "parameters"
    return str(location[3]) if is_parameter else None
