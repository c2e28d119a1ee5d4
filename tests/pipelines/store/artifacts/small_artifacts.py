"""Small artifacts, stored without a run."""

from __future__ import annotations

from modules.artifacts import Artifact
from modules.files.hashing import stat_fingerprint
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.manifest import seal


class Linked(Artifact):
    """An artifact that refers to files of others."""

    needed: frozenset[str] = frozenset()

    @property
    def references(self) -> frozenset[str]:
        return self.needed


def enter(store: ArtifactStore, key: str, text: str, needed: frozenset[str] = frozenset()) -> str:
    """Put a small artifact of that key into the store."""
    made_by = {"key": key, "run_id": "20260101-000000-abcd", "node": "node"}
    staging = store.staging_dir(made_by["run_id"], made_by["node"], 1)
    folder = staging / "output"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text(text, encoding="utf-8")
    (folder / "deep" / "b.txt").write_text(text * 2, encoding="utf-8")
    artifact = Linked(folder)
    artifact.needed = needed
    seal(folder, artifact, made_by)
    fingerprint = stat_fingerprint(staging)
    return store.commit(staging, key, made_by["run_id"], made_by["node"], fingerprint)
