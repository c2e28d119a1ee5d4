"""Changes of a node, and of what is before it, since a run computed its pinned result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from modules.formatting import shortest
from modules.parameters import parameters_in_key
from modules.spec import Module
from pipelines.document.checks.graph import Graph
from pipelines.document.checks.parameters import parameters_of
from pipelines.document.document import Endpoint, Node
from pipelines.document.node_titles import setting_title
from pipelines.sentences import _

MAX_CHANGES = 5
MAX_VALUE = 40
_LAUNCH = ("environment", "launcher", "parameter_server_count", "variables")
"""Run settings that decide the results of modules with their own processes."""


@dataclass(frozen=True)
class PinnedRun:
    """Run that computed a pinned result."""

    graph: Graph
    """Its pipeline, with expanded sub-pipelines."""
    outputs: Mapping[str, str]
    """Id of the artifact of each of its nodes that has one."""


def changes_since(run: PinnedRun, ran_id: str, now: Graph, node_id: str) -> list[str]:
    """Return the differences that would give another result, as short texts, at most five.

    Only the documents are compared: changed files of a data source are not noticed.

    Args:
        run: Run that computed the result.
        ran_id: Node in that run.
        now: Pipeline to compare, with expanded sub-pipelines.
        node_id: Pinned node in it.
    """
    changes = list(_Comparison(run, now).changes(ran_id, node_id))
    more = len(changes) - MAX_CHANGES
    return changes if more <= 0 else [*changes[:MAX_CHANGES], _("{count:,} more", count=more)]


@dataclass(frozen=True)
class _Comparison:
    run: PinnedRun
    now: Graph

    def changes(self, ran_id: str, node_id: str) -> Iterator[str]:
        """Yield the differences of a node, then of its inputs."""
        yield from self._own_changes(ran_id, node_id)
        for one, other in self._sources(ran_id, node_id):
            if self._differs_upstream(one.node, other.node):
                yield _("{node} changed upstream", node=self.now.titles[other.node])

    def _differs_upstream(self, ran_id: str, node_id: str) -> bool:
        """Return whether a node or one before it differs."""
        waiting, compared = [(ran_id, node_id)], {(ran_id, node_id)}
        while waiting:
            pair = waiting.pop()
            node, was = self.now.nodes[pair[1]], self.run.graph.nodes[pair[0]]
            if node.pin is not None:
                if node.pin.artifact != self.run.outputs.get(pair[0]):
                    return True
                continue
            if was.pin is not None or next(self._own_changes(*pair), None) is not None:
                return True
            sources = {(one.node, other.node) for one, other in self._sources(*pair)}
            waiting += sources - compared
            compared |= sources
        return False

    def _sources(self, ran_id: str, node_id: str) -> list[tuple[Endpoint, Endpoint]]:
        """Return what feeds the same inputs of a node in both pipelines."""
        before, after = self.run.graph.inputs(ran_id), self.now.inputs(node_id)
        return [(before[port], after[port]) for port in after if port in before]

    def _own_changes(self, ran_id: str, node_id: str) -> Iterator[str]:
        was, node = self.run.graph.nodes.get(ran_id), self.now.nodes[node_id]
        if was is None:
            yield _("the node is not in that run")
            return
        module = self.now.catalog.get(node.module)
        if was.module != node.module or module is None:
            yield _("another module")
            return
        if was.version != node.version:
            yield _("version {before} → {after}", before=was.version, after=node.version)
        yield from self._setting_changes(was, node, module)
        before, after = self.run.graph.inputs(ran_id), self.now.inputs(node_id)
        for port in module.inputs:
            one, other = before.get(port.id), after.get(port.id)
            if (one and one.port) != (other and other.port):
                yield _("{input} is connected differently", input=port.label)

    def _setting_changes(self, was: Node, node: Node, module: Module) -> Iterator[str]:
        before = self._settings(was, module, self.run.graph)
        after = self._settings(node, module, self.now)
        for name in dict.fromkeys((*before, *after)):
            one, other = before.get(name), after.get(name)
            if one != other:
                title = setting_title(name, module)
                yield f"{title} {_text(one)} → {_text(other)}"

    def _settings(self, node: Node, module: Module, graph: Graph) -> dict[str, Any]:
        """Return the values that decide the results of a node."""
        try:
            parameters = parameters_in_key(parameters_of(node, module, graph.document))
        except ValidationError:  # of another version of the module
            parameters = dict(node.parameters)
        settings = node.run_settings
        values: dict[str, Any] = dict(parameters)
        if module.distributed:
            values["processes"] = settings.node_count * settings.process_count_per_node
        if module.takes_environment:
            values |= {name: getattr(settings, name) for name in _LAUNCH}
        return values


def _text(value: object) -> str:
    if value is None or value == "":
        return _("none")
    if isinstance(value, bool):
        return _("on") if value else _("off")
    text = str(shortest(value)) if isinstance(value, float) else str(value)
    return text if len(text) <= MAX_VALUE else text[: MAX_VALUE - 1] + "…"
