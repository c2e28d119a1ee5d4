"""Requests about environments: the packages used by scripts."""

from __future__ import annotations

from pydantic import Field

from modules.json_model import JsonModel
from pipelines.environments.definition import Base

NAME_PATTERN = r"^[a-z0-9][a-z0-9._-]{0,63}$"


class EnvironmentQuestion(JsonModel):
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
