"""Type and origin of an artifact, from its manifest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from modules.artifacts import read_json
from pipelines.errors import UnreadableArtifactError
from pipelines.sentences import places
from pipelines.store.artifacts.manifest import MANIFEST


@dataclass(frozen=True)
class ArtifactFacts:
    """One output of one step."""

    folder: Path
    type: str
    run_id: str
    node: str
    module: str

    @property
    def artifact_id(self) -> str:
        return self.folder.parent.name

    @property
    def port(self) -> str:
        return self.folder.name


@lru_cache(maxsize=64)
def facts_of(folder: Path) -> ArtifactFacts:
    """Return the facts of the output in ``folder``.

    Raises ``UnreadableArtifactError`` for others.
    """
    try:
        stored = read_json(folder / MANIFEST)
        kind, run_id, node, module = (
            str(stored[name]) for name in ("type", "run_id", "node", "module")
        )
    except (OSError, ValueError, KeyError, TypeError):
        raise UnreadableArtifactError(places.MANIFEST_UNREADABLE) from None
    return ArtifactFacts(folder, kind, run_id, node, module)
