"""Compute targets."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from modules.json_model import JsonModel


class TargetRequest(JsonModel):
    """Cluster, or this machine as several simulated nodes for learning and testing."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    simulated_nodes: int | None = Field(None, ge=1, le=64)
    kind: str = "local"
    settings: dict[str, str | int | float] = {}

    @model_validator(mode="after")
    def _has_nodes(self) -> Self:
        if self.kind == "local" and self.simulated_nodes is None:
            raise ValueError("simulated_nodes is missing")
        return self

    @property
    def given(self) -> dict[str, str | int | float]:
        """Return all settings of the request."""
        nodes = self.simulated_nodes
        return self.settings if nodes is None else {**self.settings, "simulated_nodes": nodes}
