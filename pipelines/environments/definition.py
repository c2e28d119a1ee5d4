"""Definition of an environment: the request and the lock that was resolved for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, get_args

Base = Literal["designer", "isolated", "image"]
BASES: tuple[Base, ...] = get_args(Base)


@dataclass(frozen=True, kw_only=True)
class EnvironmentDefinition:
    """Requested environment."""

    requirements: tuple[str, ...] = ()
    """Names and versions in the form that ``requirement_lines`` accepts."""
    base: Base = "designer"
    """``designer``: the designer's own packages by links; ``isolated``: nothing; ``image``: an
    image of podman or docker."""
    image: str = ""
    """Reference of the image for that base."""
    python: str = ""
    """``3.8`` or ``3.8.18``; empty: the designer's own."""
    as_of: str | None = None
    """Packages as of the end of this day, ``2021-04-22``; None: the newest."""
    allow_builds: bool = False
    """True if packages without wheels may run their own code during installation."""
    left_out: tuple[str, ...] = ()
    """Requests in a file that no environment can fulfil, as sentences."""

    def changed(self, **values: Any) -> Self:
        """Return a copy with changed values."""
        return replace(self, **values)


@dataclass(frozen=True, kw_only=True)
class EnvironmentRecord(EnvironmentDefinition):
    """Version of a named environment; immutable and sufficient for building it."""

    name: str
    version: int
    lock: str
    """Lines ``name==version`` with hashes of their files, or an image's id, without addresses."""
    key: str
    """Key of what is built: equal keys share one folder."""
    curated: bool = False
    """True if it is shipped with the designer."""
    created: float = 0.0

    @property
    def reference(self) -> str:
        """Return its name in a node's run settings."""
        return f"{self.name}@{self.version}"

    @property
    def definition(self) -> EnvironmentDefinition:
        """Return the request, for another resolution or a change."""
        names = EnvironmentDefinition.__dataclass_fields__
        return EnvironmentDefinition(**{name: getattr(self, name) for name in names})

    def with_key(self, key: str) -> Self:
        """Return a copy built as ``key``."""
        return self.changed(key=key)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """Return the record from its fields as JSON; unknown ones are ignored."""
        values = {name: content[name] for name in cls.__dataclass_fields__ if name in content}
        for name in ("requirements", "left_out"):
            values[name] = tuple(values.get(name, ()))
        return cls(**values)
