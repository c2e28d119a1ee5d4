"""Environments and their builds as commands and the HTTP API return them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from packaging.utils import canonicalize_name
from pydantic import Field

from modules.json_model import JsonModel
from pipelines.environments.base_layer import base_versions
from pipelines.environments.builder import MARKER, folder_of
from pipelines.environments.definition import Base, EnvironmentDefinition, EnvironmentRecord
from pipelines.environments.environment_keys import needed_packages
from pipelines.environments.interpreters import designers_own
from pipelines.environments.lock_lines import is_same_version
from pipelines.environments.workspace_environments import WorkspaceEnvironments


class EnvironmentBuilt(JsonModel):
    """Built copy of an environment."""

    num_bytes: int
    own_bytes: int = Field(description="Bytes not shared with anything else.")
    num_packages: int = Field(description="Packages in addition to those of its base.")
    seconds: float
    last_used: float


class EnvironmentSummary(JsonModel):
    """Version of an environment."""

    name: str
    version: int
    reference: str = Field(description="Name in run settings: NAME@VERSION.")
    curated: bool = Field(description="Included with the designer.")
    requirements: tuple[str, ...]
    base: Base
    image: str = Field("", description="Image reference, for the base image.")
    python: str
    as_of: str | None
    allow_builds: bool
    left_out: tuple[str, ...] = Field(description="Unsupported entries of its file.")
    key: str
    created: float
    used_by: list[str] = Field(description="Ids of saved pipelines.")
    built: EnvironmentBuilt | None


class EnvironmentPackage(JsonModel):
    name: str
    version: str
    shared: bool = Field(description="Part of the designer's own packages.")


class EnvironmentDetail(EnvironmentSummary):
    packages: list[EnvironmentPackage]
    lock: str


class EnvironmentResolution(JsonModel):
    """Resolved specification."""

    requirements: tuple[str, ...]
    base: Base
    image: str = Field("", description="Image reference, for the base image.")
    python: str
    as_of: str | None
    allow_builds: bool
    left_out: tuple[str, ...]
    packages: list[EnvironmentPackage]
    lock: str


class EnvironmentChange(JsonModel):
    name: str
    before: str | None
    after: str | None


def environment_summary(
    environments: WorkspaceEnvironments, record: EnvironmentRecord, used_by: Sequence[str] = ()
) -> EnvironmentSummary:
    """Return a version without its lock."""
    return EnvironmentSummary.copied(
        record,
        python=_python(environments, record),
        used_by=list(used_by),
        built=built_copy(environments, record),
    )


def environment_detail(
    environments: WorkspaceEnvironments, record: EnvironmentRecord, used_by: Sequence[str] = ()
) -> EnvironmentDetail:
    """Return a version with its packages and its lock."""
    summary = environment_summary(environments, record, used_by)
    packages = packages_of(record, record.lock)
    return EnvironmentDetail(**dict(summary), packages=packages, lock=record.lock)


def environment_resolution(definition: EnvironmentDefinition, lock: str) -> EnvironmentResolution:
    """Return a specification with the packages of its lock."""
    packages = packages_of(definition, lock)
    return EnvironmentResolution(**asdict(definition), packages=packages, lock=lock)


def _python(environments: WorkspaceEnvironments, record: EnvironmentRecord) -> str:
    """Return its Python version; for an image it is known once that was built."""
    marker = environments.marker(record) if record.base == "image" else None
    if record.base == "image":
        return marker.image.version if marker and marker.image else ""
    return record.python or designers_own().version


def packages_of(definition: EnvironmentDefinition, lock: str) -> list[EnvironmentPackage]:
    """Return name and version of what its Python finds, its own packages before the designer's."""
    base = base_versions() if definition.base == "designer" else {}
    own: dict[str, str] = {
        canonicalize_name(package.name): package.version
        for package in needed_packages(lock, definition.python or designers_own().version)
    }
    packages = [
        EnvironmentPackage(
            name=name, version=version, shared=is_same_version(version, base.get(name, ""))
        )
        for name, version in sorted({**base, **own}.items())
    ]
    return sorted(packages, key=lambda package: package.shared)


def difference_of(one: EnvironmentRecord, other: EnvironmentRecord) -> list[EnvironmentChange]:
    """Return the packages that differ: ``before`` and ``after``, null for none."""
    before, after = (
        {package.name: package.version for package in packages_of(record, record.lock)}
        for record in (one, other)
    )
    return [
        EnvironmentChange(name=name, before=before.get(name), after=after.get(name))
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    ]


def built_copy(
    environments: WorkspaceEnvironments, record: EnvironmentRecord
) -> EnvironmentBuilt | None:
    """Return the built copy of a version; None if it is not built."""
    marker = environments.marker(record)
    if marker is None:
        return None
    marker_path = folder_of(record.key, environments.root) / MARKER
    return EnvironmentBuilt(
        num_bytes=marker.num_bytes,
        own_bytes=marker.own_bytes,
        num_packages=marker.num_packages,
        seconds=round(marker.seconds, 3),
        last_used=marker_path.stat().st_mtime,
    )
