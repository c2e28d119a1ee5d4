"""Ingredients of a step's key from the way its processes are started."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from modules.parameters import Parameters, ParameterValues
from modules.spec import Module
from pipelines.document.document import RunSettings
from pipelines.environments.definition import EnvironmentRecord
from pipelines.store.artifacts.cache_keys import library_version

NAMED = re.compile(r"\bparameters\.([A-Za-z_][A-Za-z0-9_]*)")
"""Pattern by which a step's text parameter refers to a pipeline parameter."""
OWN_LIBRARIES = ("numpy", "torch", "torchvision")
"""Packages of the designer's own Python that scripts compute with."""


def named_values(parameters: Parameters, values: Mapping[str, Any]) -> ParameterValues:
    """Return the values of those pipeline parameters that a step's own parameters refer to."""
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
) -> Mapping[str, Any]:
    """Return what outputs depend on besides parameters and inputs; empty for most steps.

    ``secrets`` maps names to versions: None if one is not set.
    """
    ingredients: dict[str, Any] = {}
    if settings.variables:
        ingredients["variables"] = dict(settings.variables)
    if secrets:
        ingredients["secrets"] = dict(secrets)
    if environment is not None:
        ingredients["environment"] = environment.key
    if module.launches:
        own = {name: library_version(name) for name in OWN_LIBRARIES}
        ingredients |= {
            "environment": own if environment is None else environment.key,
            "launcher": settings.launcher,
            "processes": [settings.node_count, settings.process_count_per_node],
            "parameter_servers": settings.parameter_server_count,
            "pipeline_parameters": dict(pipeline_parameters),
        }
    return ingredients
