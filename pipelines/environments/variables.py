"""Variables that an environment sets for its scripts, depending on its packages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from pipelines.environments.definition import EnvironmentDefinition

BY_PACKAGE: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        # TensorFlow then takes tf.keras from this package: its distribution strategies
        # (MultiWorkerMirroredStrategy) do not work with Keras 3.
        "tf-keras": {"TF_USE_LEGACY_KERAS": "1"},
    }
)


def variables_of(definition: EnvironmentDefinition) -> dict[str, str]:
    """Return the variables of an environment; those of a node's run settings override them."""
    packages = map(_name_of, definition.requirements)
    return {
        name: value for package in packages for name, value in BY_PACKAGE.get(package, {}).items()
    }


def _name_of(requirement: str) -> str:
    try:
        return canonicalize_name(Requirement(requirement).name)
    except InvalidRequirement:
        return ""
