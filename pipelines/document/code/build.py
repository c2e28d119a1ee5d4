"""Pipelines under construction: what each statement of their code adds to a document.

``pipelines.document.code.read`` calls these functions for the statements that it reads, and Python
does if the code runs as a script, so both mean the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from modules.catalog import Catalog
from pipelines.document.code.arrange import Point, arranged
from pipelines.document.code.names import NODE_KEYWORDS, similar_name
from pipelines.document.document import FORMAT, PipelineDocument, parse_document
from pipelines.document.parts import DEFINITION_PREFIX
from pipelines.errors import RefusedError
from pipelines.sentences import documents, python_code

NODE_SETTINGS = NODE_KEYWORDS - {"id", "parameters"}
Positions = Sequence[float]
Content = dict[str, Any]
"""Document, or a part of one, as JSON: it is checked at the end, as a whole."""
Arguments = dict[str, Any]
"""Arguments of a call by name."""


class CodeError(RefusedError):
    """A statement of a pipeline's code has a wrong argument."""

    code = "pipeline_code"


T_co = TypeVar("T_co", covariant=True)


class Node:
    """Node of a pipeline under construction; its attributes are its outputs."""


class Output(Generic[T_co]):
    """Output of a node, with the type of its artifact."""


class NodeHandle(Node):
    """Node with the content of its document."""

    def __init__(self, level: Level, title: str, outputs: Sequence[str] | None) -> None:
        self._level = level
        self._title = title
        self._outputs = outputs
        """Ids of the outputs; None if the module is unknown."""
        self._content: Content = {}

    def __getattr__(self, port: str) -> OutputHandle:
        if port.startswith("_"):
            raise AttributeError(port)
        if self._outputs is not None and port not in self._outputs:
            facts = {"title": self._title, "name": port}
            cure = similar_name(port, self._outputs)
            raise AttributeError(str(python_code.NO_OUTPUT_NAMED.about({**facts, "cure": cure})))
        return OutputHandle(self, port)

    def __dir__(self) -> Iterable[str]:
        return self._outputs or ()

    def __repr__(self) -> str:
        return f"<node {self._content.get('id') or self._title}>"


@dataclass(frozen=True)
class OutputHandle(Output[Any]):
    """Output with its node."""

    node: NodeHandle
    port: str


class Level:
    """Nodes, links and annotations of a pipeline or a sub-pipeline."""

    def __init__(self, root: PipelineBuilder | None, content: Content) -> None:
        self._root = root
        self._content = content
        self._nodes: list[NodeHandle] = []
        self._links: list[tuple[NodeHandle, OutputHandle, str]] = []
        self._other_links: list[Content] = []
        self._routes: list[tuple[NodeHandle, str, list[dict[str, float]]]] = []
        self._groups: list[tuple[Content, list[NodeHandle | str]]] = []
        self._notes: list[Content] = []
        self._parameters: list[Content] = []
        self._places: dict[str, Point] | None = None

    def parameter(
        self,
        id: str,
        default: Any = None,
        *,
        type: str = "string",
        title: str = "",
        description: str = "",
        binds: Sequence[str] = (),
    ) -> None:
        """Add a parameter that sets the parameters of nodes in ``binds``: ``train.epochs``."""
        self._parameters.append(
            {
                "id": id,
                "title": title,
                "type": type,
                "default": default,
                "description": description,
                "binds": binds,
            }
        )

    def link(self, source: str, target: str, *waypoints: Positions) -> None:
        """Connect two ports by the ids of their nodes: ``p.link("a.output", "b.input")``."""
        link: Content = {"from": _endpoint(source), "to": _endpoint(target)}
        self._other_links.append(_with_waypoints(link, waypoints))

    def route(self, node: Node, port: str, *waypoints: Positions) -> None:
        """Draw the wire to an input of a node through waypoints."""
        own = self._own(node, "node")
        self._routes.append((own, port, [_point("waypoint", point) for point in waypoints]))

    def group(
        self,
        id: str,
        nodes: Iterable[Node | str] = (),
        *,
        title: str = "",
        colour: str = "grey",
        collapsed: bool = False,
    ) -> None:
        """Draw a frame around nodes."""
        if isinstance(nodes, str) or not isinstance(nodes, Iterable):
            raise CodeError(python_code.NOT_A_NODE, name="nodes")
        members = [
            member if isinstance(member, str) else self._own(member, "nodes") for member in nodes
        ]
        group = {"id": id, "title": title, "colour": colour, "collapsed": collapsed}
        self._groups.append((group, members))

    def note(
        self, id: str, text: str = "", *, at: Positions = (0, 0), size: Positions = (240, 120)
    ) -> None:
        """Add a note in Markdown."""
        area = _point("size", size)
        note = {"id": id, "text": text, "position": _point("at", at)}
        self._notes.append({**note, "width": area["x"], "height": area["y"]})

    def layout(self, /, **positions: Positions) -> None:
        """Set the positions of nodes by their variables; the order is that of the document."""
        if self._places is not None:
            raise CodeError(python_code.TWICE_LAID_OUT)
        points = {name: _point(name, position) for name, position in positions.items()}
        self._places = {name: (point["x"], point["y"]) for name, point in points.items()}

    def collapse(self, *nodes: Node) -> None:
        """Show nodes as their title bars only."""
        for node in nodes:
            self._own(node, "nodes")._content["collapsed"] = True

    def _add(
        self,
        module_id: str,
        arguments: Arguments,
        title: str,
        ports: tuple[Collection[str], Sequence[str]] | None,
        version: int,
    ) -> NodeHandle:
        """Add a node.

        Args:
            module_id: Module, or the prefix of sub-pipelines and the id of one.
            arguments: Inputs, parameters and settings by name.
            title: Name of the module in messages.
            ports: Ids of inputs and outputs; None if they are unknown.
            version: Version of the module unless an argument sets it.
        """
        inputs, outputs = ports or ((), None)
        node = NodeHandle(self, title, outputs)
        node_id = arguments.pop("id", None)
        if not isinstance(node_id, str | None):
            raise CodeError(documents.PART_NO_ID, place=repr(node_id)[:100])
        content: Content = {"id": node_id, "module": module_id, "version": version}
        content |= {key: arguments.pop(key) for key in NODE_SETTINGS if key in arguments}
        parameters = arguments.pop("parameters", {})
        if not isinstance(parameters, Mapping) or not all(isinstance(k, str) for k in parameters):
            raise CodeError(python_code.NOT_A_MAPPING, name="parameters")
        links: list[tuple[NodeHandle, OutputHandle, str]] = []
        values = dict(parameters)
        for name, value in arguments.items():
            if isinstance(value, NodeHandle | OutputHandle):
                links.append((node, self._output(value), name))
            elif name not in inputs:
                values[name] = value
            elif value is not None:
                raise CodeError(python_code.INPUT_NOT_LINKED, name=name, title=title)
        node._content = {**content, "parameters": values}
        self._nodes.append(node)
        self._links += links
        return node

    def _output(self, value: NodeHandle | OutputHandle) -> OutputHandle:
        if isinstance(value, OutputHandle):
            self._own(value.node, "input")
            return value
        self._own(value, "input")
        outputs = value._outputs
        if outputs is None:
            raise CodeError(python_code.OUTPUT_UNKNOWN, title=value._title)
        if not outputs:
            raise CodeError(python_code.NO_OUTPUTS, title=value._title)
        if len(outputs) > 1:
            raise CodeError(python_code.SEVERAL_OUTPUTS, title=value._title, outputs=[*outputs])
        return OutputHandle(value, outputs[0])

    def _own(self, node: object, name: str) -> NodeHandle:
        """Return a node of this level. Raises ``CodeError`` for anything else."""
        if not isinstance(node, NodeHandle):
            raise CodeError(python_code.NOT_A_NODE, name=name)
        if node._level is not self:
            raise CodeError(python_code.OTHER_LEVEL)
        return node

    def _finish(self, variables: Mapping[str, Any]) -> None:
        """Set the ids and positions of nodes at the end of the block.

        Args:
            variables: Values of variables by name; a node without an id has that of its variable.
        """
        own = {
            name: value
            for name, value in variables.items()
            if isinstance(value, NodeHandle) and value._level is self
        }
        for name, node in own.items():
            if node._content["id"] is None:
                node._content["id"] = name
        self._name_others()
        self._content |= {
            "nodes": [node._content for node in self._placed(own)],
            "links": [*self._links_with_waypoints(), *self._other_links],
            "notes": self._notes,
            "groups": [{**group, "nodes": _ids(members)} for group, members in self._groups],
            "parameters": self._parameters,
        }

    def _name_others(self) -> None:
        """Name nodes without a variable by their module and a number."""
        taken = {node._content["id"] for node in self._nodes}
        numbers: dict[str, int] = {}
        for node in self._nodes:
            if node._content["id"] is None:
                base = node._content["module"].rpartition(":")[2].lower().strip("_")[:50] or "node"
                name = base
                while name in taken:
                    numbers[base] = numbers.get(base, 1) + 1
                    name = f"{base}-{numbers[base]}"
                node._content["id"] = name
                taken.add(name)

    def _placed(self, variables: Mapping[str, NodeHandle]) -> list[NodeHandle]:
        """Set positions, and return the nodes in the order of a complete layout."""
        by_id = {node._content["id"]: node for node in self._nodes}
        places: dict[int, Point] = {}
        ordered: list[NodeHandle] = []
        for name, point in (self._places or {}).items():
            node = variables.get(name) or by_id.get(name)
            if node is None:
                cure = similar_name(name, [*variables, *map(str, by_id)])
                raise CodeError(python_code.NOT_PLACED, name=name, cure=cure)
            places[id(node)] = point
            ordered.append(node)
        if len(self._nodes) > 1 or self._places:
            places |= self._arranged(places)
        for node in self._nodes:
            x, y = places.get(id(node), (0, 0))
            node._content["position"] = {"x": x, "y": y}
        return ordered if len(places_of(ordered)) == len(self._nodes) else self._nodes

    def _arranged(self, places: Mapping[int, Point]) -> dict[int, Point]:
        keys = {str(id(node)): id(node) for node in self._nodes}
        sources: dict[str, set[str]] = {}
        for target, output, _ in self._links:
            sources.setdefault(str(id(target)), set()).add(str(id(output.node)))
        missing = [key for key, number in keys.items() if number not in places]
        known = {key: places[number] for key, number in keys.items() if number in places}
        return {keys[key]: point for key, point in arranged(missing, sources, known).items()}

    def _links_with_waypoints(self) -> list[Content]:
        routes = {(id(node), port): points for node, port, points in self._routes}
        links = []
        for target, output, port in self._links:
            link: Content = {
                "from": {"node": output.node._content["id"], "port": output.port},
                "to": {"node": target._content["id"], "port": port},
            }
            if points := routes.get((id(target), port)):
                link["waypoints"] = points
            links.append(link)
        return links


class SubPipeline(Level):
    """Sub-pipeline under construction; called, it adds a node that contains it."""

    def input(self, id: str, port: str, *, title: str = "") -> None:
        """Expose an input of an inner node: ``front.input("images", "split.dataset")``."""
        self._content["inputs"].append({"id": id, "title": title, **_endpoint(port)})

    def output(self, id: str, port: str, *, title: str = "") -> None:
        """Expose an output of an inner node."""
        self._content["outputs"].append({"id": id, "title": title, **_endpoint(port)})

    def _place(self, level: Level, arguments: Arguments) -> NodeHandle:
        """Add a node with this sub-pipeline."""
        content = self._content
        inputs = [port["id"] for port in content["inputs"]]
        outputs = [port["id"] for port in content["outputs"]]
        title = content["title"] or content["id"]
        name = f"{DEFINITION_PREFIX}{content['id']}"
        return level._add(name, arguments, str(title), (inputs, outputs), 1)


class PipelineBuilder(Level):
    """Pipeline under construction."""

    def __init__(
        self,
        catalog: Catalog,
        id: str,
        *,
        name: str = "",
        description: str = "",
        target: str = "local",
        random_seed: int | None = None,
        sweep: Mapping[str, Any] | None = None,
    ) -> None:
        settings: Content = {"target": target, "random_seed": random_seed}
        if sweep is not None:
            settings["sweep"] = sweep
        head = {"format": FORMAT, "id": id, "name": name, "description": description}
        super().__init__(None, {**head, "settings": settings})
        self._catalog = catalog
        self._definitions: list[SubPipeline] = []

    def _new_sub_pipeline(self, id: str, *, title: str = "", description: str = "") -> SubPipeline:
        content = {"id": id, "title": title, "description": description}
        definition = SubPipeline(self, {**content, "inputs": [], "outputs": []})
        self._definitions.append(definition)
        return definition

    def _add_module(self, level: Level, name: str, arguments: Arguments) -> NodeHandle:
        """Add a node with a module, which need not be installed."""
        module = self._catalog.get(name)
        if module is None:
            return level._add(name, arguments, name, None, 1)
        inputs = [port.id for port in module.inputs]
        outputs = [port.id for port in module.outputs]
        return level._add(name, arguments, module.title, (inputs, outputs), module.version)

    def _parsed(self) -> PipelineDocument:
        """Return the document. Raises ``PipelineError`` with all problems."""
        definitions = [definition._content for definition in self._definitions]
        return parse_document({**self._content, "definitions": definitions})


def places_of(nodes: Iterable[NodeHandle]) -> set[int]:
    """Return the identities of nodes."""
    return {id(node) for node in nodes}


def _ids(members: Iterable[NodeHandle | str]) -> list[str]:
    return [member if isinstance(member, str) else member._content["id"] for member in members]


def _endpoint(text: object) -> dict[str, str]:
    node, dot, port = text.partition(".") if isinstance(text, str) else ("", "", "")
    if not (node and dot and port):
        raise CodeError(python_code.NOT_AN_END, text=str(text)[:100])
    return {"node": node, "port": port}


def _point(name: str, value: object) -> dict[str, float]:
    """Return a position; raises ``CodeError`` unless the value is a pair of numbers."""
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
        x, y = value
        if _is_number(x) and _is_number(y):
            return {"x": x, "y": y}
    raise CodeError(python_code.NOT_A_PAIR, name=name)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _with_waypoints(link: Content, waypoints: Iterable[Positions]) -> Content:
    points = [_point("waypoint", point) for point in waypoints]
    return {**link, "waypoints": points} if points else link
