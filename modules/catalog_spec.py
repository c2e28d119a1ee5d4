"""The catalog as commands, the editor and the reference receive it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from pydantic import JsonValue
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined, to_jsonable_python

from modules.artifacts import Artifact
from modules.catalog import Catalog, CatalogFailure
from modules.json_model import JsonModel
from modules.module_texts import documentation, parameter_texts, type_help
from modules.parameters import (
    Code,
    Follows,
    FromData,
    Group,
    Parameters,
    Runs,
    ShownWhen,
    Suggestions,
    Tries,
    metadata,
)
from modules.spec import Module, Port, Share


class PortSpec(JsonModel):
    """Input or output of a module."""

    id: str
    type: str
    title: str
    description: str
    optional: bool
    label: str
    share: Share | None
    made_with: str


class ParameterSpec(JsonModel):
    """Parameter of a module, with everything the settings pane needs."""

    id: str
    title: str | None
    help: str | None
    type: str
    items: str | None
    nullable: bool
    required: bool
    default: JsonValue
    choices: list[JsonValue] | None
    suggestions: list[str]
    code: str | None
    runs: bool
    from_data: bool
    tries: bool
    minimum: int | float | None
    maximum: int | float | None
    exclusive_minimum: int | float | None
    exclusive_maximum: int | float | None
    min_length: int | None
    max_length: int | None
    unit: str
    group: str
    folded: bool
    shown_when: list[ShownWhen]
    follows: Follows | None


class ModuleSpec(JsonModel):
    """Module that can be placed on the canvas."""

    id: str
    version: int
    title: str
    category: str
    summary: str
    description: str
    icon: str
    keywords: tuple[str, ...]
    inputs: list[PortSpec]
    outputs: list[PortSpec]
    parameters: list[ParameterSpec]
    distributed: bool
    stoppable: bool
    launches: bool
    takes_environment: bool
    bridges: tuple[str, ...] | None
    libraries: tuple[str, ...]
    starts_with: dict[str, JsonValue]
    origin: str


class PortTypeSpec(JsonModel):
    """Port type and its supertypes, the nearest first."""

    name: str
    colour: str
    help: str
    supertypes: list[str]


class CatalogSpec(JsonModel):
    """Available modules, in palette order."""

    format: Literal["pipeline-designer-modules/1"] = "pipeline-designer-modules/1"
    modules: list[ModuleSpec]
    port_types: list[PortTypeSpec]
    failures: tuple[CatalogFailure, ...]


def catalog_spec(catalog: Catalog) -> CatalogSpec:
    """Return the catalog for the palette and ``designer modules --json``."""
    return CatalogSpec(
        modules=[
            module_spec(entry.module, entry.origin.kind) for entry in catalog.entries.values()
        ],
        port_types=[_port_type(name, kind) for name, kind in sorted(catalog.port_types.items())],
        failures=catalog.failures,
    )


def module_spec(module: Module, origin: str = "import") -> ModuleSpec:
    """Return the specification for palettes, settings panes and the documentation."""
    return ModuleSpec.copied(
        module,
        description=documentation(module),
        inputs=[port_spec(port) for port in module.inputs],
        outputs=[port_spec(port) for port in module.outputs],
        parameters=parameter_specs(module.parameters_type),
        origin=origin,
    )


def port_spec(port: Port) -> PortSpec:
    """Return the specification of a port."""
    return PortSpec.copied(port, type=port.type.__name__)


def parameter_specs(parameters_type: type[Parameters]) -> list[ParameterSpec]:
    """Return the specification of each parameter, in the order of declaration."""
    properties = _properties(parameters_type)
    return [
        _parameter(name, info, properties[name])
        for name, info in parameters_type.model_fields.items()
    ]


# each editor requests it for every module when it opens: 2 ms each to compute
@lru_cache(maxsize=256)
def _properties(parameters_type: type[Parameters]) -> Mapping[str, Mapping[str, Any]]:
    properties: Mapping[str, Mapping[str, Any]] = parameters_type.model_json_schema()["properties"]
    return properties


def _parameter(name: str, info: FieldInfo, schema: Mapping[str, Any]) -> ParameterSpec:
    variants = schema.get("anyOf", [schema])
    base = next(variant for variant in variants if variant.get("type") != "null")
    code = next(iter(metadata(info, Code)), None)
    texts = parameter_texts(info)
    return ParameterSpec(
        id=name,
        title=texts.title,
        help=texts.help,
        type=base.get("type", "string"),
        items=base.get("items", {}).get("type"),
        nullable=len(variants) > 1,
        required=info.is_required(),
        default=None if info.default is PydanticUndefined else to_jsonable_python(info.default),
        choices=base.get("enum"),
        suggestions=[
            value for suggestions in metadata(info, Suggestions) for value in suggestions.values()
        ],
        code=code.language if code else None,
        runs=bool(code or metadata(info, Runs)),
        from_data=bool(metadata(info, FromData)),
        tries=bool(metadata(info, Tries)),
        minimum=base.get("minimum"),
        maximum=base.get("maximum"),
        exclusive_minimum=base.get("exclusiveMinimum"),
        exclusive_maximum=base.get("exclusiveMaximum"),
        min_length=base.get("minLength"),
        max_length=base.get("maxLength"),
        unit=texts.unit,
        group=texts.group,
        folded=any(group.folded for group in metadata(info, Group)),
        shown_when=metadata(info, ShownWhen),
        follows=texts.follows,
    )


def _port_type(name: str, kind: type[Artifact]) -> PortTypeSpec:
    parents = [parent for parent in kind.__mro__[1:] if issubclass(parent, Artifact)]
    return PortTypeSpec(
        name=name,
        colour=kind.colour,
        help=type_help(kind),
        supertypes=[parent.__name__ for parent in parents],
    )
