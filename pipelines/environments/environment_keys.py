"""Keys of environments: everything that determines what a script finds."""

from __future__ import annotations

import hashlib
import json
import sys
import sysconfig

from pipelines.environments.base_layer import base_identity
from pipelines.environments.definition import EnvironmentDefinition
from pipelines.environments.interpreters import designers_own, markers_of
from pipelines.environments.lock_lines import LockedPackage, lock_text, read_lock
from pipelines.environments.variables import variables_of


def environment_key(definition: EnvironmentDefinition, lock: str) -> str:
    """Return a hash of Python, base, the locked packages with their hashes, whether they are built,
    and the variables for scripts.
    """
    if definition.base == "image":
        return hashlib.sha256(lock.encode()).hexdigest()
    version = definition.python or designers_own().version
    parts = {
        "python": [sys.implementation.name, version, sysconfig.get_platform()],
        "base": base_identity() if definition.base == "designer" else "",
        "packages": lock_text(needed_packages(lock, version)),
        "builds": definition.allow_builds,
    }
    variables = variables_of(definition)
    if variables:  # others keep the keys from before variables existed
        parts["variables"] = variables
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def needed_packages(lock: str, version: str) -> list[LockedPackage]:
    """Return the packages of a lock that a Python of that version needs on this machine."""
    markers = markers_of(version)
    return [package for package in read_lock(lock) if package.is_needed(markers)]
