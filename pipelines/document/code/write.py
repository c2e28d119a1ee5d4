"""Pipeline document as Python code: one statement for each node, the layout in a last block.

Equal documents have equal code, apart from the order of their links. It is read back by
``pipelines.document.code.read``, and Python runs it as a script.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import JsonValue

from modules.catalog import Catalog
from modules.formatting import shortest
from pipelines.document.code.literals import INDENT, Argument, Items, Name, Pair, Value, call_lines
from pipelines.document.code.names import MODULES, PIPELINE, is_keyword_argument, variable_names
from pipelines.document.document import (
    Definition,
    DefinitionPort,
    Endpoint,
    Link,
    Node,
    NodeGroup,
    Note,
    PipelineDocument,
    PipelineParameter,
    Position,
    RunSettings,
    Settings,
)

IMPORTS = ("from pipeline_designer import Pipeline", "from pipeline_designer import modules as m")
NAMESPACE = frozenset({"unknown", "sub_pipeline"})
"""Functions of the namespace of modules that are not modules."""


MAIN = ("", 'if __name__ == "__main__":', f"    print({PIPELINE}.run(wait=True).metrics)")
"""Last lines of a script, which the reader ignores."""


def to_code(document: PipelineDocument, catalog: Catalog, *, as_script: bool = False) -> str:
    """Return the code of a document; modules that the catalog lacks are kept.

    Args:
        document: Pipeline to write.
        catalog: Modules, for the order of inputs and the number of outputs.
        as_script: True to add the lines that run the pipeline if the file is executed.
    """
    end = MAIN if as_script else ()
    return "\n".join([*IMPORTS, "", *_Writer(document, catalog).lines(), *end]) + "\n"


Whole = PipelineDocument | Definition


@dataclass
class _Writer:
    document: PipelineDocument
    catalog: Catalog

    def lines(self) -> list[str]:
        lines: list[str] = []
        for definition in self.document.definitions:
            variable = self.definition_variables[definition.id]
            start, end = f"with {PIPELINE}.sub_pipeline(", f") as {variable}:"
            lines += call_lines(start, _definition_arguments(definition), end, indent=INDENT)
            body = _Level(self, definition).lines(variable, 2 * INDENT)
            lines += [*(body or [_pass(2 * INDENT)]), ""]
            self.written[definition.id] = variable
        lines += _Level(self, self.document).lines(PIPELINE, INDENT)
        head = call_lines(
            "with Pipeline(", _pipeline_arguments(self.document), f") as {PIPELINE}:", indent=0
        )
        while lines and not lines[-1]:
            lines.pop()
        return [*head, *(lines or [_pass(INDENT)])]

    @cached_property
    def written(self) -> dict[str, str]:
        """Variables of the sub-pipelines that are already defined, by id."""
        return {}

    @cached_property
    def definition_variables(self) -> dict[str, str]:
        """Variables of sub-pipelines, other than those of nodes, as all share one scope."""
        wholes: tuple[Whole, ...] = (self.document, *self.document.definitions)
        nodes = {
            name
            for whole in wholes
            for name in variable_names(node.id for node in whole.nodes).values()
        }
        ids = (definition.id for definition in self.document.definitions)
        return variable_names(ids, taken=nodes, suffix="_pipeline")

    @cached_property
    def definitions(self) -> Mapping[str, Definition]:
        return {definition.id: definition for definition in self.document.definitions}

    def outputs(self, node: Node) -> Sequence[str] | None:
        """Return the outputs of a node that the code may take for known; None otherwise."""
        if node.definition_id is not None:
            if node.definition_id not in self.written:
                return None
            return [port.id for port in self.definitions[node.definition_id].outputs]
        module = self.catalog.get(node.module)
        return None if module is None else [port.id for port in module.outputs]

    def inputs(self, node: Node) -> Sequence[str]:
        """Return the inputs of a node in order; none if its module is unknown."""
        if node.definition_id is not None:
            definition = self.definitions.get(node.definition_id)
            return [port.id for port in definition.inputs] if definition else ()
        module = self.catalog.get(node.module)
        return [port.id for port in module.inputs] if module else ()


class _Level:
    """Nodes, links and annotations of the pipeline or of one sub-pipeline."""

    def __init__(self, writer: _Writer, whole: Whole) -> None:
        self.writer = writer
        self.whole = whole
        self.names = variable_names(node.id for node in whole.nodes)
        self.nodes = {node.id: node for node in whole.nodes}
        self.order = statement_order(whole)
        self.arguments: dict[str, list[Link]] = {node.id: [] for node in whole.nodes}
        self.others: list[Link] = []
        self._share_links()

    def _share_links(self) -> None:
        """Write a link as an argument if its output is known before it; others separately."""
        place = {node.id: number for number, node in enumerate(self.order)}
        ends: set[Endpoint] = set()
        for link in self.whole.links:
            source, target = place.get(link.from_.node), place.get(link.to.node)
            is_before = source is not None and target is not None and source < target
            if is_before and link.to not in ends and self._is_argument(link):
                ends.add(link.to)
                self.arguments[link.to.node].append(link)
            else:
                self.others.append(link)

    def _is_argument(self, link: Link) -> bool:
        """Return True if Python accepts both ports as names, and the node has the output."""
        output = link.from_.port
        outputs = self.writer.outputs(self.nodes[link.from_.node])
        is_name = is_keyword_argument(output) and not output.startswith("_")
        is_there = outputs is None or output in outputs
        return is_name and is_there and is_keyword_argument(link.to.port)

    def lines(self, variable: str, indent: int) -> list[str]:
        """Return the statements in blocks, which blank lines separate."""
        whole = self.whole
        nodes = [*map(self._node, self.order), *map(_link, self.others)]
        if isinstance(whole, Definition):
            nodes += [*_ports("input", whole.inputs), *_ports("output", whole.outputs)]
        notes = [*map(self._group, whole.groups), *map(_note, whole.notes)]
        blocks = (map(_parameter, whole.parameters), nodes, notes, self._layout())
        parts = [
            [line for statement in block for line in statement.lines(variable, indent)]
            for block in blocks
        ]
        return [line for part in parts if part for line in ["", *part]][1:]

    def _node(self, node: Node) -> _Statement:
        variable = self.names[node.id]
        arguments = [] if variable == node.id else [Argument(node.id, "id")]
        links = self._sorted(node)
        arguments += [Argument(self._output(link), link.to.port) for link in links]
        inputs = {*self.writer.inputs(node), *(link.to.port for link in links)}
        arguments += _parameter_arguments(node, inputs)
        arguments += self._setting_arguments(node)
        function, first = self._function(node)
        return _Statement(f"{variable} = {function}(", [*first, *arguments])

    def _sorted(self, node: Node) -> list[Link]:
        places = {port: number for number, port in enumerate(self.writer.inputs(node))}
        links = self.arguments[node.id]
        return sorted(links, key=lambda link: places.get(link.to.port, len(places)))

    def _output(self, link: Link) -> Value:
        source = link.from_
        outputs = self.writer.outputs(self.nodes[source.node])
        variable = self.names[source.node]
        return Name(variable if outputs == [source.port] else f"{variable}.{source.port}")

    def _function(self, node: Node) -> tuple[str, list[Argument]]:
        """Return the function that adds a node, and its first arguments."""
        definition = node.definition_id
        if definition is not None:
            if definition in self.writer.written:
                return self.writer.written[definition], []
            return f"{MODULES}.sub_pipeline", [Argument(definition)]
        is_name = is_keyword_argument(node.module) and not node.module.startswith("_")
        is_known = self.writer.catalog.get(node.module) is not None
        if is_name and is_known and node.module not in NAMESPACE:
            return f"{MODULES}.{node.module}", []
        return f"{MODULES}.unknown", [Argument(node.module)]

    def _setting_arguments(self, node: Node) -> Iterator[Argument]:
        module = self.writer.catalog.get(node.module)
        if node.version != (module.version if module else 1):
            yield Argument(node.version, "version")
        if node.title is not None:
            yield Argument(node.title, "title")
        if node.color is not None:
            yield Argument(node.color, "color")
        if node.comment:
            yield Argument(node.comment, "comment")
        if node.disabled:
            yield Argument(True, "disabled")
        if node.pin is not None:
            yield Argument(node.pin.model_dump(), "pin")
        settings = _changed(node.run_settings, RunSettings())
        if settings:
            yield Argument(settings, "run_settings")

    def _group(self, group: NodeGroup) -> _Statement:
        members = [Name(self.names[i]) if i in self.names else i for i in group.nodes]
        arguments = [Argument(group.id), Argument(Items(members)), *_title(group.title)]
        if group.colour != NodeGroup(id="x").colour:
            arguments.append(Argument(group.colour, "colour"))
        if group.collapsed:
            arguments.append(Argument(True, "collapsed"))
        return _Statement("group(", arguments, is_method=True)

    def _layout(self) -> Iterator[_Statement]:
        nodes = self.whole.nodes
        if len(nodes) > 1 or any(node.position != Position() for node in nodes):
            places = [Argument(_pair(node.position), self.names[node.id]) for node in nodes]
            yield _Statement("layout(", places, is_method=True, is_open=True)
        collapsed = [Argument(Name(self.names[node.id])) for node in nodes if node.collapsed]
        if collapsed:
            yield _Statement("collapse(", collapsed, is_method=True)
        for node in self.order:
            for link in self._sorted(node):
                if link.waypoints:
                    points = [Argument(_pair(point)) for point in link.waypoints]
                    end = [Argument(Name(self.names[node.id])), Argument(link.to.port)]
                    yield _Statement("route(", [*end, *points], is_method=True)


@dataclass(frozen=True)
class _Statement:
    start: str
    arguments: Sequence[Argument]
    is_method: bool = False
    """True if it is a method of the pipeline or sub-pipeline."""
    is_open: bool = False
    """True if each argument has a line, however short they are."""

    def lines(self, variable: str, indent: int) -> list[str]:
        start = f"{variable}.{self.start}" if self.is_method else self.start
        return call_lines(start, self.arguments, indent=indent, is_open=self.is_open)


def statement_order(whole: Whole) -> list[Node]:
    """Return the nodes, sources first, otherwise in the order of the document.

    If links form a cycle, its first node comes first.
    """
    numbers = {node.id: number for number, node in enumerate(whole.nodes)}
    targets: dict[int, set[int]] = {number: set() for number in numbers.values()}
    num_sources = dict.fromkeys(targets, 0)
    for link in whole.links:
        source, target = numbers.get(link.from_.node), numbers.get(link.to.node)
        if source is not None and target is not None and target not in targets[source]:
            targets[source].add(target)
            num_sources[target] += 1
    ready = [number for number, count in num_sources.items() if not count]
    heapq.heapify(ready)
    done: set[int] = set()
    order: list[int] = []
    remaining = iter(targets)
    while len(order) < len(targets):
        number = heapq.heappop(ready) if ready else next(n for n in remaining if n not in done)
        if number in done:
            continue
        done.add(number)
        order.append(number)
        for target in targets[number]:
            num_sources[target] -= 1
            if not num_sources[target] and target not in done:
                heapq.heappush(ready, target)
    return [whole.nodes[number] for number in order]


def _pipeline_arguments(document: PipelineDocument) -> list[Argument]:
    named: dict[str, JsonValue] = {"name": document.name, "description": document.description}
    named = {key: value for key, value in named.items() if value}
    named |= _changed(document.settings, Settings())
    return [Argument(document.id), *(Argument(value, name) for name, value in named.items())]


def _definition_arguments(definition: Definition) -> list[Argument]:
    text = definition.description
    description = [Argument(text, "description")] if text else []
    return [Argument(definition.id), *_title(definition.title), *description]


def _parameter_arguments(node: Node, inputs: set[str]) -> list[Argument]:
    """Return the parameters; those with a name that a keyword or input has are in one dict."""
    arguments, others = [], {}
    for name, value in node.parameters.items():
        if name not in inputs and is_keyword_argument(name):
            arguments.append(Argument(value, name))
        else:
            others[name] = value
    return [*arguments, Argument(others, "parameters")] if others else arguments


def _parameter(parameter: PipelineParameter) -> _Statement:
    arguments = [Argument(parameter.id)]
    if parameter.default is not None:
        arguments.append(Argument(parameter.default))
    if parameter.type != "string":
        arguments.append(Argument(parameter.type, "type"))
    arguments += _title(parameter.title)
    if parameter.description:
        arguments.append(Argument(parameter.description, "description"))
    if parameter.binds:
        arguments.append(Argument([*parameter.binds], "binds"))
    return _Statement("parameter(", arguments, is_method=True)


def _link(link: Link) -> _Statement:
    arguments = [Argument(str(link.from_)), Argument(str(link.to))]
    arguments += [Argument(_pair(point)) for point in link.waypoints]
    return _Statement("link(", arguments, is_method=True)


def _ports(side: str, ports: Iterable[DefinitionPort]) -> Iterator[_Statement]:
    for port in ports:
        end = f"{port.node}.{port.port}"
        arguments = [Argument(port.id), Argument(end), *_title(port.title)]
        yield _Statement(f"{side}(", arguments, is_method=True)


def _note(note: Note) -> _Statement:
    default = Note(id="x")
    arguments = [Argument(note.id), Argument(note.text)]
    if note.position != default.position:
        arguments.append(Argument(_pair(note.position), "at"))
    if (note.width, note.height) != (default.width, default.height):
        size = Pair(shortest(note.width), shortest(note.height))
        arguments.append(Argument(size, "size"))
    return _Statement("note(", arguments, is_method=True)


def _title(title: str) -> list[Argument]:
    return [Argument(title, "title")] if title else []


def _pair(position: Position) -> Pair:
    return Pair(shortest(position.x), shortest(position.y))


def _changed(settings: RunSettings | Settings, default: RunSettings | Settings) -> dict[str, Any]:
    """Return the settings that differ from their defaults, as JSON."""
    before = default.model_dump(mode="json", by_alias=True)
    now = settings.model_dump(mode="json", by_alias=True)
    return {name: value for name, value in now.items() if value != before.get(name)}


def _pass(indent: int) -> str:
    return f"{' ' * indent}pass"
