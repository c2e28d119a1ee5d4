"""Estimate of a run: images, classes, memory and minutes of every node.

Nothing is executed. The ``forecast`` hook of each module is called in execution order with the
estimates of its inputs; measured durations of earlier runs replace estimates.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from pydantic import ValidationError

from modules.catalog import Catalog
from modules.context import Context
from modules.errors import ModuleError
from modules.forecast import ArtifactForecast, StepForecast
from modules.parameters import Parameters
from modules.spec import Module, ParameterFinding
from pipelines.document.checks.graph import Graph
from pipelines.document.checks.parameters import parameters_of
from pipelines.document.document import Node, PipelineDocument
from pipelines.document.expansion import expanded, members
from pipelines.forecasting.estimates import Basis, ForecastTotals, NodeForecast, RunForecast
from pipelines.forecasting.last_times import LastTime, PastWork, last_time
from pipelines.forecasting.likely_range import likely_range
from pipelines.forecasting.step_timings import StepTimings
from pipelines.sentences import values

START_SECONDS = 0.5
"""Start and end of a step that was never measured, on average over the modules."""
START_OF_RANKS_SECONDS = 4.5
"""Time until several processes have started and found each other (4 to 5 s on 2 cores, 4 ranks)."""


Inputs = Mapping[str, ArtifactForecast]


@dataclass(frozen=True)
class MachineRate:
    """Assumed speed of a machine without measurements."""

    flops_per_second: float
    images_per_second: float
    """Rate of work that decodes or copies images and computes little."""
    activation_bytes_per_second: float = float("inf")
    """Rate of a training that is limited by memory, as depthwise convolutions are."""


class EstimateCache:
    """Cache of the modules' estimates, for several documents that are estimated together.

    A run is compared with its last ones, most of whose nodes are the same. A hook is not called
    again for the same parameters and inputs: it may scan a whole folder.
    """

    def __init__(self) -> None:
        self._answers: dict[tuple[object, ...], tuple[Inputs, StepForecast]] = {}

    def ask(
        self, module: Module, inputs: Inputs, parameters: Parameters, context: Context
    ) -> StepForecast:
        """Return the answer of a module's hook; errors of the hook are raised."""
        ends = tuple((port, id(inputs[port])) for port in sorted(inputs))
        settings = (context.node_count, context.process_count_per_node, context.allowed_roots)
        key = (module.id, parameters.model_dump_json(), *settings, ends)
        if key not in self._answers:
            assert module.forecast is not None
            answer = module.forecast(inputs, parameters, context)
            answer = answer if isinstance(answer, StepForecast) else StepForecast()
            self._answers[key] = (inputs, answer)  # the inputs live on, so their ids stay theirs
        return self._answers[key][1]


def default_rate(cores: int | None = None) -> MachineRate:
    """Return a conservative rate for this number of CPU cores (None: this machine's).

    ResNet-18 at 64 px trains 359 images/s on two cores, 0.9 GFLOP each: 160 GFLOP/s per core
    (benchmarks); half of it is assumed here, and 250 images/s per core read from disk. Training of
    DenseNet-121 at 64 px (118 images/s, 10.6 MB of activations each) and of EfficientNet-Lite0 at
    128 px (26 MB) is limited by memory, at about 0.6 GB/s per core.
    """
    cores = cores or os.cpu_count() or 1
    return MachineRate(cores * 80e9, cores * 250.0, cores * 0.6e9)


def forecast(
    document: PipelineDocument,
    catalog: Catalog,
    context: Context,
    *,
    reused: Collection[str] = frozenset(),
    measured: Mapping[str, float] | None = None,
    timings: StepTimings | None = None,
    last: Mapping[str, PastWork] | None = None,
    rate: MachineRate | None = None,
    to_node: str | None = None,
    torch_takes_turns: bool = False,
    prices: Mapping[str, float] | None = None,
    cache: EstimateCache | None = None,
) -> RunForecast:
    """Return an estimate for each node, in execution order, and totals in seconds and bytes.

    A node without an estimate is in the list with nulls.

    Args:
        document: The pipeline; sub-pipelines are expanded.
        catalog: The available modules.
        context: Passed to the modules' hooks.
        reused: Nodes whose output already exists.
        measured: Seconds that nodes took before with the same inputs.
        timings: Durations of similar steps.
        last: Last durations of the nodes themselves.
        rate: Speed of a machine without measurements.
        to_node: Limits the estimate to this node and the nodes that it needs.
        torch_takes_turns: True if nodes with torch run one at a time because each uses all cores.
        prices: Hourly price of a node's machines.
        cache: Estimates of modules for other documents.

    Raises:
        PipelineError: If there is a cycle.
    """
    graph = Graph(expanded(document), catalog)
    rate, timings = rate or default_rate(), timings or StepTimings()
    nodes: list[NodeForecast] = []
    for node_id, estimate in _step_forecasts(graph, context, to_node, cache).items():
        node = graph.nodes[node_id]
        module = graph.catalog.get(node.module)
        before = last_time(node, estimate, last or {})
        seconds, basis = (
            _known_time(node_id, reused, measured or {})
            or _by_earlier_runs(module, estimate, timings, before)
            or _estimated(estimate, node, rate, timings)
        )
        likely = likely_range(seconds, basis, timings.samples(node.module, estimate), before)
        nodes.append(
            NodeForecast.of(
                node.id,
                node.module,
                estimate,
                seconds=seconds,
                basis=basis,
                range_seconds=likely,
                last=before,
                price_per_hour=(prices or {}).get(node_id),
                takes_turns=torch_takes_turns and module is not None and module.needs_torch,
            )
        )
    return RunForecast.of(tuple(nodes), _totals(nodes, graph))


def step_forecasts(
    document: PipelineDocument,
    catalog: Catalog,
    context: Context,
    to_node: str | None = None,
    cache: EstimateCache | None = None,
) -> dict[str, StepForecast]:
    """Return what each module estimates for its node, in execution order, without times.

    With ``to_node``, only for it and the nodes that it depends on. Raises ``PipelineError`` if
    there is a cycle.
    """
    return _step_forecasts(Graph(expanded(document), catalog), context, to_node, cache)


def _step_forecasts(
    graph: Graph, context: Context, to_node: str | None, cache: EstimateCache | None
) -> dict[str, StepForecast]:
    cache = cache or EstimateCache()
    outputs: dict[tuple[str, str], ArtifactForecast] = {}
    steps: dict[str, StepForecast] = {}
    ends = members(graph.document, to_node) if to_node else graph.computed_nodes
    needed = graph.subgraph_to(*ends)
    # A pinned result is estimated from what is before it, as if it were computed.
    has_pins = any(graph.nodes[node_id].is_pinned for node_id in needed)
    asked = graph.subgraph_to(*graph.active_nodes) if has_pins else needed
    for node_id in asked:
        inputs = {
            port: outputs[(end.node, end.port)]
            for port, end in graph.inputs(node_id).items()
            if (end.node, end.port) in outputs
        }
        step = steps[node_id] = _ask(graph.nodes[node_id], graph, inputs, context, cache)
        outputs |= {(node_id, port): output for port, output in step.outputs.items()}
    return {node_id: steps[node_id] for node_id in needed}


def _ask(
    node: Node, graph: Graph, inputs: Inputs, context: Context, cache: EstimateCache
) -> StepForecast:
    module = graph.catalog.get(node.module)
    if module is None or module.forecast is None:
        return StepForecast()
    settings = node.run_settings
    surroundings = replace(
        context,
        node_count=settings.node_count,
        process_count_per_node=settings.process_count_per_node,
        world_size=settings.node_count * settings.process_count_per_node,
    )
    try:
        parameters = parameters_of(node, module, graph.document)
        return cache.ask(module, inputs, parameters, surroundings)
    except ValidationError:  # invalid parameters are reported by validate
        return StepForecast()
    except ModuleError as error:
        return StepForecast(findings=(ParameterFinding.from_error(error),))
    except Exception as error:  # estimates are optional: an error in a hook must not stop them
        return StepForecast(findings=(_failed_estimate(module, error),))


def _known_time(
    node_id: str, reused: Collection[str], measured: Mapping[str, float]
) -> tuple[float, Basis] | None:
    if node_id in reused:
        return 0.0, "reused"
    return (measured[node_id], "measured") if node_id in measured else None


def _by_earlier_runs(
    module: Module | None, estimate: StepForecast, timings: StepTimings, last: LastTime | None
) -> tuple[float, Basis] | None:
    """Return the duration of similar steps, otherwise the node's last duration.

    Scripts have only their module in common: the node's own last duration takes precedence over
    those of other scripts, which are a guess.
    """
    runs_any_code = module is not None and (module.launches or module.takes_environment)
    if not runs_any_code:
        seconds = timings.seconds(module.id, estimate) if module else None
        return _scaled(last) if seconds is None else (seconds, "measured")
    if last is not None:
        return _scaled(last)
    seconds = timings.seconds(module.id, estimate) if module else None
    return None if seconds is None else (seconds, "estimated")


def _scaled(last: LastTime | None) -> tuple[float, Basis] | None:
    return None if last is None else (last.scaled_seconds, "scaled")


def _critical_path(
    nodes: list[NodeForecast],
    graph: Graph,
    of: Callable[[NodeForecast], float | None] = lambda node: node.seconds,
) -> float:
    """Return the seconds until the last step ends, each started when its inputs and turn allow."""
    ends: dict[str, float] = {}
    turn = 0.0
    for node in nodes:
        parents = {end.node for end in graph.inputs(node.node).values()}
        start = max((ends.get(parent, 0.0) for parent in parents), default=0.0)
        waits = node.takes_turns and of(node)
        end = (max(start, turn) if waits else start) + (of(node) or 0.0)
        ends[node.node], turn = end, end if waits else turn
    return max(ends.values(), default=0.0)


def _failed_estimate(module: Module, error: Exception) -> ParameterFinding:
    raised = f"{type(error).__name__}: {str(error)[:300]}"
    return ParameterFinding.of("", values.NOT_FORESEEN, module=module.title, error=raised)


def _estimated(
    estimate: StepForecast, node: Node, rate: MachineRate, timings: StepTimings
) -> tuple[float | None, Basis | None]:
    """Return the seconds of work and overhead.

    Processes of one machine share its cores, so only machines divide the work.
    """
    if estimate.images_processed is None:
        return None, None
    seconds = estimate.images_processed / rate.images_per_second
    if estimate.flops_per_image is not None:
        flops = estimate.images_processed * estimate.flops_per_image
        seconds = max(seconds, flops / rate.flops_per_second)
    if estimate.activation_bytes_per_image is not None:
        num_bytes = estimate.images_processed * estimate.activation_bytes_per_image
        seconds = max(seconds, num_bytes / rate.activation_bytes_per_second)
    besides = timings.besides(node.module)
    if besides is None:
        settings = node.run_settings
        is_alone = settings.node_count * settings.process_count_per_node == 1
        besides = START_SECONDS if is_alone else START_OF_RANKS_SECONDS
    return seconds / node.run_settings.node_count + besides, "estimated"


def _totals(nodes: list[NodeForecast], graph: Graph) -> ForecastTotals:
    memory = [node.memory_bytes for node in nodes]
    costs = [node.cost for node in nodes if node.cost is not None]
    return ForecastTotals(
        seconds=sum(node.seconds or 0.0 for node in nodes),
        critical_path_seconds=_critical_path(nodes, graph),
        memory_bytes=max((size for size in memory if size is not None), default=None),
        cost=sum(costs) if costs else None,
        nodes_unknown=sum(node.seconds is None for node in nodes),
        nodes_reused=sum(node.reused for node in nodes),
        range_seconds=(
            _critical_path(nodes, graph, lambda node: (node.range_seconds or (0,))[0]),
            _critical_path(nodes, graph, lambda node: (node.range_seconds or (0,))[-1]),
        ),
    )
