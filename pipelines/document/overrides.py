"""Overrides from the command line: ``--set NODE.PARAMETER=VALUE``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from modules.catalog import Catalog
from modules.parameters import takes_text
from modules.sentences.sentence import Facts
from pipelines.document import strict_json
from pipelines.document.document import Node, PipelineDocument, RunSettings
from pipelines.document.schema_errors import schema_problems
from pipelines.problems import (
    INVALID_OVERRIDE,
    UNKNOWN_NODE,
    UNKNOWN_PARAMETER,
    PipelineError,
    Problem,
    did_you_mean,
)
from pipelines.sentences import documents, values

_TEXT_SETTINGS = ("target",)


def apply_overrides(
    document: PipelineDocument, assignments: Iterable[str], catalog: Catalog
) -> PipelineDocument:
    """Apply overrides ``NODE.NAME=VALUE``; raises ``PipelineError`` with all errors.

    NAME is a parameter, ``disabled``, ``pin``, or a run setting (``run_settings.node_count`` or
    plain ``node_count``). VALUE is JSON, or plain text for text values.
    """
    problems: list[Problem] = []
    for assignment in assignments:
        try:
            document = _applied(document, assignment, catalog)
        except PipelineError as error:
            problems += error.problems
    if problems:
        raise PipelineError(problems)
    return document


def _applied(document: PipelineDocument, assignment: str, catalog: Catalog) -> PipelineDocument:
    target, equals, text = assignment.partition("=")
    node_id, dot, name = target.strip().partition(".")
    if not (equals and dot and node_id and name):
        raise PipelineError.of(INVALID_OVERRIDE, documents.NO_ASSIGNMENT, text=assignment[:100])
    node = document.node(node_id)
    if node is None:
        raise PipelineError([_no_node(document, assignment[:100], node_id)])
    _require_own_value(document, node_id, name)
    changed = _changed(node, name, text, catalog)
    nodes = tuple(changed if other.id == node_id else other for other in document.nodes)
    return document.model_copy(update={"nodes": nodes})


def _no_node(document: PipelineDocument, text: str, node_id: str) -> Problem:
    facts: Facts = {"text": text, "name": node_id[:100]}
    node_ids = [node.id for node in document.nodes]
    outer, slash, _ = node_id.partition("/")
    if slash and outer in node_ids:
        return Problem.of(UNKNOWN_NODE, documents.ASSIGNMENT_INSIDE, **facts, outer=outer)
    help = did_you_mean(node_id, node_ids)
    return Problem.of(UNKNOWN_NODE, documents.ASSIGNMENT_NO_NODE, **facts, help=help)


def _require_own_value(document: PipelineDocument, node_id: str, name: str) -> None:
    """Raise ``PipelineError`` if a parameter of the pipeline would replace the value."""
    for parameter in document.parameters:
        if f"{node_id}.{name}" in parameter.binds:
            facts = {"name": name, "title": parameter.title or parameter.id, "id": parameter.id}
            statement = documents.ASSIGNMENT_BOUND.about({**facts, "node": node_id})
            raise PipelineError.of(INVALID_OVERRIDE, statement, node=node_id, parameter=name)


def _changed(node: Node, name: str, text: str, catalog: Catalog) -> Node:
    module = catalog.get(node.module)
    fields = module.parameters_type.model_fields if module else {}
    setting = name.removeprefix("run_settings.")
    if module is not None and name in fields:
        value = _value(text, takes_text(module.parameters_type, name), node, name)
        return node.model_copy(update={"parameters": {**node.parameters, name: value}})
    if setting in RunSettings.model_fields:
        value = _value(text, setting in _TEXT_SETTINGS, node, name)
        settings = {**node.run_settings.model_dump(), setting: value}
        return _revalidated(node, {"run_settings": settings})
    if name in ("disabled", "pin"):
        return _revalidated(node, {name: _value(text, False, node, name)})
    if module is None:
        value = _value(text, False, node, name)
        return _revalidated(node, {"parameters": {**node.parameters, name: value}})
    names = [*fields, *RunSettings.model_fields, "disabled", "pin"]
    facts = {"module": module.title, "name": name[:100], "help": did_you_mean(name, names)}
    raise PipelineError.of(UNKNOWN_PARAMETER, values.NO_PARAMETER, node=node.id, **facts)


def _revalidated(node: Node, changes: dict[str, Any]) -> Node:
    try:
        return Node.model_validate({**node.model_dump(), **changes})
    except ValidationError as error:
        problems = schema_problems(error, None, INVALID_OVERRIDE, "--set: ")
        raise PipelineError(replace(problem, node=node.id) for problem in problems) from None


def _value(text: str, takes_text: bool, node: Node, name: str) -> Any:
    try:
        if takes_text:
            return None if text == "null" else strict_json.checked(text)
        return strict_json.parse_checked(text)
    except PipelineError:
        statement = documents.ASSIGNMENT_NO_VALUE.about({"text": text[:100], "name": name})
        location = {"node": node.id, "parameter": name}
        raise PipelineError.of(INVALID_OVERRIDE, statement, **location) from None
