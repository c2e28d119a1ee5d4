"""Validation of a document before it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from modules.catalog import Catalog
from modules.errors import NullOrEmptyError
from modules.sentences.sentence import Statement
from modules.spec import Module
from pipelines.document.checks.connections import mismatch, naming
from pipelines.document.checks.graph import Graph, cycle_problem, fits
from pipelines.document.checks.parameters import parameter_problems, parameters_of
from pipelines.document.checks.run_settings import run_setting_problems, unknown_target
from pipelines.document.checks.sub_pipelines import sub_pipeline_problems
from pipelines.document.checks.sweep import sweep_problems
from pipelines.document.document import Endpoint, Link, Node, PipelineDocument, duplicate_problems
from pipelines.document.expansion import Expansion
from pipelines.document.overrides import apply_overrides
from pipelines.document.target_offer import TargetOffer
from pipelines.problems import (
    EMPTY_PIPELINE,
    INPUT_LINKED_TWICE,
    MODULE_VERSION_MISSING,
    PORT_TYPE_MISMATCH,
    UNKNOWN_MODULE,
    UNKNOWN_NODE,
    UNKNOWN_PORT,
    Problem,
    bounded,
    did_you_mean,
)
from pipelines.sentences import wiring

__all__ = ["apply_overrides", "parameters_of", "validate"]


def validate(
    document: PipelineDocument,
    catalog: Catalog,
    targets: Mapping[str, TargetOffer] | None = None,
) -> list[Problem]:
    """Return the problems of a document, up to a limit; an empty list means that it can run.

    Sub-pipelines are expanded first: a node inside one is identified by its path. Disabled nodes
    are only checked for the structure of the graph, as are nodes that only pinned ones would read.
    Without ``targets``, run settings are not
    compared with the capabilities of a compute target.
    """
    return bounded(_problems(document, catalog, targets))


def _problems(
    document: PipelineDocument, catalog: Catalog, targets: Mapping[str, TargetOffer] | None
) -> Iterator[Problem]:
    yield from duplicate_problems(document)
    expansion = Expansion(document)
    yield from sub_pipeline_problems(expansion, catalog)
    yield from sweep_problems(document, catalog, "warning")
    document = expansion.document
    graph = Graph(document, catalog)
    yield from _link_problems(graph)
    cycle = graph.cycle()
    if cycle:
        yield cycle_problem(cycle, graph.titles)
    if not graph.active_nodes:
        yield Problem.of(EMPTY_PIPELINE, wiring.NOTHING_TO_RUN)
    if targets is not None and document.settings.target not in targets:
        yield unknown_target(document.settings.target, targets)
    for node in document.nodes:
        if not node.disabled and node.id not in graph.unneeded:
            yield from _node_problems(node, graph, targets, expansion)


def _node_problems(
    node: Node,
    graph: Graph,
    targets: Mapping[str, TargetOffer] | None,
    expansion: Expansion,
) -> Iterator[Problem]:
    if node.definition_id is not None:
        return  # could not be expanded, already reported
    module = graph.catalog.get(node.module)
    if module is None:
        yield _unknown_module(node, graph.catalog)
        return
    if node.version != module.version:
        yield _other_version(node, module)
    yield from parameter_problems(node, module, graph.document)
    yield from _missing_inputs(node, module, graph, expansion)
    yield from run_setting_problems(node, module, graph.document, targets)


def _unknown_module(node: Node, catalog: Catalog) -> Problem:
    module_ids = [module.id for module in catalog.modules]
    return Problem.of(
        UNKNOWN_MODULE,
        wiring.NO_MODULE_OF_NODE,
        module=node.module,
        help=did_you_mean(node.module, module_ids),
        node=node.id,
    )


def _other_version(node: Node, module: Module) -> Problem:
    older = node.version < module.version
    return Problem.of(
        MODULE_VERSION_MISSING,
        wiring.OLDER_VERSION if older else wiring.NEWER_VERSION,
        version=node.version,
        module=module.title,
        installed=module.version,
        node=node.id,
        remedy={"upgrade": node.id} if older else None,
    )


def _missing_inputs(
    node: Node, module: Module, graph: Graph, expansion: Expansion
) -> Iterator[Problem]:
    """Problems of required inputs; of one that a sub-pipeline's port leads to, at that port."""
    if node.is_pinned:
        return
    connected, links = graph.inputs(node.id), graph.links_into[node.id]
    for port in module.inputs:
        if port.optional or port.id in connected:
            continue
        if port.id in links:
            source = graph.titles[links[port.id].from_.node]
            statement = wiring.GETS_NOTHING.about({"input": port.label, "source": source})
        else:
            facts = {"input": port.label, "type": naming(port.type)}
            statement = wiring.NOT_CONNECTED.about(facts)
        end = expansion.entrance(Endpoint.model_construct(node=node.id, port=port.id))
        yield Problem.of(NullOrEmptyError, statement, node=end.node, port=end.port)


def _link_problems(graph: Graph) -> Iterator[Problem]:
    targets: set[tuple[str, str]] = set()
    for link in graph.document.links:
        faults = [*_unknown_ends(link, graph)]
        yield from faults
        if faults:
            continue
        target = (link.to.node, link.to.port)
        if target in targets:
            yield Problem.of(
                INPUT_LINKED_TWICE,
                wiring.TWO_LINKS,
                input=_label_of(link.to, graph),
                source=graph.titles[link.from_.node],
                node=link.to.node,
                port=link.to.port,
            )
            continue
        targets.add(target)
        yield from _type_problems(link, graph)


def _label_of(end: Endpoint, graph: Graph) -> str:
    node = graph.nodes.get(end.node)
    module = graph.catalog.get(node.module) if node else None
    port = module and (module.input(end.port) or module.output(end.port))
    return port.label if port else end.port


def _unknown_ends(link: Link, graph: Graph) -> Iterator[Problem]:
    for end, side in ((link.from_, "output"), (link.to, "input")):
        node = graph.nodes.get(end.node)
        if node is None:
            yield _no_node(link, side, graph)
            continue
        module = graph.catalog.get(node.module)
        ports = () if module is None else module.outputs if side == "output" else module.inputs
        if module is not None and end.port not in [port.id for port in ports]:
            yield Problem.of(
                UNKNOWN_PORT,
                wiring.LINK_NO_OUTPUT if side == "output" else wiring.LINK_NO_INPUT,
                module=module.title,
                name=end.port,
                help=did_you_mean(end.port, [port.id for port in ports]),
                node=end.node,
                port=end.port,
                remedy={"disconnect": {"node": link.to.node, "port": link.to.port}},
            )


def _no_node(link: Link, side: str, graph: Graph) -> Problem:
    if side == "output":
        statement = wiring.LINK_FROM_NO_NODE.about(
            {"to": _port_of(link.to, graph), "name": link.from_.node}
        )
    else:
        statement = wiring.LINK_TO_NO_NODE.about(
            {"source": _port_of(link.from_, graph), "name": link.to.node}
        )
    remedy = {"disconnect": {"node": link.to.node, "port": link.to.port}}
    return Problem.of(UNKNOWN_NODE, statement, remedy=remedy)


def _port_of(end: Endpoint, graph: Graph) -> Statement:
    """Return ``port_of`` with known titles."""
    title = graph.titles.get(end.node, end.node)
    return wiring.PORT_OF.about({"node": title, "port": _label_of(end, graph)})


def _type_problems(link: Link, graph: Graph) -> Iterator[Problem]:
    modules = [graph.catalog.get(graph.nodes[end.node].module) for end in (link.from_, link.to)]
    source, target = modules
    if source is None or target is None:
        return
    output, input_ = source.output(link.from_.port), target.input(link.to.port)
    if output is None or input_ is None or fits(output.type, input_.type):
        return
    reason, bridge = mismatch(graph.catalog, source, output, target, input_)
    yield Problem.of(
        PORT_TYPE_MISMATCH,
        reason,
        node=link.to.node,
        port=link.to.port,
        remedy={"insert": [bridge]} if bridge else None,
    )
