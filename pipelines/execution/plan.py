"""The plan of a run: its steps in order, what each takes, and the key of what each will give."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from modules.catalog import Catalog, ModuleOrigin
from modules.parameters import Parameters, secret_names
from modules.spec import Module
from pipelines.artifacts.cache_keys import step_key
from pipelines.documents.document import Endpoint, PipelineDocument, RunSettings
from pipelines.documents.expansion import expanded, members, values_at
from pipelines.environments.definition import EnvironmentRecord
from pipelines.execution.launching import launch_ingredients, named_values
from pipelines.store.artifacts import ArtifactRecord
from pipelines.validation.graph import Graph
from pipelines.validation.parameters import parameters_of

Fingerprint = Callable[[str, Module, Parameters], str]
"""Node id, module and parameters to what the data it reads hash to."""
FindEnvironment = Callable[[str, str], EnvironmentRecord]
"""Node id and reference to the environment as it is now; raises where there is none."""


@dataclass(frozen=True)
class Step:
    """One node, ready to be executed."""

    node: str
    module: Module
    origin: ModuleOrigin
    parameters: Parameters
    inputs: Mapping[str, Endpoint]
    settings: RunSettings
    target: str
    key: str
    forced: bool
    """True where its output must be made anew: asked for here or upstream."""
    environment: EnvironmentRecord | None = None
    """What its processes run with; None: the designer's own."""
    fingerprint: str | None = None
    """What the data that it reads, or the code that it runs, hashed to."""
    pipeline_parameters: Mapping[str, Any] = field(default_factory=dict)
    """The values of those that its own parameters name."""
    secrets: tuple[str, ...] = ()
    """The names of those that it gets."""

    @cached_property
    def parents(self) -> set[str]:
        return {endpoint.node for endpoint in self.inputs.values()}

    @property
    def world_size(self) -> int:
        """Its processes, whether targets start them or the module does."""
        return self.settings.node_count * self.settings.process_count_per_node


@dataclass(frozen=True)
class Plan:
    """A run's steps, and which of their outputs were in the store when it was made."""

    steps: dict[str, Step]
    """By node, parents first."""
    found: dict[str, ArtifactRecord] = field(default_factory=dict)
    """Key to intact artifact; emptied after its first use, as it may have changed by then."""
    summaries: dict[tuple[str, str], str] = field(default_factory=dict)
    """What was said of them, by the run and node that made them."""


def make_plan(
    document: PipelineDocument,
    catalog: Catalog,
    fingerprint: Fingerprint,
    to_node: str | None = None,
    forced: Collection[str] = (),
    environment: FindEnvironment | None = None,
    secrets: Mapping[str, int] | None = None,
) -> dict[str, Step]:
    """The steps of a valid document by node, parents first; only what ``to_node`` needs, if given.

    Sub-pipelines are put in place: their steps have the keys they would have outside of them.

    ``fingerprint`` is called for modules that read data from outside the graph; what it raises
    goes through. ``forced`` nodes and what follows them are made anew.
    """
    launching = _Launching(values_at(document), environment, secrets or {})
    document = expanded(document)
    # A sub-pipeline is asked for by its own name: its members are what is remade or wanted.
    graph = Graph(document, catalog)
    remade = {member for node_id in forced for member in members(document, node_id)}
    wanted = graph.subgraph_to(*(members(document, to_node) if to_node else graph.active_nodes))
    steps: dict[str, Step] = {}
    for node_id in wanted:
        step = _step(document, catalog, graph, node_id, steps, fingerprint, launching)
        steps[node_id] = replace(step, forced=True) if node_id in remade else step
    return steps


@dataclass(frozen=True)
class _Launching:
    """What is looked up for modules that start processes themselves."""

    values: Callable[[str], Mapping[str, Any]]
    environment: FindEnvironment | None
    secrets: Mapping[str, int]
    """Name to version."""

    def of(
        self, node: str, module: Module, parameters: Parameters, settings: RunSettings
    ) -> tuple[EnvironmentRecord | None, Mapping[str, Any]]:
        """A step's environment, and the values of the pipeline's parameters that it names."""
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
    inputs = graph.inputs(node_id)
    settings = node.run_settings
    environment, named = launching.of(node_id, module, parameters, settings)
    secrets = {name: launching.secrets.get(name) for name in secret_names(parameters)}
    read = fingerprint(node_id, module, parameters) if module.fingerprint else None
    # The key is all that a result depends on. Its inputs are in it by the keys of their steps,
    # which are planned by now: one change above moves every key below it.
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
