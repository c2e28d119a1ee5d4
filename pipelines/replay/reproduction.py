"""Replays as references for a rerun: the results of another user's run."""

from __future__ import annotations

from pathlib import Path

from pipelines.replay.archive import read_file, unpack
from pipelines.runs.reproduction import Original, ReproducedOutput


def original_of_replay(path: Path) -> Original:
    """Return the results in a ``.replay`` file.

    Raises ``PipelineError`` with the reason for an invalid one.
    """
    opened = unpack(read_file(path))
    recorded = opened.replay.environment.model_dump(mode="json", exclude={"recorded"})
    return Original(
        name=path.name,
        document=opened.document,
        to_node=opened.replay.run.to_node,
        allowed_roots=None,
        environment=recorded,
        outputs=[
            ReproducedOutput(
                artifact.node,
                artifact.port,
                artifact.type,
                artifact.artifact_id,
                artifact.content,
                None,
            )
            for artifact in opened.replay.artifacts
        ],
    )
