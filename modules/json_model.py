"""Base class of the objects that commands and the HTTP API return as JSON."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class JsonModel(BaseModel):
    """Immutable object with exactly these fields; TypeScript types are generated from it."""

    model_config = ConfigDict(frozen=True, extra="forbid")
