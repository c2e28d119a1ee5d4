"""Base class of the objects that commands and the HTTP API return as JSON."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class JsonModel(BaseModel):
    """Immutable object with exactly these fields; TypeScript types are generated from it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def copied(cls, source: object, **others: Any) -> Self:
        """Return a model with the attributes of a source that its fields name, and the others."""
        own = {name: getattr(source, name) for name in cls.model_fields if name not in others}
        return cls(**own, **others)
