"""Validation of run settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from modules.spec import Module
from pipelines.document.document import Node, PipelineDocument, RunSettings
from pipelines.document.target_offer import TargetOffer
from pipelines.problems import (
    LAUNCHER_MISMATCH,
    NODE_COUNT_TOO_LARGE,
    NOT_DISTRIBUTED,
    NOT_LAUNCHING,
    PROCESS_COUNT_TOO_LARGE,
    RESERVED_VARIABLE,
    UNKNOWN_COMPUTE_TARGET,
    Problem,
    did_you_mean,
)
from pipelines.sentences import wiring

LAUNCH_SETTINGS = ("environment", "launcher", "parameter_server_count")
"""Settings for modules that start processes themselves; the first also for those that run scripts
with another Python."""
ONE_PROCESS = {"node_count": 1, "process_count_per_node": 1}
RESERVED = frozenset(
    {
        *("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "NODE_RANK", "GROUP_RANK"),
        *("MASTER_ADDR", "MASTER_PORT", "TF_CONFIG", "CUDA_VISIBLE_DEVICES"),
        *("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LD_PRELOAD", "LD_LIBRARY_PATH"),
    }
)
UNSET = RunSettings()
CHOSEN_PORT = "MASTER_PORT"
"""Reserved variable that nodes which start a script may set: a script may choose its port."""
RESERVED_BEGINNINGS = ("AZ_BATCH", "DESIGNER_", "OMPI_", "PMI_", "PMIX_", "SLURM_", "TORCHELASTIC_")


def run_setting_problems(
    node: Node,
    module: Module,
    document: PipelineDocument,
    targets: Mapping[str, TargetOffer] | None,
) -> Iterator[Problem]:
    """Return one problem for each invalid run setting of a node.

    Without ``targets`` they are not compared with the capabilities of a compute target.
    """
    yield from _process_problems(node, module)
    yield from _launch_problems(node, module)
    yield from _variable_problems(node, module)
    if targets is None:
        return
    name = node.run_settings.target or document.settings.target
    offer = targets.get(name)
    if offer is None and node.run_settings.target:
        yield unknown_target(name, targets, node.id)
    elif offer is not None and (module.distributed or module.launches):
        yield from _exceeded_offers(node, offer)


def unknown_target(
    name: str, targets: Mapping[str, TargetOffer], node_id: str | None = None
) -> Problem:
    """Return the problem of an unknown compute target."""
    facts = {"target": name, "help": did_you_mean(name, targets)}
    statement = wiring.NO_COMPUTE_TARGET.about(facts)
    return Problem.of(UNKNOWN_COMPUTE_TARGET, statement, node=node_id, parameter="target")


def _process_problems(node: Node, module: Module) -> Iterator[Problem]:
    settings = node.run_settings
    if (settings.node_count, settings.process_count_per_node) == (1, 1):
        return
    location: dict[str, Any] = {
        "node": node.id,
        "parameter": "node_count" if settings.node_count > 1 else "process_count_per_node",
        "remedy": {"run_settings": ONE_PROCESS},
    }
    if not (module.distributed or module.launches):
        yield Problem.of(NOT_DISTRIBUTED, wiring.ONE_PROCESS, module=module.title, **location)
    elif module.launches and settings.launcher == "none":
        yield Problem.of(LAUNCHER_MISMATCH, wiring.ONE_PROCESS_LAUNCHED, **location)


def _launch_problems(node: Node, module: Module) -> Iterator[Problem]:
    settings = node.run_settings
    if not settings.model_fields_set:
        return
    for name in _useless(module):
        if getattr(settings, name) != getattr(UNSET, name):
            yield Problem.of(
                NOT_LAUNCHING,
                wiring.NOT_LAUNCHING,
                module=module.title,
                setting=name.replace("_", " "),
                node=node.id,
                parameter=name,
                remedy={"clear": name},
            )
    if module.launches and settings.parameter_server_count and settings.launcher != "tensorflow":
        yield Problem.of(
            LAUNCHER_MISMATCH,
            wiring.PARAMETER_SERVERS,
            node=node.id,
            parameter="parameter_server_count",
            remedy={"clear": "parameter_server_count"},
        )


def _useless(module: Module) -> tuple[str, ...]:
    """Return the settings that a module does not use."""
    if module.launches:
        return ()
    return LAUNCH_SETTINGS[1:] if module.takes_environment else LAUNCH_SETTINGS


def _variable_problems(node: Node, module: Module) -> Iterator[Problem]:
    names = [
        name
        for name in node.run_settings.variables
        if is_reserved(name) and not (name == CHOSEN_PORT and module.launches)
    ]
    if names:
        statement = wiring.RESERVED_VARIABLES.about({"names": names})
        yield Problem.of(RESERVED_VARIABLE, statement, node=node.id, parameter="variables")


def is_reserved(name: str) -> bool:
    """Return True for an environment variable set by the designer, a launcher or a scheduler."""
    return name in RESERVED or name.startswith(RESERVED_BEGINNINGS)


def _exceeded_offers(node: Node, offer: TargetOffer) -> Iterator[Problem]:
    settings = node.run_settings
    if settings.node_count > offer.max_nodes:
        yield Problem.of(
            NODE_COUNT_TOO_LARGE,
            wiring.TOO_MANY_NODES,
            count=settings.node_count,
            target=offer.name,
            most=offer.max_nodes,
            node=node.id,
            parameter="node_count",
            remedy={"run_settings": {"node_count": offer.max_nodes}},
        )
    if settings.process_count_per_node > offer.processes_per_node:
        yield Problem.of(
            PROCESS_COUNT_TOO_LARGE,
            wiring.TOO_MANY_PROCESSES,
            count=settings.process_count_per_node,
            target=offer.name,
            most=offer.processes_per_node,
            node=node.id,
            parameter="process_count_per_node",
            remedy={"run_settings": {"process_count_per_node": offer.processes_per_node}},
        )
