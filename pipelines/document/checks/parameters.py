"""Parsing of a node's parameters, with errors as problems."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
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
from modules.module_texts import parameter_title
from modules.parameters import Parameters, ParameterValues
from modules.sentences.sentence import Sentence, Statement
from modules.spec import Module, ParameterFinding
from pipelines.document.document import Node, PipelineDocument
from pipelines.problems import (
    DOUBTFUL_PARAMETER,
    UNEXPECTED,
    UNKNOWN_PARAMETER,
    WRONG_PARAMETER_TYPE,
    Kind,
    Problem,
    did_you_mean,
)
from pipelines.sentences import values

_BOUNDS: Mapping[str, tuple[type[ModuleError], Sentence, str]] = {
    "greater_than": (GreaterThanError, values.GREATER_THAN, "gt"),
    "greater_than_equal": (GreaterThanOrEqualToError, values.AT_LEAST, "ge"),
    "less_than": (LessThanError, values.LESS_THAN, "lt"),
    "less_than_equal": (LessThanOrEqualToError, values.AT_MOST, "le"),
}
_TYPES: Mapping[str, Sentence] = {
    "int_type": values.WHOLE_NUMBER,
    "int_from_float": values.WHOLE_NUMBER,
    "float_type": values.NUMBER,
    "bool_type": values.TRUE_OR_FALSE,
    "string_type": values.TEXT,
    "list_type": values.LIST,
    "tuple_type": values.LIST,
    "dict_type": values.OBJECT,
    "model_type": values.OBJECT,
}
Described = tuple[Kind | type[ModuleError], Statement]


def parameters_of(node: Node, module: Module, document: PipelineDocument) -> Parameters:
    """Return the parameters of a node; raises ``pydantic.ValidationError``.

    An empty ``random_seed`` is replaced by its default, and the default by the pipeline's random
    seed.
    """
    parameters: ParameterValues = dict(node.parameters)
    field = module.parameters_type.model_fields.get("random_seed")
    if field is not None and field.default is not None and parameters.get("random_seed", 0) is None:
        del parameters["random_seed"]
    seed = document.settings.random_seed
    if seed is not None and field is not None:
        parameters.setdefault("random_seed", seed)
    # From JSON, strict models accept lists for tuples and names for enumerations.
    return module.parameters_type.model_validate_json(json.dumps(parameters))


def parameter_problems(node: Node, module: Module, document: PipelineDocument) -> Iterator[Problem]:
    """Return all errors of a node's parameters; if there are none, those of the module's check."""
    try:
        parameters = parameters_of(node, module, document)
        findings = list(module.check(parameters)) if module.check else []
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            yield _problem(detail, node.id, module)
        return
    except ModuleError as error:  # a user's module did not answer
        yield Problem.from_error(error, node.id)
        return
    except Exception as error:  # validators and checks of users may raise anything
        yield _broken_check(node, module, error)
        return
    for finding in findings:
        yield Problem.relayed(
            kind_of(finding, parameters),
            finding,
            severity=finding.severity,
            node=node.id,
            parameter=finding.parameter,
        )


def kind_of(finding: ParameterFinding, parameters: Parameters) -> Kind | type[ModuleError]:
    """Return the kind: a warning has its own; an error is a missing or out-of-range value."""
    if finding.severity == "warning":
        return DOUBTFUL_PARAMETER
    is_empty = getattr(parameters, finding.parameter, None) in (None, "")
    return NullOrEmptyError if is_empty else NotInRangeValueError


def _broken_check(node: Node, module: Module, error: Exception) -> Problem:
    return Problem.of(
        UNEXPECTED,
        values.CHECK_BROKEN,
        module=module.title,
        error=f"{type(error).__name__}: {str(error)[:300]}",
        node=node.id,
    )


def _problem(detail: ErrorDetails, node_id: str, module: Module) -> Problem:
    name = str(detail["loc"][0]) if detail["loc"] else ""
    kind, statement = _described(detail, name, module)
    info = module.parameters_type.model_fields.get(name)
    has_default = info is not None and not info.is_required()
    remedy = {"reset": name} if has_default or kind is UNKNOWN_PARAMETER else None
    return Problem.of(kind, statement, node=node_id, parameter=name or None, remedy=remedy)


def _described(detail: ErrorDetails, name: str, module: Module) -> Described:
    """Return the kind of a pydantic error, and its message."""
    fields = module.parameters_type.model_fields
    if detail["type"] == "extra_forbidden":
        names = {"module": module.title, "name": name[:100], "help": did_you_mean(name, fields)}
        return UNKNOWN_PARAMETER, values.NO_PARAMETER.about(names)
    facts = {"title": parameter_title(module.parameters_type, name) or module.title}
    if detail["type"] in ("value_error", "assertion_error"):
        fault = detail["msg"].partition(", ")[2].rstrip(".")
        return NotInRangeValueError, values.NOT_ACCEPTED.about({**facts, "fault": fault})
    if detail["type"] in ("missing", "string_too_short"):
        return NullOrEmptyError, values.EMPTY.about(facts)
    if detail["input"] is None:
        return NullOrEmptyError, values.EMPTY_WITH_DEFAULT.about(facts)
    if detail["type"] == "string_too_long":
        length = {"count": len(detail["input"]), "most": detail["ctx"]["max_length"]}
        return NotInRangeValueError, values.TOO_LONG.about({**facts, **length})
    return _wrong_value(detail, name, module, {**facts, "given": _shown(detail["input"])})


def _wrong_value(
    detail: ErrorDetails, name: str, module: Module, facts: Mapping[str, Any]
) -> Described:
    if detail["type"] in _BOUNDS:
        return _out_of_range(detail, name, module, facts)
    if detail["type"] in ("literal_error", "enum"):
        choices = detail["ctx"]["expected"]
        return NotInRangeValueError, values.NO_CHOICE.about({**facts, "choices": choices})
    if detail["type"] in _TYPES:
        expected = _TYPES[detail["type"]].about({})
        return WRONG_PARAMETER_TYPE, values.WRONG_TYPE.about({**facts, "wanted": expected})
    facts = {**facts, "fault": detail["msg"]}
    if detail["type"].endswith(("_type", "_parsing")):
        return WRONG_PARAMETER_TYPE, values.NOT_PARSED.about(facts)
    return NotInRangeValueError, values.NOT_VALID.about(facts)


def _out_of_range(
    detail: ErrorDetails, name: str, module: Module, facts: Mapping[str, Any]
) -> Described:
    """Return the range error: one bound has its own kind; a range is NotInRangeValue."""
    bounds = _bounds(name, module)
    if len(bounds) == 2:
        ends = {"lower": bounds[0], "upper": bounds[1]}
        return NotInRangeValueError, values.OUT_OF_TWO_BOUNDS.about({**facts, **ends})
    kind, sentence, key = _BOUNDS[detail["type"]]
    end = detail["ctx"][key]
    if key == "ge" and 0 < end <= sys.float_info.epsilon:
        sentence, end = values.GREATER_THAN, 0  # "at least 2.22e-16" would not help
    bound = sentence.about({"end": _number(end)})
    return kind, values.OUT_OF_RANGE.about({**facts, "bound": bound})


def _bounds(name: str, module: Module) -> list[Statement]:
    """Return the bounds of a parameter."""
    return [
        sentence.about({"end": _number(getattr(bound, key))})
        for bound in module.parameters_type.model_fields[name].metadata
        for _, sentence, key in _BOUNDS.values()
        if getattr(bound, key, None) is not None
    ]


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else f"{value}"


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return _number(value)
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:77]}..."
