"""Environments: the packages used by scripts."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from designer_app.schemas.shape import Shape

Base = Literal["designer", "isolated", "image"]
NAME_PATTERN = r"^[a-z0-9][a-z0-9._-]{0,63}$"


class EnvironmentBuilt(Shape):
    """Built copy of an environment."""

    num_bytes: int
    own_bytes: int = Field(description="Bytes not shared with anything else.")
    num_packages: int = Field(description="Packages in addition to those of its base.")
    seconds: float
    last_used: float


class EnvironmentSummary(Shape):
    """Version of an environment."""

    name: str
    version: int
    reference: str = Field(description="Name in run settings: NAME@VERSION.")
    curated: bool = Field(description="Included with the designer.")
    requirements: list[str]
    base: Base
    image: str = Field("", description="Image reference, for the base image.")
    python: str
    as_of: str | None
    allow_builds: bool
    left_out: list[str] = Field(description="Unsupported entries of its file.")
    key: str
    created: float
    used_by: list[str] = Field(description="Ids of saved pipelines.")
    built: EnvironmentBuilt | None


class EnvironmentList(Shape):
    environments: list[EnvironmentSummary]
    can_install: bool = Field(description="False if uv is not installed.")


class EnvironmentPackage(Shape):
    name: str
    version: str
    shared: bool = Field(description="Part of the designer's own packages.")


class EnvironmentDetail(EnvironmentSummary):
    packages: list[EnvironmentPackage]
    lock: str


class EnvironmentQuestion(Shape):
    """Specification: the text of a requirements, project, script or conda file, and choices."""

    text: str = Field("", max_length=200_000)
    file_name: str = Field("requirements.txt", max_length=200)
    groups: list[str] = Field(default=[], max_length=50)
    base: Base | None = Field(None, description="Null: as in the file.")
    image: str = Field("", max_length=255, description="Image reference, for the base image.")
    python: str | None = Field(None, max_length=100)
    as_of: str | None = Field(None, max_length=20)
    allow_builds: bool = False


class EnvironmentRequest(EnvironmentQuestion):
    """Specification to be stored as the next version of a name."""

    name: str = Field(pattern=NAME_PATTERN)


class EnvironmentResolution(Shape):
    """Resolved specification."""

    requirements: list[str]
    base: Base
    image: str = Field("", description="Image reference, for the base image.")
    python: str
    as_of: str | None
    allow_builds: bool
    left_out: list[str]
    packages: list[EnvironmentPackage]
    lock: str


class EnvironmentBuildState(Shape):
    """Progress of a build started by this server."""

    state: Literal["none", "building", "built", "failed"]
    lines: list[str]
    failure: str


class EnvironmentDamage(Shape):
    package: str
    file: str
    what: str


class EnvironmentDamages(Shape):
    damages: list[EnvironmentDamage]


class EnvironmentChange(Shape):
    name: str
    before: str | None
    after: str | None


class EnvironmentDifference(Shape):
    packages: list[EnvironmentChange]


class EnvironmentRemoved(Shape):
    reference: str
    freed_bytes: int
