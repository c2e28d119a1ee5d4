"""What counts of how a step's processes are started, for its key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from modules.parameters import Parameters
from modules.spec import Module
from pipelines.artifacts.cache_keys import library_version
from pipelines.documents.document import RunSettings
from pipelines.environments.definition import EnvironmentRecord

NAMED = re.compile(r"\bparameters\.([A-Za-z_][A-Za-z0-9_]*)")
"""How a text of a step's own parameters names a parameter of the pipeline."""
OWN_LIBRARIES = ("numpy", "torch", "torchvision")
"""What scripts compute with in the designer's own Python."""


def named_values(parameters: Parameters, values: Mapping[str, Any]) -> dict[str, Any]:
    """Of the values of a pipeline's parameters those that a step's own parameters name."""
    if not values:
        return {}
    named = set(NAMED.findall(parameters.model_dump_json()))
    return {name: value for name, value in values.items() if name in named}


def launch_ingredients(
    module: Module,
    settings: RunSettings,
    environment: EnvironmentRecord | None,
    pipeline_parameters: Mapping[str, Any],
    secrets: Mapping[str, int | None],
) -> dict[str, Any]:
    """What outputs depend on beside parameters and inputs; empty for most steps.

    Of ``secrets`` the name and the version: None where one is not set.
    """
    found: dict[str, Any] = {}
    if settings.variables:
        found["variables"] = dict(settings.variables)
    if secrets:
        found["secrets"] = dict(secrets)
    if environment is not None:
        found["environment"] = environment.key
    if module.launches:
        own = {name: library_version(name) for name in OWN_LIBRARIES}
        found |= {
            "environment": own if environment is None else environment.key,
            "launcher": settings.launcher,
            "processes": [settings.node_count, settings.process_count_per_node],
            "parameter_servers": settings.parameter_server_count,
            "pipeline_parameters": dict(pipeline_parameters),
        }
    return found
