"""Modules rebuilt from their descriptions, without their code.

Parameters are validated here if the description is complete. Everything that needs the code
(validators, ``check``, ``fingerprint``, ``forecast``) is requested from the process that holds it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NoReturn, Self, TypedDict, Union, cast

from pydantic import Field, TypeAdapter, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic_core import InitErrorDetails, PydanticCustomError, to_jsonable_python

import modules.artifacts
from modules.artifacts import Artifact
from modules.context import Context
from modules.forecast import ArtifactForecast, StepForecast
from modules.parameters import (
    Code,
    Follows,
    FromData,
    Group,
    LocalPath,
    Parameters,
    Runs,
    SecretNames,
    ShownWhen,
    Suggestions,
    Tries,
    Unit,
)
from modules.schema_reference import JsonSchema
from modules.spec import Module, ParameterFinding, Port, Share


class FieldDescription(TypedDict):
    """Description of a parameter; its type is in the schema of all."""

    name: str
    title: str | None
    description: str | None
    is_required: bool
    default: Any
    bounds: dict[str, int | float | str]
    metadata: dict[str, dict[str, Any]]
    """Arguments of each kind of metadata (``METADATA``)."""
    suggestions: list[str]


class ParametersDescription(TypedDict):
    """Description of a class of parameters; plain ones are validated without their code."""

    name: str
    schema: JsonSchema
    fields: list[FieldDescription]
    is_plain: bool


class OwnPortType(TypedDict):
    """Description of a port type of this project: its name in ``modules.artifacts``."""

    ours: str


class OtherPortType(TypedDict):
    """Description of an author's port type."""

    name: str
    module: str
    qualname: str
    colour: str
    schema_version: int
    help: str | None
    bases: list[OwnPortType | OtherPortType]


class PortDescription(TypedDict):
    """Description of a port."""

    id: str
    title: str
    description: str
    optional: bool
    label: str
    made_with: str
    type: OwnPortType | OtherPortType
    share: dict[str, Any] | None


class ModuleDescription(TypedDict):
    """Description of a module; ``facts`` are its plain attributes, ``hooks`` names of its code."""

    facts: dict[str, Any]
    help: str
    inputs: list[PortDescription]
    outputs: list[PortDescription]
    parameters: ParametersDescription
    hooks: list[str]


Ask = Callable[[str, Mapping[str, Any]], Any]
"""Function from a question and its facts to the answer; raises the code's error or its own."""

JSON_TYPES = {"integer": int, "number": float, "boolean": bool, "string": str, "null": type(None)}
ITEM_BOUNDS = {
    "minLength": "min_length",
    "maxLength": "max_length",
    "pattern": "pattern",
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
}
"""Bounds in a JSON schema, and the names of fields."""
METADATA: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        Unit,
        Group,
        ShownWhen,
        Follows,
        LocalPath,
        FromData,
        Code,
        Runs,
        SecretNames,
        Tries,
    )
}


class AskedParameters(Parameters):
    """Parameters that only their author's code can validate."""

    ask: ClassVar[Ask | None] = None
    described_schema: ClassVar[JsonSchema] = {}

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **_: Any) -> Self:
        return cls.model_validate(json.loads(json_data))

    @classmethod
    def model_validate(cls, obj: Any, **_: Any) -> Self:
        assert cls.ask is not None
        answer = cls.ask("parse", {"parameters": obj})
        if "invalid" in answer:
            raise ValidationError.from_exception_data(
                cls.__name__, [_error_from(fault) for fault in answer["invalid"]]
            )
        return cast(Self, cls.model_construct(**answer["values"]))

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> JsonSchema:
        return cls.described_schema


def rebuilt(description: ModuleDescription, ask: Ask) -> Module:
    """Rebuild the module from its description; a malformed one raises any exception."""
    facts = dict(description["facts"])
    facts |= {name: tuple(facts[name]) for name in ("keywords", "libraries")}
    if facts.get("bridges") is not None:
        facts["bridges"] = tuple(facts["bridges"])
    if facts.get("shares_cores") is not None:
        facts["shares_cores"] = dict(facts["shares_cores"])
    own, known = _HOOKS.keys() & description["hooks"], {field.name for field in fields(Module)}
    return Module(
        **{name: value for name, value in facts.items() if name in known},
        parameters_type=parameters_type_from(description["parameters"], ask),
        inputs=tuple(map(_port_from, description["inputs"])),
        outputs=tuple(map(_port_from, description["outputs"])),
        function=_elsewhere(str(facts["id"]), str(description["help"])),
        **{name: _HOOKS[name](ask) for name in own},
    )


def parameters_type_from(
    described: ParametersDescription, ask: Ask | None = None
) -> type[Parameters]:
    """Return the class of a module's parameters."""
    schema = described["schema"]
    parts: dict[str, Any] = {
        field["name"]: _field_from(field, schema["properties"][field["name"]])
        for field in described["fields"]
    }
    name = str(described["name"])
    if described["is_plain"]:
        return create_model(name, __base__=Parameters, **parts)
    made = create_model(name, __base__=AskedParameters, **parts)
    made.ask, made.described_schema = ask, schema
    return made


def _field_from(described: FieldDescription, schema: Mapping[str, Any]) -> tuple[Any, FieldInfo]:
    texts: Any = {"title": str(described["title"]), "description": str(described["description"])}
    default = ... if described["is_required"] else described["default"]
    info: Any = Field(default, **{**texts, **described["bounds"]})
    extra: list[Any] = [METADATA[name](**said) for name, said in _metadata(described)]
    suggestions = [str(suggestion) for suggestion in described["suggestions"]]
    if suggestions:
        extra.append(Suggestions(lambda: suggestions))
    annotation = _annotation(schema)
    return (Annotated[(annotation, *extra)] if extra else annotation), info


def _metadata(described: FieldDescription) -> Iterable[tuple[str, dict[str, Any]]]:
    by_kind = {name: dict(said) for name, said in described["metadata"].items()}
    if "ShownWhen" in by_kind:
        by_kind["ShownWhen"]["values"] = tuple(by_kind["ShownWhen"]["values"])
    return by_kind.items()


def _annotation(schema: Mapping[str, Any]) -> Any:
    """Return the type of a value, as closely as its JSON schema describes it."""
    if schema.get("type") == "array" and schema.get("items"):
        return list[_item(schema["items"])]  # type: ignore[misc]
    if "anyOf" in schema:
        return Union[tuple(map(_annotation, schema["anyOf"]))]  # noqa: UP007 - made, not written
    choices = schema["enum"] if "enum" in schema else [schema[c] for c in ("const",) if c in schema]
    return Literal[tuple(choices)] if choices else JSON_TYPES.get(schema.get("type", ""), Any)


def _item(schema: Mapping[str, Any]) -> Any:
    """Return the type of list items, with its bounds."""
    bounds = {ours: schema[theirs] for theirs, ours in ITEM_BOUNDS.items() if theirs in schema}
    kind = _annotation(schema)
    return Annotated[kind, Field(**bounds)] if bounds else kind


def _error_from(detail: Mapping[str, Any]) -> InitErrorDetails:
    return InitErrorDetails(
        type=PydanticCustomError(detail["type"], detail["msg"], detail.get("ctx")),
        loc=tuple(detail["loc"]),
        input=detail["input"],
    )


def _port_from(described: PortDescription) -> Port:
    return Port(
        type=_port_type_from(json.dumps(described["type"], sort_keys=True)),
        optional=bool(described["optional"]),
        share=Share(**described["share"]) if described["share"] else None,
        id=str(described["id"]),
        title=str(described["title"]),
        description=str(described["description"]),
        label=str(described["label"]),
        made_with=str(described["made_with"]),
    )


@lru_cache(maxsize=4096)
def _port_type_from(described: str) -> type[Artifact]:
    """Return the port type; equal descriptions return the same class."""
    facts = json.loads(described)
    if "ours" in facts:
        kind = getattr(modules.artifacts, facts["ours"])
    else:
        bases = tuple(_port_type_from(json.dumps(base, sort_keys=True)) for base in facts["bases"])
        namespace = {"__doc__": facts["help"], "__qualname__": facts["qualname"]}
        namespace |= {name: facts[name] for name in ("colour", "schema_version")}
        kind = type(facts["name"], bases, {**namespace, "__module__": facts["module"]})
    if not issubclass(kind, Artifact):
        raise TypeError(f"Invalid port type: {facts}")
    port_type: type[Artifact] = kind
    return port_type


def _elsewhere(module_id: str, text: str) -> Callable[..., NoReturn]:
    def function(*_: Any, **__: Any) -> NoReturn:
        raise TypeError(f"{module_id} can only run in a module host: it is not loaded here.")

    function.__name__, function.__doc__ = module_id, text
    return function


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Return the type adapter, created at the first hook call because it takes milliseconds."""
    return TypeAdapter(kind)


def _check(ask: Ask) -> Callable[[Parameters], list[ParameterFinding]]:
    def check(parameters: Parameters) -> list[ParameterFinding]:
        findings = _adapter(list[ParameterFinding]).validate_python(ask("check", _told(parameters)))
        return list(findings)

    return check


def _fingerprint(ask: Ask) -> Callable[[Parameters, Context], str]:
    return lambda parameters, context: str(ask("fingerprint", _told(parameters, context)))


def _forecast(ask: Ask) -> Callable[..., StepForecast]:
    def forecast(
        inputs: Mapping[str, ArtifactForecast], parameters: Parameters, context: Context
    ) -> StepForecast:
        forecasts = _adapter(Mapping[str, ArtifactForecast]).dump_python(inputs, mode="json")
        answer = ask("forecast", {**_told(parameters, context), "inputs": forecasts})
        foreseen: StepForecast = _adapter(StepForecast).validate_python(answer)
        return foreseen

    return forecast


_HOOKS: dict[str, Callable[[Ask], Any]] = {
    "check": _check,
    "fingerprint": _fingerprint,
    "forecast": _forecast,
}


def _told(parameters: Parameters, context: Context | None = None) -> Mapping[str, Any]:
    """Return the arguments of a hook as JSON, without the reporting methods of the context."""
    arguments: dict[str, Any] = {"parameters": parameters.model_dump(mode="json")}
    if context is not None:
        surroundings = {
            field.name: getattr(context, field.name)
            for field in fields(context)
            if field.init and field.name != "emit"
        }
        surroundings["models"] = _named_models(parameters, context)
        arguments["context"] = to_jsonable_python(surroundings)
    return arguments


def _named_models(parameters: Parameters, context: Context) -> dict[str, Path]:
    """Return the registered models that the parameters name, as a step receives them.

    Looking up the folder of another model may download it.
    """
    values = parameters.model_dump().values()
    named = [value for value in values if isinstance(value, str) and value in context.models]
    return {name: context.models[name] for name in named}
