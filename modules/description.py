"""Modules as JSON, from the process that holds their code to processes that must not run it.

``describe`` runs in the process with the code; ``modules.rebuilding`` recreates a module elsewhere.
"""

from __future__ import annotations

import inspect
from dataclasses import asdict, fields
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined, to_jsonable_python

from modules.artifacts import Artifact
from modules.parameters import Parameters, Suggestions, metadata
from modules.rebuilding import (
    METADATA,
    FieldDescription,
    ModuleDescription,
    OtherPortType,
    OwnPortType,
    ParametersDescription,
    PortDescription,
    parameters_type_from,
)
from modules.spec import Module, Port

HOOKS = ("check", "fingerprint", "forecast")
TOLD_OTHERWISE = frozenset({"parameters_type", "inputs", "outputs", "function", *HOOKS})
NOT_TOLD = frozenset({"augmentation"})
"""Attributes that are not described: the augmentation role contains code."""
BOUNDS = ("gt", "ge", "lt", "le", "multiple_of", "min_length", "max_length", "pattern")


def describe(module: Module) -> ModuleDescription:
    """Describe everything about a module except its code."""
    facts = {field.name for field in fields(module)} - TOLD_OTHERWISE - NOT_TOLD
    return {
        "facts": {name: getattr(module, name) for name in sorted(facts)},
        "help": inspect.getdoc(module.function) or "",
        "inputs": [_port(port) for port in module.inputs],
        "outputs": [_port(port) for port in module.outputs],
        "parameters": _parameters(module.parameters_type),
        "hooks": [name for name in HOOKS if getattr(module, name) is not None],
    }


def _port(port: Port) -> PortDescription:
    return {
        "id": port.id,
        "title": port.title,
        "description": port.description,
        "optional": port.optional,
        "label": port.label,
        "made_with": port.made_with,
        "type": _port_type(port.type),
        "share": None if port.share is None else asdict(port.share),
    }


def _port_type(kind: type[Artifact]) -> OwnPortType | OtherPortType:
    if kind.__module__ == Artifact.__module__:
        return {"ours": kind.__name__}
    return {
        "name": kind.__name__,
        "module": kind.__module__,
        "qualname": kind.__qualname__,
        "colour": kind.colour,
        "schema_version": kind.schema_version,
        "help": kind.__doc__,
        "bases": [_port_type(base) for base in kind.__bases__ if issubclass(base, Artifact)],
    }


def _parameters(kind: type[Parameters]) -> ParametersDescription:
    described: ParametersDescription = {
        "name": kind.__name__,
        "schema": kind.model_json_schema(),
        "fields": [_field(name, info) for name, info in kind.model_fields.items()],
        "is_plain": True,
    }
    return {**described, "is_plain": _is_plain(kind, described)}


def _field(name: str, info: FieldInfo) -> FieldDescription:
    bounds = {
        bound: value
        for constraint in info.metadata
        for bound in BOUNDS
        if isinstance(value := getattr(constraint, bound, None), int | float | str)
    }
    default = None if info.default is PydanticUndefined else info.default
    return {
        "name": name,
        "title": info.title,
        "description": info.description,
        "is_required": info.is_required(),
        "default": to_jsonable_python(default, fallback=str),
        "bounds": bounds,
        "metadata": {
            type(entry).__name__: asdict(entry)
            for kind in METADATA.values()
            for entry in metadata(info, kind)
        },
        "suggestions": [
            suggestion
            for suggestions in metadata(info, Suggestions)
            for suggestion in suggestions.values()
        ],
    }


def _is_plain(kind: type[Parameters], described: ParametersDescription) -> bool:
    """Return True if the description is complete, so that a rebuilt class validates identically.

    Validators, types and settings of the author need the code.
    """
    try:
        rebuilt = parameters_type_from(described)
    except Exception:  # it has something that no description holds
        return False
    ours, theirs = (_checks(class_.__pydantic_core_schema__) for class_ in (rebuilt, kind))
    return bool(ours == theirs)


def _checks(schema: Any) -> Any:
    """Return the checks of a core schema, without its names and texts."""
    if isinstance(schema, dict):
        skipped = ("cls", "ref", "metadata", "title")
        return {key: _checks(value) for key, value in schema.items() if key not in skipped}
    if isinstance(schema, list | tuple):
        return [_checks(item) for item in schema]
    return type(schema), repr(schema)
