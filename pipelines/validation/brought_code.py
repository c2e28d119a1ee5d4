"""Code that a document runs in its nodes: programs, calls of others, environment variables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from modules.catalog import Catalog
from modules.module_texts import parameter_title
from modules.parameters import Code, Runs, fields_with
from modules.scripts.arguments import parameters_named_in
from modules.spec import Module
from pipelines.document.document import Node, PipelineDocument
from pipelines.document.expansion import expanded, values_at
from pipelines.sentences import _

Kind = Literal["program", "call", "variables"]
VARIABLES = "variables"
"""Name of the run setting, as a location of code."""


@dataclass(frozen=True)
class BroughtCode:
    """Everything that determines what a node runs; it is approved as a whole, never in parts.

    A program that is harmless with one argument list, file or variable may not be with another.
    """

    node: Node
    """Node of the expanded document."""
    module: Module | None
    kind: Kind
    parameters: tuple[str, ...]
    """Parameters with the code; problems refer to the first."""
    values: Mapping[str, JsonValue]

    @property
    def text(self) -> str:
        """Return the program; without one, a line per value."""
        if self.kind == "program":
            return str(self.values[self.parameters[0]])
        return self._lines(self.values)

    @property
    def settings(self) -> str:
        """Return the arguments of a program, a line per value."""
        if self.kind != "program":
            return ""
        program = self.parameters[0]
        return self._lines({name: self.values[name] for name in self.values if name != program})

    @property
    def sha256(self) -> str:
        """Return the hash by which approvals are stored."""
        if self.kind == "program" and not self.settings:
            return sha256_of(self.text)
        return sha256_of(f"{self.kind} {json.dumps(dict(self.values), sort_keys=True)}")

    @property
    def title(self) -> str:
        """Return the title of its first parameter."""
        return self._title(self.parameters[0])

    def is_at(self, node: str, parameter: str) -> bool:
        """Return True if that value is part of the code."""
        return self.node.id == node and parameter in self.parameters

    def _lines(self, values: Mapping[str, JsonValue]) -> str:
        return "\n".join(f"{self._title(name)}: {_shown(values[name])}" for name in values)

    def _title(self, name: str) -> str:
        if self.kind == "variables":
            return name
        title = self.module and parameter_title(self.module.parameters_type, name)
        return title or (_("Environment variables") if name == VARIABLES else name)


def sha256_of(text: str) -> str:
    """Return the hexadecimal hash of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def brought_code(document: PipelineDocument, catalog: Catalog) -> Iterator[BroughtCode]:
    """Yield the code of every node that has some, including disabled nodes.

    Defaults of modules are not code of the document.
    """
    around = values_at(document)
    for node in expanded(document).nodes:
        code = _code_of(node, catalog.get(node.module), around(node.id))
        if code is not None:
            yield code


def _code_of(
    node: Node, module: Module | None, around: Mapping[str, JsonValue]
) -> BroughtCode | None:
    variables: dict[str, JsonValue] = dict(node.run_settings.variables)
    values = {} if module is None else _code_values(node, module)
    if module is None or not values:
        return (
            BroughtCode(node, module, "variables", (VARIABLES,), variables) if variables else None
        )
    if variables:
        values[VARIABLES] = variables
    parameters = _code_parameters(module, values)
    kind: Kind = "program" if parameters[0] in fields_with(module.parameters_type, Code) else "call"
    return BroughtCode(
        node, module, kind, parameters, {**values, **_filled_in(node, values, around)}
    )


def _code_values(node: Node, module: Module) -> dict[str, JsonValue]:
    """Return the programs of a node, then everything else that determines what is run."""
    fields = module.parameters_type.model_fields
    kinds = (fields_with(module.parameters_type, kind) for kind in (Code, Runs))
    names = [name for marked in kinds for name in marked]
    return {
        name: node.parameters[name]
        for name in names
        if node.parameters.get(name) not in (None, "", [], fields[name].default)
    }


def _code_parameters(module: Module, values: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Return the parameters with the values, the most relevant for a reader first."""
    calls = fields_with(module.parameters_type, Runs)
    first = next(iter(values))
    if first in calls:  # there is no program
        starting = [
            name for name in values if name in calls and not calls[name][0].only_with_others
        ]
        first = starting[-1] if starting else first
    others = (*fields_with(module.parameters_type, Code), *calls, VARIABLES)
    return (first, *(name for name in others if name != first))


def _filled_in(
    node: Node, values: Mapping[str, JsonValue], around: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """Return the replacements of ``{{parameters.NAME}}`` in the values.

    These are parameters of the pipeline, and texts of the node; its numbers are harmless.
    """
    own = {name: value for name, value in node.parameters.items() if isinstance(value, str)}
    available = {**own, **around}
    names = sorted(parameters_named_in(values) & available.keys())
    return {f"parameters.{name}": available[name] for name in names}


def _shown(value: JsonValue) -> str:
    if isinstance(value, list):
        return "".join(f"\n    {line}" for line in value)
    if isinstance(value, dict):
        return "".join(f"\n    {name}: {text}" for name, text in value.items())
    return str(value)
