"""Plan of a run: its steps in order, their inputs, and the keys of their outputs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from modules.catalog import Catalog, ModuleOrigin
from modules.parameters import Parameters, secret_names
from modules.spec import Module
from pipelines.document.checks.graph import Graph
from pipelines.document.checks.parameters import parameters_of
from pipelines.document.document import Endpoint, PipelineDocument, RunSettings
from pipelines.document.expansion import expanded, members, values_at
from pipelines.environments.definition import EnvironmentRecord
from pipelines.execution.launching import launch_ingredients, named_values
from pipelines.store.artifacts.cache_keys import step_key
from pipelines.store.database.artifacts import ArtifactRecord
from pipelines.validation.pins import FindPinned, PinnedOutput

Fingerprint = Callable[[str, Module, Parameters], str]
"""Function of node id, module and parameters that returns the hash of the data read."""
FindEnvironment = Callable[[str, str], EnvironmentRecord]
"""Function of node id and reference that returns the environment; raises if there is none."""


@dataclass(frozen=True)
class Step:
    """Node that is ready to be executed."""

    node: str
    module: Module
    origin: ModuleOrigin
    parameters: Parameters
    inputs: Mapping[str, Endpoint]
    settings: RunSettings
    target: str
    key: str
    forced: bool
    """True if its output must be recomputed: requested for it or for a node upstream."""
    environment: EnvironmentRecord | None = None
    """Environment of its processes; None: the designer's own."""
    fingerprint: str | None = None
    """Hash of the data that it reads or of the code that it runs."""
    pipeline_parameters: Mapping[str, Any] = field(default_factory=dict)
    """Values of the pipeline parameters that its own parameters refer to."""
    secrets: tuple[str, ...] = ()
    """Names of the secrets that it receives."""
    pinned: PinnedOutput | None = None
    """Stored result that it uses; it then has no inputs."""

    @cached_property
    def parents(self) -> set[str]:
        return {endpoint.node for endpoint in self.inputs.values()}

    @property
    def world_size(self) -> int:
        """Number of processes, started by the target or by the module."""
        return self.settings.node_count * self.settings.process_count_per_node


@dataclass(frozen=True)
class Plan:
    """Steps of a run, and the outputs that the store had when it was planned."""

    steps: dict[str, Step]
    """Steps by node, parents first."""
    artifacts: dict[str, ArtifactRecord] = field(default_factory=dict)
    """Key to intact artifact; cleared after its first use, as it may have changed by then."""
    summaries: dict[tuple[str, str], str] = field(default_factory=dict)
    """Their summaries, by the run and node that produced them."""


def make_plan(
    document: PipelineDocument,
    catalog: Catalog,
    fingerprint: Fingerprint,
    to_node: str | None = None,
    forced: Collection[str] = (),
    environment: FindEnvironment | None = None,
    secrets: Mapping[str, int] | None = None,
    pinned: FindPinned | None = None,
) -> dict[str, Step]:
    """Return the steps of a valid document by node, parents first, or those ``to_node`` needs.

    Sub-pipelines are expanded: their steps have the same keys as outside.

    Args:
        fingerprint: Called for modules that read data from outside the graph; its errors propagate.
        forced: Nodes that are recomputed together with everything downstream; of a pinned node
            only what is downstream.
        pinned: Without it, no node of the document is pinned.
    """
    launching = _Launching(values_at(document), environment, secrets or {}, pinned)
    document = expanded(document)
    # A sub-pipeline is referred to by its own name: its members are recomputed or wanted.
    graph = Graph(document, catalog)
    recomputed = {member for node_id in forced for member in members(document, node_id)}
    needed = graph.subgraph_to(*_wanted(document, graph, to_node))
    steps: dict[str, Step] = {}
    for node_id in needed:
        step = _step(document, catalog, graph, node_id, steps, fingerprint, launching)
        steps[node_id] = replace(step, forced=True) if node_id in recomputed else step
    return steps


def _wanted(document: PipelineDocument, graph: Graph, to_node: str | None) -> Collection[str]:
    """Return the nodes that a run is to have results of."""
    if to_node is None:
        return graph.computed_nodes
    inside = members(document, to_node)
    if len(inside) == 1:  # requested itself, even if otherwise only pinned nodes would read it
        return inside
    return [node_id for node_id in inside if node_id not in graph.unneeded]


@dataclass(frozen=True)
class _Launching:
    """Lookups for environments, secrets and stored results."""

    values: Callable[[str], Mapping[str, Any]]
    environment: FindEnvironment | None
    secrets: Mapping[str, int]
    """Name to version."""
    pinned: FindPinned | None

    def of(
        self, node: str, module: Module, parameters: Parameters, settings: RunSettings
    ) -> tuple[EnvironmentRecord | None, Mapping[str, Any]]:
        """Return a step's environment, and the pipeline parameters that it refers to."""
        named = named_values(parameters, self.values(node)) if module.launches else {}
        if not module.takes_environment:
            return None, named
        if settings.environment is None or self.environment is None:
            return None, named
        return self.environment(node, settings.environment), named


def _step(
    document: PipelineDocument,
    catalog: Catalog,
    graph: Graph,
    node_id: str,
    earlier: Mapping[str, Step],
    fingerprint: Fingerprint,
    launching: _Launching,
) -> Step:
    node = graph.nodes.get(node_id)
    module = catalog.get(node.module) if node else None
    origin = catalog.origin(node.module) if node else None
    if node is None or module is None or origin is None:
        raise LookupError(f"{node_id} cannot be planned: validate the document first.")
    parameters = parameters_of(node, module, document)
    settings = node.run_settings
    if node.pin is not None and launching.pinned is not None:
        stored = launching.pinned(node_id, node.pin)
        return Step(
            node=node_id,
            module=module,
            origin=origin,
            parameters=parameters,
            inputs={},
            settings=settings,
            target=settings.target or document.settings.target,
            key=stored.key,
            forced=False,
            pinned=stored,
        )
    inputs = graph.inputs(node_id)
    environment, named = launching.of(node_id, module, parameters, settings)
    secrets = {name: launching.secrets.get(name) for name in secret_names(parameters)}
    read = fingerprint(node_id, module, parameters) if module.fingerprint else None
    # The key contains everything that the result depends on. Inputs are in it by the keys of their
    # steps, which are planned by now: a change changes every key downstream.
    key = step_key(
        module,
        parameters,
        {port: f"{earlier[end.node].key}/{end.port}" for port, end in inputs.items()},
        fingerprint=read,
        code_hash=origin.code_hash,
        world_size=settings.node_count * settings.process_count_per_node,
        launch=launch_ingredients(module, settings, environment, named, secrets),
    )
    forced = settings.regenerate_output or any(earlier[e.node].forced for e in inputs.values())
    return Step(
        node=node_id,
        module=module,
        origin=origin,
        parameters=parameters,
        inputs=inputs,
        settings=settings,
        target=settings.target or document.settings.target,
        key=key,
        forced=forced,
        environment=environment,
        fingerprint=read,
        pipeline_parameters=named,
        secrets=tuple(secrets),
    )
