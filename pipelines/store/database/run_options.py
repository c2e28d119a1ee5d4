"""Options of a run, stored with its document on submission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Options besides the document. Runs of earlier versions lack some of them."""

    to_node: str | None = None
    """Execute only what this node needs."""
    owner: Mapping[str, Any] | None = None
    """Process with which the run ends (``ProcessIdentity`` as JSON); None: it continues."""
    allowed_roots: tuple[str, ...] | None = None
    """Folders below which its modules may read local files; None: everywhere."""
    description: str = ""
    pipeline_id: str | None = None
    """Saved pipeline of the document."""
    from_run: str | None = None
    """Run that is repeated."""
    forced: tuple[str, ...] = ()
    """Nodes that are recomputed with everything downstream."""
    target: str | None = None
    only: tuple[str, ...] = ()
    """Together with ``target``: changes of the document, for requesting the same again."""
    sweep: Mapping[str, Any] | None = None
    """Sweep of a trial: its ``id`` and the ``number`` of the trial, from 0."""
    pause: Mapping[str, int] | None = None
    """Epochs after which nodes pause; the run then ends with the status ``paused``."""
    submission: str | None = None
    """Source and key of the submission that started it once (``submissions``)."""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object for the database."""
        values = {field.name: _plain(getattr(self, field.name)) for field in fields(RunOptions)}
        return {"to": values.pop("to_node"), **values}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> RunOptions:
        """Return the options in the database, of any version; null is the default."""
        values = {field.name: stored.get(field.name) for field in fields(RunOptions)}
        values["to_node"] = stored.get("to")
        return cls(
            **{name: _hashable(value) for name, value in values.items() if value is not None}
        )


DEFAULTS = RunOptions()


def root_texts(roots: Sequence[Path | str] | None) -> tuple[str, ...] | None:
    """Return folders in the form of ``allowed_roots``."""
    return None if roots is None else tuple(str(root) for root in roots)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
