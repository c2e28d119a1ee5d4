"""Values of pipeline parameters from the command line: ``--param ID=VALUE``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

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


def _value(parameter: PipelineParameter, text: str) -> Any:
    if parameter.type == "string":
        return strict_json.checked(text)
    return strict_json.parse_checked(text)


def _unreadable(assignment: str) -> Problem:
    return Problem.of(INVALID_OVERRIDE, sentences.PARAMETER_ASSIGNMENT, text=assignment[:100])


def _unknown(name: str, names: list[str]) -> Problem:
    sentence, cure = sentences.NO_PARAMETER_OF_PIPELINE, did_you_mean(name, names)
    return Problem.of(UNKNOWN_PARAMETER, sentence, named=name[:100], cure=cure)
