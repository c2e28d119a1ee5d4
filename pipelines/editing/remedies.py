"""The cure of a problem as an edit: what its button does. The browser has the same.

A problem's ``remedy`` is one of

    {"set": {parameter: value}}              {"reset": parameter}
    {"run_settings": {name: value}}          {"upgrade": node}
    {"disconnect": {"node", "port"}}         {"clear": run setting}
    {"insert": [module ids], "parameters": {module id: {...}}}
    {"across": {"module": id, "ports": [input, input]}}

``set`` changes the problem's node or, where that has no such parameter, the nearest one before it
that has: a training trips over what was chosen at its model. Of equally near ones it is that before
the problem's port. ``insert`` puts modules on the link
that ends at the problem's port; one that does not fit there feeds the next that does. The node's
other linked inputs of the same type get the same treatment, fed by the same nodes. ``across`` puts
one module on several links at once, output by output.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

from modules.catalog import Catalog
from pipelines.documents.document import Endpoint, Node, PipelineDocument, RunSettings
from pipelines.documents.node_titles import port_of
from pipelines.editing.edits import (
    add_node,
    connect,
    disconnect,
    module_of,
    move_nodes,
    node_of,
    reset_parameter,
    set_parameter,
    set_run_settings,
    upgrade_node,
)
from pipelines.editing.insertions import insert_on_link
from pipelines.problems import PORT_TYPE_MISMATCH, PipelineError
from pipelines.sentences import wiring
from pipelines.validation.graph import fits

COLUMN, ROW = 260.0, 150.0
"""Pixels from a column of nodes to the next, and from a node to the one below it."""


@dataclass(frozen=True)
class Remedy:
    """What a button says, and the document after it was pressed."""

    label: str
    document: PipelineDocument


def remedy_of(
    problem: Mapping[str, Any], document: PipelineDocument, catalog: Catalog
) -> Remedy | None:
    """The cure of a problem (as JSON); None where no button can do it, or no more."""
    remedy, node = problem.get("remedy"), problem.get("node")
    if not isinstance(remedy, Mapping):
        return None
    try:
        return _cured(remedy, node, problem.get("port"), document, catalog)
    except (PipelineError, LookupError, TypeError, ValueError, AttributeError):  # it has changed
        return None


def _cured(
    remedy: Mapping[str, Any],
    node: str | None,
    port: str | None,
    document: PipelineDocument,
    catalog: Catalog,
) -> Remedy | None:
    if "disconnect" in remedy:
        return Remedy("Remove the wire", disconnect(document, Endpoint(**remedy["disconnect"])))
    if "upgrade" in remedy:
        return Remedy("Upgrade the node", upgrade_node(document, catalog, remedy["upgrade"]))
    if node is None:
        return None
    if "set" in remedy:
        return _set(remedy["set"], node, port, document, catalog)
    if "reset" in remedy:
        return Remedy("Reset", reset_parameter(document, node, remedy["reset"]))
    if "run_settings" in remedy:
        settings = remedy["run_settings"]
        words = ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in settings.items())
        return Remedy(f"Set {words}", set_run_settings(document, node, settings))
    if "clear" in remedy:
        name = str(remedy["clear"])
        unset = {name: RunSettings.model_fields[name].get_default(call_default_factory=True)}
        cured = set_run_settings(document, node, unset)
        return Remedy(f"Clear {name.replace('_', ' ')}", cured)
    if "across" in remedy:
        across = remedy["across"]
        title = module_of(catalog, across["module"]).title
        cured = insert_across(document, catalog, across["module"], node, across["ports"])
        return Remedy(f"Insert {title}", cured)
    if "insert" in remedy and port is not None:
        titles = ", ".join(module_of(catalog, each).title for each in remedy["insert"])
        end = Endpoint(node=node, port=port)
        parameters = remedy.get("parameters", {})
        cured = insert_chain(document, catalog, remedy["insert"], end, parameters)
        return Remedy(f"Insert {titles}", cured)
    return None


def _set(
    values: Mapping[str, Any],
    node: str,
    port: str | None,
    document: PipelineDocument,
    catalog: Catalog,
) -> Remedy | None:
    owner = _owner(values.keys(), node, port, document, catalog)
    if owner is None:
        return None
    module = module_of(catalog, owner.module)
    words = []
    for name, value in values.items():
        document = set_parameter(document, catalog, owner.id, name, value)
        title = module.parameters_type.model_fields[name].title or name
        words.append(f"{title} {value if isinstance(value, str) else json.dumps(value)}")
    where = "" if owner.id == node else f" at {owner.title or module.title}"
    return Remedy(f"Set {', '.join(words)}{where}", document)


def _owner(
    names: Set[str],
    node: str,
    port: str | None,
    document: PipelineDocument,
    catalog: Catalog,
) -> Node | None:
    """The node, or the nearest one before it, whose module has all these parameters."""
    way = [node]
    for each in way:  # grows as it goes: breadth first
        found = node_of(document, each)
        module = catalog.get(found.module)
        if module is not None and names <= module.parameters_type.model_fields.keys():
            return found
        into = [link for link in document.links if link.to.node == each]
        into.sort(key=lambda link: (link.to.node, link.to.port) != (node, port))
        before = [link.from_.node for link in into]
        way += [other for other in dict.fromkeys(before) if other not in way]
    return None


def insert_across(
    document: PipelineDocument, catalog: Catalog, module_id: str, node: str, ports: Iterable[str]
) -> PipelineDocument:
    """With one node on several links: its first input and output on the first link, and so on."""
    module, place = module_of(catalog, module_id), node_of(document, node).position
    sources = {link.to: link.from_ for link in document.links}
    document = _move_away(document, node, COLUMN)
    document = add_node(document, catalog, module_id, place.x, place.y)
    added = document.nodes[-1].id
    for port, entrance, exit_ in zip(ports, module.inputs, module.outputs, strict=False):
        end = Endpoint(node=node, port=port)
        document = connect(document, catalog, sources[end], Endpoint(node=added, port=entrance.id))
        document = connect(document, catalog, Endpoint(node=added, port=exit_.id), end)
    return document


def insert_chain(
    document: PipelineDocument,
    catalog: Catalog,
    module_ids: Iterable[str],
    to: Endpoint,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
) -> PipelineDocument:
    """With the modules on the link that ends at ``to``, and on those of its siblings."""
    place, feeders = node_of(document, to.node).position, list[str]()
    modules = list(module_ids)
    for column, module_id in enumerate(modules):
        left = place.x + column * COLUMN
        if not _fits_on(document, catalog, module_id, to):
            document = add_node(document, catalog, module_id, left, place.y - ROW)
            feeders.append(document.nodes[-1].id)
            continue
        for row, end in enumerate(_siblings(document, catalog, to)):
            document = insert_on_link(document, catalog, module_id, end)
            added = document.nodes[-1].id
            document = move_nodes(document, {added: (left, place.y + row * ROW)})
            document = _fed(document, catalog, added, feeders)
    if len(feeders) == len(modules):
        raise PipelineError.of(
            PORT_TYPE_MISMATCH, wiring.NONE_FITS_ON_LINK, to=port_of(document, catalog, to)
        )
    document = _move_away(document, to.node, len(modules) * COLUMN)
    return _with_parameters(document, catalog, feeders, parameters or {})


def _move_away(document: PipelineDocument, node: str, pixels: float) -> PipelineDocument:
    """With a node and all that follows it further right: room for what comes before it."""
    following, waiting = {node}, [node]
    while waiting:
        current = waiting.pop()
        after = {link.to.node for link in document.links if link.from_.node == current}
        waiting.extend(after - following)
        following |= after
    places = {each: node_of(document, each).position for each in following}
    return move_nodes(document, {each: (p.x + pixels, p.y) for each, p in places.items()})


def _fits_on(document: PipelineDocument, catalog: Catalog, module_id: str, to: Endpoint) -> bool:
    module = module_of(catalog, module_id)
    wanted = module_of(catalog, node_of(document, to.node).module).input(to.port)
    return wanted is not None and any(fits(wanted.type, port.type) for port in module.inputs)


def _siblings(document: PipelineDocument, catalog: Catalog, to: Endpoint) -> list[Endpoint]:
    """The linked inputs of a node that have the type of one of them; that one first."""
    module = module_of(catalog, node_of(document, to.node).module)
    wanted = module.input(to.port)
    linked = {link.to for link in document.links}
    ends = [Endpoint(node=to.node, port=port.id) for port in module.inputs]
    alike = [e for e in ends if (p := module.input(e.port)) and wanted and p.type is wanted.type]
    return sorted((each for each in alike if each in linked), key=lambda each: each != to)


def _fed(
    document: PipelineDocument, catalog: Catalog, node: str, feeders: Iterable[str]
) -> PipelineDocument:
    """With each feeder's output on the node's first free input that takes it."""
    module = module_of(catalog, node_of(document, node).module)
    for feeder in feeders:
        output = module_of(catalog, node_of(document, feeder).module).outputs[0]
        taken = {link.to.port for link in document.links if link.to.node == node}
        free = [p for p in module.inputs if p.id not in taken and fits(output.type, p.type)]
        if free:
            start = Endpoint(node=feeder, port=output.id)
            document = connect(document, catalog, start, Endpoint(node=node, port=free[0].id))
    return document


def _with_parameters(
    document: PipelineDocument,
    catalog: Catalog,
    nodes: Iterable[str],
    parameters: Mapping[str, Mapping[str, Any]],
) -> PipelineDocument:
    for node in nodes:
        for name, value in parameters.get(node_of(document, node).module, {}).items():
            document = set_parameter(document, catalog, node, name, value)
    return document
