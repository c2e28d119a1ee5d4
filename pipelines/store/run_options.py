"""How a run is to be executed: what is kept with its document when it is submitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What was asked for besides the document. Runs of earlier versions lack some of it."""

    to_node: str | None = None
    """Only what this node needs is executed."""
    owner: Mapping[str, Any] | None = None
    """The process with which the run ends (``ProcessIdentity`` as JSON); None: it outlives all."""
    allowed_roots: tuple[str, ...] | None = None
    """Folders that its modules may read files of this machine below; None: everywhere."""
    description: str = ""
    pipeline_id: str | None = None
    """The saved pipeline that the document was taken from."""
    from_run: str | None = None
    """The run that is repeated."""
    forced: tuple[str, ...] = ()
    """Nodes that are made anew, and with them what follows them."""
    target: str | None = None
    only: tuple[str, ...] = ()
    """With ``target`` how the document differs from the pipeline, to ask for the same again."""

    def to_json(self) -> dict[str, Any]:
        """The JSON object in the database."""
        values = {field.name: _plain(getattr(self, field.name)) for field in fields(RunOptions)}
        return {"to": values.pop("to_node"), **values}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> RunOptions:
        """What is in the database, of any version: null and nothing are the default."""
        known = {field.name: stored.get(field.name) for field in fields(RunOptions)}
        known["to_node"] = stored.get("to")
        return cls(**{name: _kept(each) for name, each in known.items() if each is not None})


DEFAULTS = RunOptions()


def root_texts(roots: Sequence[Path | str] | None) -> tuple[str, ...] | None:
    """Folders as ``allowed_roots`` has them."""
    return None if roots is None else tuple(str(root) for root in roots)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _kept(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
