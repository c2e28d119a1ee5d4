"""A node's parameters parsed, and what is wrong with them as problems."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from modules.errors import (
    GreaterThanError,
    GreaterThanOrEqualToError,
    LessThanError,
    LessThanOrEqualToError,
    ModuleError,
    NotInRangeValueError,
    NullOrEmptyError,
)
from modules.parameters import Parameters
from modules.spec import Module, ParameterFinding
from pipelines.documents.document import Node, PipelineDocument
from pipelines.problems import (
    DOUBTFUL_PARAMETER,
    UNEXPECTED,
    UNKNOWN_PARAMETER,
    WRONG_PARAMETER_TYPE,
    Kind,
    Problem,
    did_you_mean,
)

_RANGE_ERRORS: dict[str, tuple[type[ModuleError], str, str]] = {
    "greater_than": (GreaterThanError, "greater than", "gt"),
    "greater_than_equal": (GreaterThanOrEqualToError, "at least", "ge"),
    "less_than": (LessThanError, "less than", "lt"),
    "less_than_equal": (LessThanOrEqualToError, "at most", "le"),
}
_TYPES = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
}


def parameters_of(node: Node, module: Module, document: PipelineDocument) -> Parameters:
    """The parameters a node runs with; raises ``pydantic.ValidationError``.

    The pipeline's random seed takes the place of the default of ``random_seed``.
    """
    values: dict[str, Any] = dict(node.parameters)
    seed = document.settings.random_seed
    if seed is not None and "random_seed" in module.parameters_type.model_fields:
        values.setdefault("random_seed", seed)
    # From JSON, strict models take lists for tuples and names for enumerations.
    return module.parameters_type.model_validate_json(json.dumps(values))


def parameter_problems(node: Node, module: Module, document: PipelineDocument) -> Iterator[Problem]:
    """Every fault of a node's parameters; what the module's own check says when there is none."""
    try:
        parameters = parameters_of(node, module, document)
        findings = list(module.check(parameters)) if module.check else []
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            yield _problem(detail, node.id, module)
        return
    except ModuleError as error:  # the code of a user's module gave no answer
        yield Problem.from_error(error, node.id)
        return
    except Exception as error:  # a user's own validators and checks may raise anything
        yield _broken_check(node, module, error)
        return
    for finding in findings:
        yield Problem.of(
            _kind_of(finding, parameters),
            finding.message,
            finding.cure,
            severity=finding.severity,
            node=node.id,
            parameter=finding.parameter,
        )


def _kind_of(finding: ParameterFinding, parameters: Parameters) -> Kind | type[ModuleError]:
    """A doubt is a kind of its own; an error is a value that is missing or out of range."""
    if finding.severity == "warning":
        return DOUBTFUL_PARAMETER
    is_empty = getattr(parameters, finding.parameter, None) in (None, "")
    return NullOrEmptyError if is_empty else NotInRangeValueError


def _broken_check(node: Node, module: Module, error: Exception) -> Problem:
    return Problem.of(
        UNEXPECTED,
        f"{module.title} cannot check its parameters: {type(error).__name__}: {str(error)[:300]}",
        "Correct the module's code, or choose other values.",
        node=node.id,
    )


def _problem(detail: ErrorDetails, node_id: str, module: Module) -> Problem:
    name = str(detail["loc"][0]) if detail["loc"] else ""
    kind, message, cure = _described(detail, name, module)
    info = module.parameters_type.model_fields.get(name)
    has_default = info is not None and not info.is_required()
    remedy = {"reset": name} if has_default or kind is UNKNOWN_PARAMETER else None
    return Problem.of(kind, message, cure, node=node_id, parameter=name or None, remedy=remedy)


def _described(
    detail: ErrorDetails, name: str, module: Module
) -> tuple[Kind | type[ModuleError], str, str]:
    """The kind of a pydantic error, what happened, and the cure."""
    fields = module.parameters_type.model_fields
    if detail["type"] == "extra_forbidden":
        message = f"{module.title} has no parameter {name[:100]!r}."
        return UNKNOWN_PARAMETER, message, did_you_mean(name, fields)
    title = fields[name].title if name in fields else module.title
    given = _shown(detail["input"])
    if detail["type"] in ("value_error", "assertion_error"):
        said = detail["msg"].partition(", ")[2].rstrip(".")
        return NotInRangeValueError, f"{title}: {said}.", "Choose other values."
    if detail["type"] in ("missing", "string_too_short"):
        return NullOrEmptyError, f"{title} is empty.", "Give it a value."
    if detail["input"] is None:
        return NullOrEmptyError, f"{title} is empty.", "Give it a value, or reset it."
    if detail["type"] in _RANGE_ERRORS:
        return _out_of_range(detail, name, module, given)
    if detail["type"] in ("literal_error", "enum"):
        choices = detail["ctx"]["expected"]
        return NotInRangeValueError, f"{title} is {given}.", f"Choose one of {choices}."
    if detail["type"] in _TYPES:
        wanted = _TYPES[detail["type"]]
        return WRONG_PARAMETER_TYPE, f"{title} is {given}.", f"Give it {wanted}."
    if detail["type"].endswith(("_type", "_parsing")):
        return WRONG_PARAMETER_TYPE, f"{title} is {given}: {detail['msg']}.", "Correct its type."
    return NotInRangeValueError, f"{title} is {given}: {detail['msg']}.", "Correct it."


def _out_of_range(
    detail: ErrorDetails, name: str, module: Module, given: str
) -> tuple[type[ModuleError], str, str]:
    """One bound has its own error; a range with two ends is NotInRangeValue."""
    title = module.parameters_type.model_fields[name].title
    bounds = _bounds(name, module)
    if len(bounds) == 2:
        return NotInRangeValueError, f"{title} is {given}.", f"Set it {' and '.join(bounds)}."
    kind, words, key = _RANGE_ERRORS[detail["type"]]
    return kind, f"{title} is {given}.", f"Set it {words} {_number(detail['ctx'][key])}."


def _bounds(name: str, module: Module) -> list[str]:
    """The ends of a parameter's range in words."""
    words = {key: phrase for _, phrase, key in _RANGE_ERRORS.values()}
    return [
        f"{phrase} {_number(getattr(each, key))}"
        for each in module.parameters_type.model_fields[name].metadata
        for key, phrase in words.items()
        if getattr(each, key, None) is not None
    ]


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else f"{value}"


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return _number(value)
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:77]}..."
