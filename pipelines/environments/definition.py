"""What an environment is: what was asked for, and the lock that was found for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self, get_args

Base = Literal["designer", "isolated", "image"]
BASES: tuple[Base, ...] = get_args(Base)


@dataclass(frozen=True, kw_only=True)
class EnvironmentDefinition:
    """What somebody asks for."""

    requirements: tuple[str, ...] = ()
    """Names and versions, as ``requirement_lines`` takes them."""
    base: Base = "designer"
    """``designer``: what the designer computes with is there by links; ``isolated``: nothing is;
    ``image``: all is that of an image of podman or docker."""
    image: str = ""
    """Its reference, for that base."""
    python: str = ""
    """``3.8`` or ``3.8.18``; empty: the designer's own."""
    as_of: str | None = None
    """Packages as they were at the end of this day, ``2021-04-22``; None: the newest."""
    allow_builds: bool = False
    """Packages without wheels may run their own code while they are installed."""
    left_out: tuple[str, ...] = ()
    """What a file asked for that no environment can give, in sentences."""

    def changed(self, **values: Any) -> Self:
        """The same but for these values."""
        return replace(self, **values)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class EnvironmentRecord(EnvironmentDefinition):
    """A version of a named environment; it never changes, and is built from this alone."""

    name: str
    version: int
    lock: str
    """Lines ``name==version`` with the hashes of their files, or an image's id, and no address."""
    key: str
    """What is built of it: equal keys share one folder."""
    curated: bool = False
    """It comes with the designer."""
    created: float = 0.0

    @property
    def reference(self) -> str:
        """What a node's run settings call it."""
        return f"{self.name}@{self.version}"

    @property
    def definition(self) -> EnvironmentDefinition:
        """What was asked for, to be asked for again or changed."""
        names = EnvironmentDefinition.__dataclass_fields__
        return EnvironmentDefinition(**{name: getattr(self, name) for name in names})

    def with_key(self, key: str) -> Self:
        """The same, built as ``key``."""
        return self.changed(key=key)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """The record that ``to_json`` told of; what it does not know is passed over."""
        known = {name: content[name] for name in cls.__dataclass_fields__ if name in content}
        for name in ("requirements", "left_out"):
            known[name] = tuple(known.get(name, ()))
        return cls(**known)
