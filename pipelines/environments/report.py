"""JSON of environments and their builds for commands and the API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from packaging.utils import canonicalize_name

from pipelines.environments.base_layer import base_versions
from pipelines.environments.builder import MARKER, folder_of
from pipelines.environments.definition import EnvironmentDefinition, EnvironmentRecord
from pipelines.environments.environment_keys import needed_packages
from pipelines.environments.interpreters import designers_own
from pipelines.environments.lock_lines import is_same_version
from pipelines.environments.workspace_environments import WorkspaceEnvironments


def environment_to_json(
    environments: WorkspaceEnvironments, record: EnvironmentRecord, used_by: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a version without its lock."""
    content = {**record.to_json(), "reference": record.reference, "used_by": list(used_by)}
    del content["lock"]
    return {
        **content,
        "python": _python(environments, record),
        "built": _built(environments, record),
    }


def environment_with_lock(
    environments: WorkspaceEnvironments, record: EnvironmentRecord, used_by: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a version with its packages and its lock."""
    content = environment_to_json(environments, record, used_by)
    return {**content, "packages": packages_of(record, record.lock), "lock": record.lock}


def _python(environments: WorkspaceEnvironments, record: EnvironmentRecord) -> str:
    """Return its Python version; for an image it is known once that was built."""
    marker = environments.marker(record) if record.base == "image" else None
    if record.base == "image":
        return marker.image.version if marker and marker.image else ""
    return record.python or designers_own().version


def packages_of(definition: EnvironmentDefinition, lock: str) -> list[dict[str, Any]]:
    """Return name and version of what its Python finds, its own packages before the designer's."""
    base = base_versions() if definition.base == "designer" else {}
    own: dict[str, str] = {
        canonicalize_name(package.name): package.version
        for package in needed_packages(lock, definition.python or designers_own().version)
    }
    packages = [
        {"name": name, "version": version, "shared": is_same_version(version, base.get(name, ""))}
        for name, version in sorted({**base, **own}.items())
    ]
    return sorted(packages, key=lambda package: bool(package["shared"]))


def difference_of(one: EnvironmentRecord, other: EnvironmentRecord) -> list[dict[str, Any]]:
    """Return the packages that differ: ``before`` and ``after``, null for none."""
    before, after = (
        {package["name"]: package["version"] for package in packages_of(record, record.lock)}
        for record in (one, other)
    )
    names = sorted({*before, *after})
    rows = ({"name": n, "before": before.get(n), "after": after.get(n)} for n in names)
    return [row for row in rows if row["before"] != row["after"]]


def _built(environments: WorkspaceEnvironments, record: EnvironmentRecord) -> Any:
    marker = environments.marker(record)
    if marker is None:
        return None
    marker_path = folder_of(record.key, environments.root) / MARKER
    return {
        "num_bytes": marker.num_bytes,
        "own_bytes": marker.own_bytes,
        "num_packages": marker.num_packages,
        "seconds": round(marker.seconds, 3),
        "last_used": marker_path.stat().st_mtime,
    }
