"""May this output be connected to that input? One function decides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from modules.artifacts import Artifact
from modules.catalog import Catalog
from modules.errors import examples
from modules.spec import Module, Port
from pipelines.documents.document import Endpoint, Link, PipelineDocument
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
from pipelines.validation.graph import fits


@dataclass(frozen=True)
class LinkVerdict:
    """Whether a link may be made; if not, the kind of problem it would be, why, and the cure."""

    allowed: bool
    kind: Kind | None = None
    message: str = ""
    cure: str = ""
    bridge: str | None = None
    """The one module that, put between, joins the two types."""
    replaces: Link | None = None
    """The link that the new one takes the place of: an input has one."""

    @property
    def reason(self) -> str:
        """Why not and what to do, in one sentence."""
        if self.allowed:
            return ""
        return f"{self.message.removesuffix('.')}: {self.cure[:1].lower()}{self.cure[1:]}"

    def problem(self, to: Endpoint) -> Problem:
        """What making the link all the same would be, at the input it ends at."""
        remedy = {"insert": [self.bridge]} if self.bridge else None
        return Problem.of(
            self.kind or PORT_TYPE_MISMATCH,
            self.message,
            self.cure,
            node=to.node,
            port=to.port,
            remedy=remedy,
        )

    def to_json(self) -> dict[str, Any]:
        replaces = self.replaces.model_dump(mode="json") if self.replaces else None
        return {
            "allowed": self.allowed,
            "reason": self.reason,
            "bridge": self.bridge,
            "replaces": replaces,
        }


def may_link(
    document: PipelineDocument, catalog: Catalog, from_: Endpoint, to: Endpoint
) -> LinkVerdict:
    """The verdict on a link from an output to an input that is not there yet."""
    ends = _ends(document, catalog, from_, to)
    if isinstance(ends, LinkVerdict):
        return ends
    source, output, target, input_ = ends
    if from_.node == to.node:
        return _refused(
            PIPELINE_HAS_CYCLE, "A node cannot feed itself.", "Connect another node's output."
        )
    existing = next((link for link in document.links if link.to == to), None)
    if existing and existing.from_ == from_:
        return _refused(
            INPUT_LINKED_TWICE, "These ports are connected already.", "Choose another input."
        )
    if reaches(document.links, to.node, from_.node):
        return _refused(
            PIPELINE_HAS_CYCLE,
            f"The link would close a circle, {source.title} needs what {target.title} gives.",
            "Connect an output that does not depend on it.",
        )
    if not fits(output.type, input_.type):
        reason, cure, bridge = mismatch(catalog, source, output, target, input_)
        return LinkVerdict(False, PORT_TYPE_MISMATCH, reason, cure, bridge)
    return LinkVerdict(True, replaces=existing)


def mismatch(
    catalog: Catalog, source: Module, output: Port, target: Module, input_: Port
) -> tuple[str, str, str | None]:
    """Why two types do not fit, the cure, and the id of the module that bridges them."""
    reason = f"{target.title} needs {_a(input_.type)}, {source.title} gives {_a(output.type)}."
    bridge = find_bridge(catalog, output.type, input_.type)
    if bridge is not None:
        return reason, f"Put {bridge.title} between them.", bridge.id
    makers = [
        module.title
        for module in catalog.modules
        if any(fits(port.type, input_.type) for port in module.outputs)
    ]
    if makers:
        return reason, f"Connect an output of {examples(makers)}.", None
    return reason, f"Install a module that gives {_a(input_.type)}.", None


def find_bridge(
    catalog: Catalog, output_type: type[Artifact], input_type: type[Artifact]
) -> Module | None:
    """The one module that takes the first type and gives the second; None for none or several."""
    bridges = [
        module
        for module in catalog.modules
        if any(fits(output_type, port.type) for port in module.inputs)
        and any(fits(port.type, input_type) for port in module.outputs)
    ]
    return bridges[0] if len(bridges) == 1 else None


def reaches(links: Iterable[Link], start: str, end: str) -> bool:
    """True where a way along the links leads from one node to the other."""
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
    found: list[Module] = []
    for end in (from_, to):
        if end.node not in nodes:
            message, cure = f"There is no node {end.node!r}.", "Choose one that is on the canvas."
            return _refused(UNKNOWN_NODE, message, cure)
        module = catalog.get(nodes[end.node])
        if module is None:
            message = f"The module {nodes[end.node]!r} is not installed."
            return _refused(UNKNOWN_MODULE, message, "Install it, or replace the node.")
        found.append(module)
    source, target = found
    output, input_ = source.output(from_.port), target.input(to.port)
    if output is None:
        message = f"{source.title} has no output {from_.port!r}."
        return _refused(UNKNOWN_PORT, message, "Choose one of its outputs.")
    if input_ is None:
        message = f"{target.title} has no input {to.port!r}."
        return _refused(UNKNOWN_PORT, message, "Choose one of its inputs.")
    return source, output, target, input_


def _refused(kind: Kind, message: str, cure: str) -> LinkVerdict:
    return LinkVerdict(False, kind, message, cure)


def _a(kind: type[Artifact]) -> str:
    name = kind.__name__
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
