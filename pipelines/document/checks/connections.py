"""Compatibility of an output and an input, decided by one function."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from modules.artifacts import Artifact
from modules.catalog import Catalog
from modules.module_texts import type_words
from modules.sentences.sentence import Sentence, Statement
from modules.spec import Module, Port
from pipelines.document.checks.graph import fits
from pipelines.document.document import Endpoint, Link, PipelineDocument
from pipelines.problems import (
    INPUT_LINKED_TWICE,
    PIPELINE_HAS_CYCLE,
    PORT_TYPE_MISMATCH,
    UNKNOWN_MODULE,
    UNKNOWN_NODE,
    UNKNOWN_PORT,
    Kind,
    Problem,
)
from pipelines.sentences import wiring


@dataclass(frozen=True)
class LinkVerdict:
    """Verdict on a link; if it is not allowed, the problem and its message."""

    allowed: bool
    kind: Kind | None = None
    statement: Statement | None = None
    bridge: str | None = None
    """Single module that converts between the two types."""
    replaces: Link | None = None
    """Link replaced by the new one: an input has only one."""

    @property
    def reason(self) -> str:
        """Return the reason and the fix in one sentence."""
        if self.statement is None:
            return ""
        message, cure = self.statement.message, self.statement.cure
        return f"{message.removesuffix('.')}: {cure[:1].lower()}{cure[1:]}"

    def problem(self, to: Endpoint) -> Problem:
        """Return the problem that the link would cause at its input."""
        if self.kind is None or self.statement is None:
            raise ValueError("The ports can be connected.")
        remedy = {"insert": [self.bridge]} if self.bridge else None
        return Problem.of(self.kind, self.statement, node=to.node, port=to.port, remedy=remedy)


def may_link(
    document: PipelineDocument, catalog: Catalog, from_: Endpoint, to: Endpoint
) -> LinkVerdict:
    """Return the verdict on a new link from an output to an input."""
    ends = _ends(document, catalog, from_, to)
    if isinstance(ends, LinkVerdict):
        return ends
    source, output, target, input_ = ends
    if from_.node == to.node:
        return _refused(PIPELINE_HAS_CYCLE, wiring.FEEDS_ITSELF)
    existing = next((link for link in document.links if link.to == to), None)
    if existing and existing.from_ == from_:
        return _refused(INPUT_LINKED_TWICE, wiring.CONNECTED_ALREADY)
    if reaches(document.links, to.node, from_.node):
        titles = {"source": source.title, "target": target.title}
        return _refused(PIPELINE_HAS_CYCLE, wiring.WOULD_CLOSE_CIRCLE, **titles)
    if not fits(output.type, input_.type):
        reason, bridge = mismatch(catalog, source, output, target, input_)
        return LinkVerdict(False, PORT_TYPE_MISMATCH, reason, bridge)
    return LinkVerdict(True, replaces=existing)


def mismatch(
    catalog: Catalog, source: Module, output: Port, target: Module, input_: Port
) -> tuple[Statement, str | None]:
    """Return why two types are incompatible, and the id of the module that converts them."""
    facts = {
        "target": target.title,
        "needed": naming(input_.type),
        "source": source.title,
        "given": naming(output.type),
    }
    bridge = find_bridge(catalog, output.type, input_.type)
    if bridge is not None:
        return wiring.BRIDGED_TYPES.about({**facts, "bridge": bridge.title}), bridge.id
    makers = [
        module.title
        for module in catalog.modules
        if any(fits(port.type, input_.type) for port in module.outputs)
    ]
    if makers:
        return wiring.OTHER_OUTPUT_FITS.about({**facts, "makers": makers}), None
    return wiring.NOTHING_FITS.about(facts), None


def find_bridge(
    catalog: Catalog, output_type: type[Artifact], input_type: type[Artifact]
) -> Module | None:
    """Return the only module that converts the first type to the second, otherwise None."""
    bridges = [
        module
        for module in catalog.modules
        if any(fits(output_type, port.type) for port in module.inputs if module.bridges_at(port))
        and any(fits(port.type, input_type) for port in module.outputs)
    ]
    return bridges[0] if len(bridges) == 1 else None


def reaches(links: Iterable[Link], start: str, end: str) -> bool:
    """Return True if a path along the links leads from one node to the other."""
    following: dict[str, list[str]] = {}
    for link in links:
        following.setdefault(link.from_.node, []).append(link.to.node)
    waiting, seen = [start], {start}
    while waiting:
        node = waiting.pop()
        if node == end:
            return True
        fresh = set(following.get(node, ())) - seen
        seen |= fresh
        waiting.extend(fresh)
    return False


def _ends(
    document: PipelineDocument, catalog: Catalog, from_: Endpoint, to: Endpoint
) -> tuple[Module, Port, Module, Port] | LinkVerdict:
    nodes = {node.id: node.module for node in document.nodes}
    modules: list[Module] = []
    for end in (from_, to):
        if end.node not in nodes:
            return _refused(UNKNOWN_NODE, wiring.NO_NODE_DRAWN, name=end.node)
        module = catalog.get(nodes[end.node])
        if module is None:
            missing = nodes[end.node]
            return _refused(UNKNOWN_MODULE, wiring.MODULE_NOT_INSTALLED, module=missing)
        modules.append(module)
    source, target = modules
    output, input_ = source.output(from_.port), target.input(to.port)
    if output is None:
        names = {"module": source.title, "name": from_.port}
        return _refused(UNKNOWN_PORT, wiring.NO_OUTPUT_OF_MODULE, **names)
    if input_ is None:
        names = {"module": target.title, "name": to.port}
        return _refused(UNKNOWN_PORT, wiring.NO_INPUT_OF_MODULE, **names)
    return source, output, target, input_


def _refused(kind: Kind, sentence: Sentence, **facts: str) -> LinkVerdict:
    return LinkVerdict(False, kind, sentence.about(facts))


def naming(kind: type[Artifact]) -> Statement | str:
    """Return a type as in a sentence: ``a trained model``, ``scored images``."""
    words, shown = kind.in_words(), type_words(kind)
    if words.endswith("s"):
        return shown
    return (wiring.AN_TYPE if words[0] in "aeiou" else wiring.A_TYPE).about({"type": shown})
