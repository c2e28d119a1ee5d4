"""Values of pipeline parameters: from the command line (``--param ID=VALUE``) and from programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import JsonValue

from pipelines.document import strict_json
from pipelines.document.document import PipelineDocument, PipelineParameter
from pipelines.problems import (
    INVALID_OVERRIDE,
    UNKNOWN_PARAMETER,
    PipelineError,
    Problem,
    did_you_mean,
)
from pipelines.sentences import sub_pipelines as sentences


def apply_parameter_values(
    document: PipelineDocument, assignments: Iterable[str]
) -> PipelineDocument:
    """Set values of the document's parameters; raises ``PipelineError`` with all errors.

    VALUE is JSON, or plain text for parameters of type ``string``.
    """
    present = {parameter.id: parameter for parameter in document.parameters}
    problems: list[Problem] = []
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        parameter = present.get(name.strip())
        if not equals or not name.strip():
            problems.append(_unreadable(assignment))
        elif parameter is None:
            problems.append(_unknown(name.strip(), list(present)))
        else:
            try:
                value = _value(parameter, text)
                present[parameter.id] = parameter.model_copy(update={"default": value})
            except PipelineError:
                problems.append(_unreadable(assignment))
    if problems:
        raise PipelineError(problems)
    return document.model_copy(update={"parameters": tuple(present.values())})


def with_parameter_values(
    document: PipelineDocument, values: Mapping[str, JsonValue]
) -> PipelineDocument:
    """Set values of the document's parameters; raises ``PipelineError`` for unknown names."""
    present = {parameter.id: parameter for parameter in document.parameters}
    problems = [_unknown(name, list(present)) for name in values if name not in present]
    if problems:
        raise PipelineError(problems)
    changed = {
        name: present[name].model_copy(update={"default": value}) for name, value in values.items()
    }
    return document.model_copy(update={"parameters": tuple({**present, **changed}.values())})


def assigned_values(document: PipelineDocument, assignments: Iterable[str]) -> dict[str, JsonValue]:
    """Return the values that ``ID=VALUE`` texts set; raises ``PipelineError`` with all errors."""
    before = {parameter.id: parameter.default for parameter in document.parameters}
    texts = list(assignments)
    names = {text.partition("=")[0].strip() for text in texts}
    after = apply_parameter_values(document, texts)
    return {
        parameter.id: parameter.default
        for parameter in after.parameters
        if parameter.id in names and parameter.id in before
    }


def _value(parameter: PipelineParameter, text: str) -> Any:
    if parameter.type == "string":
        return strict_json.checked(text)
    return strict_json.parse_checked(text)


def _unreadable(assignment: str) -> Problem:
    return Problem.of(INVALID_OVERRIDE, sentences.PARAMETER_ASSIGNMENT, text=assignment[:100])


def _unknown(name: str, names: list[str]) -> Problem:
    sentence, cure = sentences.NO_PARAMETER_OF_PIPELINE, did_you_mean(name, names)
    return Problem.of(UNKNOWN_PARAMETER, sentence, named=name[:100], cure=cure)
