"""What a document has its nodes run: programs in parameters, calls of others, variables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue
from pydantic.fields import FieldInfo

from modules.catalog import Catalog
from modules.parameters import Code, Runs, fields_with
from modules.scripts.arguments import parameters_named_in
from modules.spec import Module
from pipelines.documents.document import Node, PipelineDocument
from pipelines.documents.expansion import expanded, values_at

Kind = Literal["program", "call", "variables"]
VARIABLES = "variables"
"""What the run setting is called, as a place of code."""


@dataclass(frozen=True)
class BroughtCode:
    """Something of a node that decides what is run."""

    node: Node
    """As it is in the expanded document."""
    module: Module | None
    kind: Kind
    parameters: tuple[str, ...]
    """Where it stands; the first is where it is told of."""
    values: Mapping[str, JsonValue]

    @property
    def text(self) -> str:
        """As it is read: the program itself, else a line for each value."""
        if self.kind == "program":
            return str(self.values[self.parameters[0]])
        return "\n".join(
            f"{self._title(name)}: {_shown(self.values[name])}" for name in self.values
        )

    @property
    def sha256(self) -> str:
        """What tells it from any other."""
        if self.kind == "program":
            return sha256_of(self.text)
        return sha256_of(f"{self.kind} {json.dumps(dict(self.values), sort_keys=True)}")

    @property
    def title(self) -> str:
        """What a person knows it by."""
        return self._title(self.parameters[0])

    def stands_at(self, node: str, parameter: str) -> bool:
        """Whether that value is a part of it."""
        return self.node.id == node and parameter in self.parameters

    def _title(self, name: str) -> str:
        fields = {} if self.module is None else self.module.parameters_type.model_fields
        info = fields.get(name) if self.kind != "variables" else None
        return (info.title if info else None) or name


def sha256_of(text: str) -> str:
    """What a text hashes to, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def brought_code(document: PipelineDocument, catalog: Catalog) -> Iterator[BroughtCode]:
    """All of a document, disabled nodes too; a module's own default is none of the document's."""
    around = values_at(document)
    for node in expanded(document).nodes:
        module = catalog.get(node.module)
        if module is not None:
            yield from _programs(node, module)
            yield from _calls(node, module, around(node.id))
        variables = node.run_settings.variables
        if variables:
            yield BroughtCode(node, module, "variables", (VARIABLES,), dict(variables))


def _programs(node: Node, module: Module) -> Iterator[BroughtCode]:
    fields = module.parameters_type.model_fields
    for name in fields_with(module.parameters_type, Code):
        text = node.parameters.get(name)
        if isinstance(text, str) and text not in ("", fields[name].default):
            yield BroughtCode(node, module, "program", (name,), {name: text})


def _calls(node: Node, module: Module, around: Mapping[str, JsonValue]) -> Iterator[BroughtCode]:
    """All values that together say what is run, with the pipeline's parameters in them."""
    fields = module.parameters_type.model_fields
    marks = fields_with(module.parameters_type, Runs)
    said = {
        name: node.parameters[name] for name in marks if _says_something(node, name, fields[name])
    }
    begun = [name for name in said if not marks[name][0].only_with_others]
    if begun:
        places = (begun[-1], *(name for name in marks if name != begun[-1]))
        yield BroughtCode(node, module, "call", places, {**said, **_filled_in(said, around)})


def _says_something(node: Node, name: str, info: FieldInfo) -> bool:
    return node.parameters.get(name) not in (None, "", [], info.default)


def _filled_in(
    said: Mapping[str, JsonValue], around: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """What stands for ``{{parameters.NAME}}`` in any of the values."""
    names = sorted(parameters_named_in(said) & around.keys())
    return {f"parameters.{name}": around[name] for name in names}


def _shown(value: JsonValue) -> str:
    if isinstance(value, list):
        return "".join(f"\n    {each}" for each in value)
    return str(value)
