"""A selection becomes one node, and one node what it stands for. The browser has the same edits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pydantic import JsonValue

from modules.catalog import Catalog
from pipelines.documents.binds import SEPARATOR, halves, outermost
from pipelines.documents.document import (
    Definition,
    DefinitionPort,
    Endpoint,
    Group,
    Link,
    Node,
    PipelineDocument,
    PipelineParameter,
    Position,
    RunSettings,
)
from pipelines.documents.named_parameters import named_parameters
from pipelines.documents.node_titles import node_titles
from pipelines.documents.parts import DEFINITION_PREFIX, ParameterType
from pipelines.editing.edits import changed, free_name, fresh_id, node_of
from pipelines.editing.unpacked_notes import moved, outer_groups, outer_notes
from pipelines.problems import (
    PIPELINE_HAS_CYCLE,
    UNBOUND_PARAMETER,
    UNKNOWN_DEFINITION,
    PipelineError,
)
from pipelines.sentences import sub_pipelines as sentences
from pipelines.validation.connections import reaches

NEW_ID = "sub_pipeline"
NEW_TITLE = "Sub-pipeline"


def make_sub_pipeline(
    document: PipelineDocument, catalog: Catalog, node_ids: Iterable[str]
) -> PipelineDocument:
    """With one node in place of some: its ports are those that lead out or are free.

    Its parameters are those that had been set, and those that the pipeline's own are bound to.
    """
    inside = {node_of(document, each).id: node_of(document, each) for each in node_ids}
    if not inside:
        raise PipelineError.of(UNKNOWN_DEFINITION, sentences.NOTHING_CHOSEN)
    _refuse_circle(document, catalog, inside)
    maker = _Maker(document, catalog, inside)
    return maker.document()


def unpack(document: PipelineDocument, catalog: Catalog, node_id: str) -> PipelineDocument:
    """With what a sub-pipeline holds in place of its node; a definition nobody uses goes."""
    node = node_of(document, node_id)
    definition = document.definition(node.definition_id or "")
    if definition is None:
        title = node_titles(document.nodes, catalog)[node_id]
        raise PipelineError.of(
            UNKNOWN_DEFINITION, sentences.NO_SUB_PIPELINE.about({"node": title}), node=node_id
        )
    _refuse_named(document, node, definition)
    others = changed(document, nodes=tuple(each for each in document.nodes if each.id != node_id))
    names: dict[str, str] = {}
    for inner in definition.nodes:
        names[inner.id] = fresh_id(others, inner.id)
        present = _outside(inner, node, definition, names[inner.id])
        others = changed(others, nodes=(*others.nodes, present))
    links = (each for link in document.links if (each := _joined(link, node_id, definition, names)))
    inner_links = (
        link.model_copy(update={"from_": _named(link.from_, names), "to": _named(link.to, names)})
        for link in definition.links
    )
    groups = (_regrouped(each, {node_id: tuple(names.values())}) for each in others.groups)
    unpacked = changed(
        others,
        links=(*links, *inner_links),
        notes=(*others.notes, *outer_notes(others, node, definition)),
        groups=(*groups, *outer_groups(others, definition, names)),
        parameters=(
            *(_rebound(each, node_id, definition, names) for each in others.parameters),
            *_reaching_further(others, node, definition, names),
        ),
    )
    return _without_unused(unpacked, definition.id)


def _refuse_named(document: PipelineDocument, node: Node, definition: Definition) -> None:
    """A value that a script inside names would be one of the pipeline's, or none."""
    named = named_parameters(definition.nodes, document.definitions)
    for own in definition.parameters:
        if own.id in named:
            facts = {"node": node.title or definition.title, "name": own.title or own.id}
            facts["place"] = f"{{{{parameters.{own.id}}}}}"
            said = sentences.NAMED_INSIDE.about(facts)
            raise PipelineError.of(UNBOUND_PARAMETER, said, node=node.id)


def _without_unused(document: PipelineDocument, definition_id: str) -> PipelineDocument:
    """Without a definition that no node stands for, if that is so."""
    wholes: tuple[PipelineDocument | Definition, ...] = (document, *document.definitions)
    if any(node.definition_id == definition_id for whole in wholes for node in whole.nodes):
        return document
    kept = tuple(each for each in document.definitions if each.id != definition_id)
    return changed(document, definitions=kept)


class _Maker:
    """One sub-pipeline in the making: what it is given is named as it is met."""

    def __init__(
        self, document: PipelineDocument, catalog: Catalog, inside: dict[str, Node]
    ) -> None:
        self.old, self.catalog, self.inside = document, catalog, inside
        self.id = free_name({each.id for each in document.definitions}, NEW_ID)
        outside = {each.id for each in document.nodes} - inside.keys()
        self.node_id = free_name(outside, self.id)
        self.inputs: dict[tuple[str, str], DefinitionPort] = {}
        self.outputs: dict[tuple[str, str], DefinitionPort] = {}
        self.parameters: dict[str, PipelineParameter] = {}
        self.named = named_parameters(inside.values(), document.definitions)
        """What scripts inside take from around them: no parameter of the new node may be that."""

    def document(self) -> PipelineDocument:
        corner = Position(
            x=min(node.position.x for node in self.inside.values()),
            y=min(node.position.y for node in self.inside.values()),
        )
        links = tuple(self._outer_links())
        self._free_ports()
        self._bound_parameters()
        self._set_parameters()
        node = Node(id=self.node_id, module=f"{DEFINITION_PREFIX}{self.id}", position=corner)
        kept = [each for each in self.old.nodes if each.id not in self.inside]
        inner_groups = [each for each in self.old.groups if self._holds(each)]
        groups = (each for each in self.old.groups if not self._holds(each))
        return changed(
            self.old,
            nodes=(*kept, node),
            links=links,
            groups=tuple(_regrouped(each, dict.fromkeys(self.inside, ())) for each in groups),
            parameters=tuple(self._outer_parameter(each) for each in self.old.parameters),
            definitions=(*self.old.definitions, self._definition(corner, inner_groups)),
        )

    def _definition(self, corner: Position, groups: list[Group]) -> Definition:
        return Definition(
            id=self.id,
            title=NEW_TITLE,
            nodes=tuple(
                node.model_copy(update={"position": moved(node.position, -corner.x, -corner.y)})
                for node in self.old.nodes
                if node.id in self.inside
            ),
            links=tuple(link for link in self.old.links if self._is_inner(link)),
            groups=tuple(groups),
            parameters=tuple(self.parameters.values()),
            inputs=tuple(self.inputs.values()),
            outputs=tuple(self.outputs.values()),
        )

    def _holds(self, group: Group) -> bool:
        return bool(group.nodes) and self.inside.keys() >= {*group.nodes}

    def _is_inner(self, link: Link) -> bool:
        return link.from_.node in self.inside and link.to.node in self.inside

    def _outer_links(self) -> Iterator[Link]:
        for link in self.old.links:
            if self._is_inner(link):
                continue
            source, target = link.from_, link.to
            if source.node in self.inside:
                source = self._port(source, self.outputs)
            if target.node in self.inside:
                target = self._port(target, self.inputs)
            yield link.model_copy(update={"from_": source, "to": target})

    def _port(self, end: Endpoint, ports: dict[tuple[str, str], DefinitionPort]) -> Endpoint:
        """The port of the new node that stands for one inside."""
        place = (end.node, end.port)
        if place not in ports:
            name = _free_port({each.id for each in ports.values()}, end)
            ports[place] = DefinitionPort(id=name, node=end.node, port=end.port)
        return Endpoint(node=self.node_id, port=ports[place].id)

    def _free_ports(self) -> None:
        """Inputs that nothing is linked to, and outputs that lead nowhere."""
        linked = {(link.to.node, link.to.port) for link in self.old.links}
        led = {(link.from_.node, link.from_.port) for link in self.old.links}
        for node in self.old.nodes:
            if node.id in self.inside:
                inputs, outputs = _ports_of(node, self.old, self.catalog)
                for port in inputs:
                    if (node.id, port) not in linked:
                        self._port(Endpoint(node=node.id, port=port), self.inputs)
                for port in outputs:
                    if (node.id, port) not in led:
                        self._port(Endpoint(node=node.id, port=port), self.outputs)

    def _outer_parameter(self, parameter: PipelineParameter) -> PipelineParameter:
        """Bound to the new node, or through it, where it was bound to one inside."""
        binds = dict.fromkeys(self._outer_bind(each) for each in parameter.binds)
        return parameter.model_copy(update={"binds": tuple(binds)})

    def _outer_bind(self, bind: str) -> str:
        if outermost(halves(bind)[0]) not in self.inside:
            return bind
        own = self.parameters.get(bind)
        return f"{self.node_id}.{own.id}" if own else f"{self.node_id}{SEPARATOR}{bind}"

    def _bound_parameters(self) -> None:
        for parameter in self.old.parameters:
            for bind in parameter.binds:
                if halves(bind)[0] in self.inside:
                    self._parameter(bind, parameter.default, parameter)

    def _set_parameters(self) -> None:
        for node in self.old.nodes:
            if node.id in self.inside:
                for name, value in node.parameters.items():
                    self._parameter(f"{node.id}.{name}", value)

    def _parameter(
        self, bind: str, value: JsonValue, like: PipelineParameter | None = None
    ) -> None:
        """A parameter of the new sub-pipeline that is bound to one inside."""
        if bind not in self.parameters:
            node, name = halves(bind)
            taken = {each.id for each in self.parameters.values()} | self.named
            self.parameters[bind] = PipelineParameter(
                id=_free_port(taken, Endpoint(node=node, port=name)),
                type=like.type if like else _type_of(value),
                default=value,
                binds=(bind,),
            )


def _type_of(value: JsonValue) -> ParameterType:
    """The type that a value has in JSON; ``string`` for null."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if value == int(value) else "number"
    if isinstance(value, list):
        return "array"
    return "object" if isinstance(value, dict) else "string"


def _refuse_circle(document: PipelineDocument, catalog: Catalog, inside: dict[str, Node]) -> None:
    """A node that needs one of them and is needed by another would need itself."""
    for link in document.links:
        leads_out = link.from_.node in inside and link.to.node not in inside
        if leads_out and any(reaches(document.links, link.to.node, each) for each in inside):
            title = node_titles(document.nodes, catalog).get(link.to.node, link.to.node)
            between = sentences.LIES_BETWEEN.about({"node": title})
            raise PipelineError.of(PIPELINE_HAS_CYCLE, between, node=link.to.node)


def _ports_of(
    node: Node, document: PipelineDocument, catalog: Catalog
) -> tuple[list[str], list[str]]:
    definition, module = document.definition(node.definition_id or ""), catalog.get(node.module)
    if definition is not None:
        return [each.id for each in definition.inputs], [each.id for each in definition.outputs]
    if module is None:
        return [], []
    return [each.id for each in module.inputs], [each.id for each in module.outputs]


def _free_port(taken: set[str], end: Endpoint) -> str:
    """The inner port's name, with its node's before it where that is taken."""
    if end.port not in taken:
        return end.port
    node = re.sub(r"^(?=[0-9])", "_", end.node.replace("-", "_"))
    return free_name(taken, f"{node}_{end.port}")


def _outside(inner: Node, around: Node, definition: Definition, node_id: str) -> Node:
    """A node of a sub-pipeline as it is beside the others, with the values it had inside."""
    bound = {
        name: around.parameters.get(parameter.id, parameter.default)
        for parameter in definition.parameters
        for path, name in map(halves, parameter.binds)
        if path == inner.id
    }
    settings: RunSettings = inner.run_settings
    outer = around.run_settings
    update = {
        "target": settings.target or outer.target,
        "regenerate_output": settings.regenerate_output or outer.regenerate_output,
    }
    return inner.model_copy(
        update={
            "id": node_id,
            "position": moved(inner.position, around.position.x, around.position.y),
            "parameters": {**inner.parameters, **bound},
            "run_settings": settings.model_copy(update=update),
            "disabled": inner.disabled or around.disabled,
        }
    )


def _joined(link: Link, node_id: str, definition: Definition, names: dict[str, str]) -> Link | None:
    """A link to or from the node, at the ports inside that it stood for."""
    source: Endpoint | None = link.from_
    target: Endpoint | None = link.to
    if link.from_.node == node_id:
        source = _inner_end(link.from_, definition.outputs, names)
    if link.to.node == node_id:
        target = _inner_end(link.to, definition.inputs, names)
    if source is None or target is None:
        return None
    return link.model_copy(update={"from_": source, "to": target})


def _inner_end(
    end: Endpoint, ports: tuple[DefinitionPort, ...], names: dict[str, str]
) -> Endpoint | None:
    port = next((each for each in ports if each.id == end.port), None)
    if port is None or port.node not in names:
        return None
    return Endpoint(node=names[port.node], port=port.port)


def _rebound(
    parameter: PipelineParameter, node_id: str, definition: Definition, names: dict[str, str]
) -> PipelineParameter:
    binds: list[str] = []
    inner = {each.id: each for each in definition.parameters}
    for bind in parameter.binds:
        path, name = halves(bind)
        first, _, rest = path.partition(SEPARATOR)
        if first != node_id:
            binds.append(bind)
        elif rest:
            binds += _outside_bind(f"{rest}.{name}", names)
        elif name in inner:
            binds += (bind for each in inner[name].binds for bind in _outside_bind(each, names))
    return parameter.model_copy(update={"binds": tuple(binds)})


def _reaching_further(
    document: PipelineDocument, node: Node, definition: Definition, names: dict[str, str]
) -> Iterator[PipelineParameter]:
    """Parameters bound to what lies deeper inside, with their values: no node beside holds them."""
    taken = {each.id for each in document.parameters}
    bound = {bind for each in document.parameters for bind in each.binds}
    for own in definition.parameters:
        deep = (bind for bind in own.binds if SEPARATOR in bind)
        binds = tuple(each for bind in deep for each in _outside_bind(bind, names))
        if binds and f"{node.id}.{own.id}" not in bound:
            name, value = free_name(taken, own.id), node.parameters.get(own.id, own.default)
            taken.add(name)
            yield own.model_copy(update={"id": name, "default": value, "binds": binds})


def _outside_bind(bind: str, names: dict[str, str]) -> Iterator[str]:
    """What a bind inside a sub-pipeline is beside its node; nothing where it leads nowhere."""
    first = outermost(halves(bind)[0])
    if first in names:
        yield f"{names[first]}{bind.removeprefix(first)}"


def _regrouped(group: Group, instead: dict[str, tuple[str, ...]]) -> Group:
    """With other nodes in place of some."""
    nodes = (each for node in group.nodes for each in instead.get(node, (node,)))
    return group.model_copy(update={"nodes": tuple(nodes)})


def _named(end: Endpoint, names: dict[str, str]) -> Endpoint:
    return end.model_copy(update={"node": names.get(end.node, end.node)})
