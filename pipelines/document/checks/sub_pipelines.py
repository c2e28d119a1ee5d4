"""Validation of sub-pipelines and pipeline parameters, before expansion."""

from __future__ import annotations

from collections.abc import Iterator

from modules.catalog import Catalog
from modules.sentences.sentence import Facts
from pipelines.document.binds import SEPARATOR, halves
from pipelines.document.document import (
    Definition,
    Endpoint,
    Link,
    Node,
    PipelineParameter,
    RunSettings,
)
from pipelines.document.expansion import MAX_NODES, Expansion, Placement, Side
from pipelines.document.named_parameters import named_parameters
from pipelines.document.parts import MAX_DEPTH
from pipelines.problems import (
    DEFINITION_HAS_CYCLE,
    DOCUMENT_TOO_LARGE,
    PIN_NOT_ALLOWED,
    SETTING_UNAVAILABLE,
    UNBOUND_PARAMETER,
    UNKNOWN_DEFINITION,
    UNKNOWN_PARAMETER,
    UNKNOWN_PORT,
    Problem,
    did_you_mean,
)
from pipelines.sentences import pins
from pipelines.sentences import sub_pipelines as sentences

_INHERITED = ("target", "regenerate_output")


def sub_pipeline_problems(expansion: Expansion, catalog: Catalog) -> Iterator[Problem]:
    """Return one problem per error, at the path of the node that contains a sub-pipeline."""
    if expansion.is_too_large:
        yield Problem.of(DOCUMENT_TOO_LARGE, sentences.TOO_MANY_NODES, most=MAX_NODES)
        return
    checked: set[str] = set()
    for placement in expansion.placements:
        whole = placement.whole
        for node in whole.nodes:
            if node.definition_id is not None and not node.disabled:
                yield from _node_problems(node, placement, expansion)
        if isinstance(whole, Definition):
            if whole.id in checked:  # errors of a definition itself are reported at its first use
                continue
            checked.add(whole.id)
            yield from _shared_pins(placement, whole, expansion)
            yield from _port_problems(placement, whole, expansion, catalog)
        yield from _parameter_problems(placement, expansion, catalog)
        for link in whole.links if expansion.usable else ():
            yield from _link_problems(link, placement, expansion)


def _node_problems(node: Node, placement: Placement, expansion: Expansion) -> Iterator[Problem]:
    name, path = node.definition_id or "", f"{placement.prefix}{node.id}"
    definition_ids = [definition.id for definition in expansion.source.definitions]
    if name not in definition_ids:
        sentence, cure = sentences.NO_DEFINITION, did_you_mean(name, definition_ids)
        yield Problem.of(UNKNOWN_DEFINITION, sentence, node=path, definition=name, cure=cure)
        return
    definition = expansion.definition_of(node)
    if definition is None:
        facts: Facts = {"definition": name, "levels": MAX_DEPTH}
        yield Problem.of(DEFINITION_HAS_CYCLE, sentences.DEFINITION_IN_CIRCLE, node=path, **facts)
        return
    parameters = [parameter.id for parameter in definition.parameters]
    for parameter_id in node.parameters:
        if parameter_id not in parameters:
            yield Problem.of(
                UNKNOWN_PARAMETER,
                sentences.NO_SUCH_PARAMETER,
                node=path,
                parameter=parameter_id,
                remedy={"reset": parameter_id},
                definition=definition.title or definition.id,
                named=parameter_id,
                cure=did_you_mean(parameter_id, parameters),
            )
    yield from _run_setting_problems(node, path)
    if node.pin is not None:
        yield Problem.of(
            PIN_NOT_ALLOWED, pins.PIN_OF_SUB_PIPELINE, node=path, remedy={"unpin": path}
        )


def _run_setting_problems(node: Node, path: str) -> Iterator[Problem]:
    """Report counts and limits: they belong to the inner nodes and would be ignored here."""
    for name, field in RunSettings.model_fields.items():
        unset = field.get_default(call_default_factory=True)
        if name not in _INHERITED and getattr(node.run_settings, name) != unset:
            yield Problem.of(
                SETTING_UNAVAILABLE,
                sentences.SETTING_OF_NODES_INSIDE,
                node=path,
                parameter=name,
                remedy={"clear": name},
                setting=name.replace("_", " "),
            )


def _shared_pins(
    placement: Placement, definition: Definition, expansion: Expansion
) -> Iterator[Problem]:
    """Report pinned nodes of a sub-pipeline with several places, whose results would differ."""
    count = sum(other.whole is definition for other in expansion.placements)
    for node in definition.nodes if count > 1 else ():
        if node.is_pinned:
            path = f"{placement.prefix}{node.id}"
            yield Problem.of(
                PIN_NOT_ALLOWED,
                pins.PIN_SHARED,
                node=path,
                remedy={"unpin": path},
                count=count,
            )


def _port_problems(
    placement: Placement, definition: Definition, expansion: Expansion, catalog: Catalog
) -> Iterator[Problem]:
    """Report ports of a sub-pipeline without an inner port."""
    path = placement.prefix.rstrip("/")
    sides: tuple[Side, ...] = ("inputs", "outputs")
    for side in sides:
        for port in getattr(definition, side):
            inner = Endpoint(node=port.node, port=port.port)
            if not _has_port(inner, side, placement, expansion, catalog):
                yield Problem.of(
                    UNKNOWN_PORT,
                    sentences.PORT_STANDS_FOR_NOTHING,
                    node=path,
                    port=port.id,
                    definition=definition.title or definition.id,
                    named=port.id,
                    end=str(inner),
                )


def _has_port(
    end: Endpoint, side: Side, placement: Placement, expansion: Expansion, catalog: Catalog
) -> bool:
    """Return False if a node or its port is missing; unknown ones are reported elsewhere."""
    node = expansion.node(placement, end.node)
    if node is None:
        return False
    definition = expansion.definition_of(node)
    if definition is not None:
        return any(port.id == end.port for port in getattr(definition, side))
    module = catalog.get(node.module)
    return module is None or any(port.id == end.port for port in getattr(module, side))


def _parameter_problems(
    placement: Placement, expansion: Expansion, catalog: Catalog
) -> Iterator[Problem]:
    """Report parameters that are bound to nothing, and two that are bound to the same."""
    path = placement.prefix.rstrip("/") or None
    bound: dict[str, str] = {}
    named = named_parameters(placement.whole.nodes, expansion.source.definitions)
    for parameter in placement.whole.parameters:
        title = parameter.title or parameter.id
        if not parameter.binds and parameter.id not in named:
            sentence = sentences.PARAMETER_UNBOUND
            yield Problem.of(
                UNBOUND_PARAMETER, sentence, node=path, severity="warning", title=title
            )
        for bind in parameter.binds:
            first = bound.setdefault(bind, parameter.id)
            if first != parameter.id:
                facts: Facts = {"title": title, "bind": bind, "first": first}
                yield Problem.of(UNBOUND_PARAMETER, sentences.BOUND_TWICE, node=path, **facts)
            yield from _bind_problems(bind, parameter, placement, expansion, catalog)


def _bind_problems(
    bind: str,
    parameter: PipelineParameter,
    placement: Placement,
    expansion: Expansion,
    catalog: Catalog,
) -> Iterator[Problem]:
    """Report the first obstacle on the path of a bind."""
    path, name = halves(bind)
    *around, node_id = path.split(SEPARATOR)
    facts: Facts = {"title": parameter.title or parameter.id, "bind": bind}
    at = placement
    for container_id in around:
        node = expansion.node(at, container_id)
        definition = expansion.definition_of(node) if node else None
        if node is None or definition is None:
            yield from _way_problems(node, container_id, at, facts)
            return
        at = Placement(f"{at.prefix}{container_id}{SEPARATOR}", definition, {})
        yield from _preset_problems(
            bind.removeprefix(at.prefix[len(placement.prefix) :]), at, facts
        )
    node = expansion.node(at, node_id)
    if node is None:
        yield _no_node(node_id, at, facts)
        return
    names = _parameter_names(node, expansion, catalog)
    if names is not None and name not in names:
        sentence, cure = sentences.BOUND_TO_NO_PARAMETER, did_you_mean(name, names)
        yield Problem.of(
            UNBOUND_PARAMETER, sentence, node=f"{at.prefix}{node_id}", **facts, cure=cure
        )


def _way_problems(
    node: Node | None, node_id: str, at: Placement, facts: Facts
) -> Iterator[Problem]:
    """Report an invalid path; errors of a sub-pipeline are reported at its use."""
    if node is None:
        yield _no_node(node_id, at, facts)
    elif node.definition_id is None:
        path = f"{at.prefix}{node_id}"
        statement = sentences.BOUND_INSIDE_A_MODULE.about({**facts, "node": path})
        yield Problem.of(UNBOUND_PARAMETER, statement, node=path)


def _preset_problems(bind: str, at: Placement, facts: Facts) -> Iterator[Problem]:
    """Report a sub-pipeline on the path that sets the value with its own parameter."""
    path = at.prefix.rstrip(SEPARATOR)
    for own in at.whole.parameters:
        if bind in own.binds:
            instead = {"instead": f"{path}.{own.id}", "inner": own.title or own.id}
            statement = sentences.GIVEN_INSIDE.about({**facts, **instead, "node": path})
            yield Problem.of(UNBOUND_PARAMETER, statement, node=path)


def _no_node(node_id: str, at: Placement, facts: Facts) -> Problem:
    cure = did_you_mean(node_id, [node.id for node in at.whole.nodes])
    path, sentence = at.prefix.rstrip(SEPARATOR) or None, sentences.BOUND_TO_NO_NODE
    return Problem.of(UNBOUND_PARAMETER, sentence, node=path, **facts, cure=cure)


def _parameter_names(node: Node, expansion: Expansion, catalog: Catalog) -> list[str] | None:
    """Return the parameters of a node; None if unknown."""
    definition, module = expansion.definition_of(node), catalog.get(node.module)
    if definition is not None:
        return [parameter.id for parameter in definition.parameters]
    return list(module.parameters_type.model_fields) if module else None


def _link_problems(link: Link, placement: Placement, expansion: Expansion) -> Iterator[Problem]:
    """Report links to ports that a sub-pipeline lacks; those of modules are reported elsewhere."""
    ends: tuple[tuple[Endpoint, Side], ...] = ((link.from_, "outputs"), (link.to, "inputs"))
    for end, side in ends:
        node = expansion.node(placement, end.node)
        definition = expansion.definition_of(node) if node else None
        if definition is None:
            continue
        ports = [port.id for port in getattr(definition, side)]
        if end.port not in ports:
            to = link.to.model_copy(update={"node": f"{placement.prefix}{link.to.node}"})
            yield Problem.of(
                UNKNOWN_PORT,
                sentences.NO_SUCH_PORT,
                node=f"{placement.prefix}{end.node}",
                port=end.port,
                remedy={"disconnect": to.model_dump()},
                definition=definition.title or definition.id,
                side=side.removesuffix("s"),
                named=end.port,
                cure=did_you_mean(end.port, ports),
            )
