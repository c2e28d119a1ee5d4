"""Environments: the packages that scripts run with."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from designer_app.schemas.shape import Shape

Base = Literal["designer", "isolated", "image"]
NAME_PATTERN = r"^[a-z0-9][a-z0-9._-]{0,63}$"


class EnvironmentBuilt(Shape):
    """What was built of it."""

    num_bytes: int
    own_bytes: int = Field(description="Those that nothing else shares.")
    num_packages: int = Field(description="Beside those of its base.")
    seconds: float
    last_used: float


class EnvironmentSummary(Shape):
    """A version of an environment."""

    name: str
    version: int
    reference: str = Field(description="What run settings call it: NAME@VERSION.")
    curated: bool = Field(description="It comes with the designer.")
    requirements: list[str]
    base: Base
    image: str = Field("", description="Its reference, for that base.")
    python: str
    as_of: str | None
    allow_builds: bool
    left_out: list[str] = Field(description="What its file asked for that it cannot give.")
    key: str
    created: float
    used_by: list[str] = Field(description="Ids of saved pipelines.")
    built: EnvironmentBuilt | None


class EnvironmentList(Shape):
    environments: list[EnvironmentSummary]
    can_install: bool = Field(description="False where uv is not there.")


class EnvironmentPackage(Shape):
    name: str
    version: str
    shared: bool = Field(description="It is the designer's own.")


class EnvironmentDetail(EnvironmentSummary):
    packages: list[EnvironmentPackage]
    lock: str


class EnvironmentQuestion(Shape):
    """What is asked for: the text of a list, project, script or conda file, and choices."""

    text: str = Field("", max_length=200_000)
    file_name: str = Field("requirements.txt", max_length=200)
    groups: list[str] = Field(default=[], max_length=50)
    base: Base | None = Field(None, description="Null: as the file has it.")
    image: str = Field("", max_length=255, description="For the base image: its reference.")
    python: str | None = Field(None, max_length=100)
    as_of: str | None = Field(None, max_length=20)
    allow_builds: bool = False


class EnvironmentRequest(EnvironmentQuestion):
    """The same as the next version of a name."""

    name: str = Field(pattern=NAME_PATTERN)


class EnvironmentResolution(Shape):
    """What would be kept."""

    requirements: list[str]
    base: Base
    image: str = Field("", description="Its reference, for that base.")
    python: str
    as_of: str | None
    allow_builds: bool
    left_out: list[str]
    packages: list[EnvironmentPackage]
    lock: str


class EnvironmentBuildState(Shape):
    """How a build that this server began is going."""

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
