"""Graph of a document: order, cycles, sources behind disabled nodes, nodes before pinned ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from modules.artifacts import Artifact
from modules.catalog import Catalog
from pipelines.document.binds import halves, outermost
from pipelines.document.document import Endpoint, Link, Node, PipelineDocument, PipelineParameter
from pipelines.document.node_titles import node_titles
from pipelines.problems import PIPELINE_HAS_CYCLE, PipelineError, Problem
from pipelines.sentences import wiring

if TYPE_CHECKING:
    import networkx as nx


class Graph:
    """Graph of a document for a catalog; broken parts are ignored and never raise.

    Ignored are links with missing nodes or unknown ports, and the second link to an input.
    ``pipelines.document.checks.validate`` reports them.
    """

    def __init__(self, document: PipelineDocument, catalog: Catalog) -> None:
        self.document = document
        self.catalog = catalog

    @cached_property
    def nodes(self) -> Mapping[str, Node]:
        """Return nodes by id, in document order; the first of each id."""
        nodes: dict[str, Node] = {}
        for node in self.document.nodes:
            nodes.setdefault(node.id, node)
        return nodes

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Return titles by node id."""
        return node_titles(self.nodes.values(), self.catalog)

    @cached_property
    def active_nodes(self) -> tuple[str, ...]:
        """Return the ids of the enabled nodes, in document order."""
        return tuple(node.id for node in self.document.nodes if not node.disabled)

    @cached_property
    def unneeded(self) -> frozenset[str]:
        """Return the enabled nodes that only pinned nodes would read: runs do not compute them.

        Empty if there is a cycle.
        """
        readers: dict[str, list[str]] = {node_id: [] for node_id in self.nodes}
        pinned = {node_id for node_id in self.active_nodes if self.nodes[node_id].is_pinned}
        if not pinned or self.cycle() is not None:
            return frozenset()
        for node_id in self.active_nodes:
            for end in self.inputs(node_id).values():
                readers[end.node].append(node_id)
        unneeded: set[str] = set()
        for node_id in reversed(self.order):
            is_read = bool(readers[node_id]) and node_id not in pinned
            if is_read and all(reader in pinned | unneeded for reader in readers[node_id]):
                unneeded.add(node_id)
        return frozenset(unneeded)

    @cached_property
    def computed_nodes(self) -> tuple[str, ...]:
        """Return the enabled nodes that a whole run computes or has pinned results of."""
        return tuple(node_id for node_id in self.active_nodes if node_id not in self.unneeded)

    @cached_property
    def links_into(self) -> Mapping[str, Mapping[str, Link]]:
        """Return the valid links by target node and port."""
        links: dict[str, dict[str, Link]] = {node_id: {} for node_id in self.nodes}
        for link in self.document.links:
            if self._is_usable(link):
                links[link.to.node].setdefault(link.to.port, link)
        return links

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Return all node ids in topological order, otherwise in document order.

        Raises ``PipelineError`` if there is a cycle.
        """
        import networkx as nx

        positions = {node_id: position for position, node_id in enumerate(self.nodes)}
        try:
            return tuple(nx.lexicographical_topological_sort(self._wires, positions.__getitem__))
        except nx.NetworkXUnfeasible:
            raise PipelineError([cycle_problem(self.cycle() or [], self.titles)]) from None

    def cycle(self) -> list[str] | None:
        """Return a shortest cycle through the first node in a cycle, along its links; or None."""
        import networkx as nx

        wires = self._wires
        if nx.is_directed_acyclic_graph(wires):  # nx.find_cycle takes seconds for 1,000 nodes
            return None
        positions = {node_id: position for position, node_id in enumerate(self.nodes)}
        knots = [
            knot
            for knot in nx.strongly_connected_components(wires)
            if len(knot) > 1 or wires.has_edge(*(2 * tuple(knot)))
        ]
        first = min((node_id for knot in knots for node_id in knot), key=positions.__getitem__)
        paths: dict[str, list[str]] = nx.single_source_shortest_path(wires, first)
        back = [paths[node_id] for node_id in wires.predecessors(first) if node_id in paths]
        return min(back, key=lambda path: len(path))

    def inputs(self, node_id: str) -> Mapping[str, Endpoint]:
        """Return the output that feeds each linked input of a node, skipping disabled nodes.

        A disabled node passes on its only input that fits the output's type. If there is none or
        several, the inputs behind it are missing here.
        """
        return self._resolved.get(node_id, {})

    def upstream(self, node_id: str) -> frozenset[str]:
        """Return the enabled nodes whose outputs reach a node, without the node itself.

        A pinned node needs no others.
        """
        import networkx as nx

        return frozenset(nx.ancestors(self._dependencies, node_id)) - {node_id}

    def subgraph_to(self, *node_ids: str) -> tuple[str, ...]:
        """Return the enabled ones of these nodes and all that they need, in execution order."""
        needed = {
            needed_id for node_id in node_ids for needed_id in (node_id, *self.upstream(node_id))
        }
        active = needed & set(self.active_nodes)
        return tuple(node_id for node_id in self.order if node_id in active)

    @cached_property
    def _wires(self) -> nx.DiGraph[str]:
        """Return nodes and links as drawn, including disabled ones."""
        import networkx as nx

        wires: nx.DiGraph[str] = nx.DiGraph()
        wires.add_nodes_from(self.nodes)
        for links in self.links_into.values():
            wires.add_edges_from((link.from_.node, link.to.node) for link in links.values())
        return wires

    @cached_property
    def _dependencies(self) -> nx.DiGraph[str]:
        """Return the nodes that run, and the links between them, skipping disabled nodes."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        for node_id in self.active_nodes:
            ends = () if self.nodes[node_id].is_pinned else self.inputs(node_id).values()
            graph.add_edges_from((end.node, node_id) for end in ends)
        return graph

    @cached_property
    def _resolved(self) -> Mapping[str, Mapping[str, Endpoint]]:
        return {node_id: self._resolve_inputs(node_id) for node_id in self.active_nodes}

    def _resolve_inputs(self, node_id: str) -> Mapping[str, Endpoint]:
        resolved: dict[str, Endpoint] = {}
        for port, link in self.links_into[node_id].items():
            source = self._source(link.from_)
            if source is not None:
                resolved[port] = source
        return resolved

    def _source(self, end: Endpoint) -> Endpoint | None:
        """Return the output of an enabled node that feeds an output."""
        passed: set[str] = set()
        while self.nodes[end.node].disabled:
            link = None if end.node in passed else self._bypass(end)
            if link is None:
                return None
            passed.add(end.node)
            end = link.from_
        return end

    def _bypass(self, end: Endpoint) -> Link | None:
        """Return the link into a disabled node that replaces one of its outputs."""
        module = self.catalog.get(self.nodes[end.node].module)
        output = module.output(end.port) if module else None
        if module is None or output is None:
            return None
        fitting = [port.id for port in module.inputs if issubclass(port.type, output.type)]
        return self.links_into[end.node].get(fitting[0]) if len(fitting) == 1 else None

    def _is_usable(self, link: Link) -> bool:
        source, target = self.nodes.get(link.from_.node), self.nodes.get(link.to.node)
        if source is None or target is None:
            return False
        source_module, target_module = (self.catalog.get(n.module) for n in (source, target))
        has_output = source_module is None or source_module.output(link.from_.port) is not None
        has_input = target_module is None or target_module.input(link.to.port) is not None
        return has_output and has_input


def part_to(document: PipelineDocument, node_id: str | None) -> PipelineDocument:
    """Return a node and everything upstream of it; without a node the whole document.

    A run to that node is checked and planned with this part: the rest may be incomplete.
    """
    node_id = outermost(node_id) if node_id else None  # all nodes of a sub-pipeline
    if node_id is None or document.node(node_id) is None:
        return document
    needed, waiting = {node_id}, [node_id]
    sources: dict[str, list[str]] = {}
    for link in document.links:
        sources.setdefault(link.to.node, []).append(link.from_.node)
    while waiting:
        new = set(sources.get(waiting.pop(), ())) - needed
        needed |= new
        waiting += new
    return document.model_copy(
        update={
            "nodes": tuple(node for node in document.nodes if node.id in needed),
            "links": tuple(link for link in document.links if link.to.node in needed),
            "notes": (),
            "groups": (),
            "parameters": tuple(_bound_to(document, needed)),
        }
    )


def without_uncomputed(document: PipelineDocument, catalog: Catalog) -> PipelineDocument:
    """Return the document with what pins keep from being computed disabled.

    For checks of what only computed nodes need: data, models, environments. Its sub-pipelines are
    expanded.
    """
    left_out = uncomputed_nodes(document, catalog)
    if not left_out:
        return document
    nodes = (
        node.model_copy(update={"disabled": True}) if node.id in left_out else node
        for node in document.nodes
    )
    return document.model_copy(update={"nodes": tuple(nodes)})


def uncomputed_nodes(document: PipelineDocument, catalog: Catalog) -> frozenset[str]:
    """Return the enabled nodes that are pinned, or that only pinned nodes would read."""
    pinned = frozenset(node.id for node in document.nodes if node.is_pinned)
    return pinned | Graph(document, catalog).unneeded if pinned else pinned


def _bound_to(document: PipelineDocument, nodes: set[str]) -> Iterator[PipelineParameter]:
    """Return the parameters that affect these nodes."""
    for parameter in document.parameters:
        binds = tuple(bind for bind in parameter.binds if outermost(halves(bind)[0]) in nodes)
        if binds:
            yield parameter.model_copy(update={"binds": binds})


def fits(output_type: type[Artifact], input_type: type[Artifact]) -> bool:
    """Return True if a link may connect the types."""
    return issubclass(output_type, input_type)


def cycle_problem(node_ids: list[str], titles: Mapping[str, str]) -> Problem:
    """Return the problem of a cycle, with its nodes."""
    way = [titles[node_id] for node_id in node_ids]
    shown = [*way[:10], "..."] if len(way) > 10 else [*way, *way[:1]]
    return Problem.of(
        PIPELINE_HAS_CYCLE,
        wiring.CIRCLE,
        way=" -> ".join(shown),
        node=node_ids[0] if node_ids else None,
    )
