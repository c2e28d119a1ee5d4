"""Cache keys: one hash of everything that a step's outputs depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # agents need only versions and do not import pydantic
    from modules.parameters import Parameters
    from modules.spec import Module

KEY_FORMAT = 1


def step_key(
    module: Module,
    parameters: Parameters,
    input_keys: Mapping[str, str],
    *,
    fingerprint: str | None = None,
    code_hash: str | None = None,
    world_size: int = 1,
    launch: Mapping[str, Any] | None = None,
) -> str:
    """Return the key of a step's outputs, 64 hexadecimal digits.

    Args:
        input_keys: ``<key of the step>/<port>`` of each linked input port.
        fingerprint: Of a source's data.
        code_hash: Of a user's own module.
        world_size: Counts only for distributed modules.
        launch: Other relevant facts about starting the processes.

    The seed is among the parameters.
    """
    from modules.parameters import parameters_in_key

    ingredients = {
        "format": KEY_FORMAT,
        "module": module.id,
        "version": module.version,
        "parameters": parameters_in_key(parameters),
        "inputs": dict(input_keys),
        "fingerprint": fingerprint,
        "code": code_hash,
        "libraries": {name: library_version(name) for name in module.libraries},
        "world_size": world_size if module.distributed else 1,
    }
    if module.results_version > 1:  # the keys of all other modules stay unchanged
        ingredients["results_version"] = module.results_version
    if launch:
        ingredients["launch"] = dict(launch)
    return hashlib.sha256(canonical_json(ingredients).encode()).hexdigest()


def key_within(key: str, run_id: str) -> str:
    """Return a key for one run only: for early-finished outputs and everything downstream."""
    return hashlib.sha256(f"{key} {run_id}".encode()).hexdigest()


def key_of_copy(key: str, artifact_id: str) -> str:
    """Return a key for one of several results of the same key: they may differ."""
    return hashlib.sha256(f"{key} {artifact_id}".encode()).hexdigest()


def canonical_json(content: Any) -> str:
    """Return the canonical text of a value: sorted names, no spaces, no NaN."""
    return json.dumps(
        content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


@cache
def library_version(name: str) -> str:
    """Return the installed version of a distribution; ``absent`` if it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "absent"
