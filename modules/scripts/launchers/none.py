"""No launcher: one process, unchanged."""

from __future__ import annotations

from modules.scripts.launchers.process_description import Launch, ProcessDescription


def plan(launch: Launch) -> list[ProcessDescription]:
    """Return one process without any launcher variables."""
    return [ProcessDescription("process", 0, launch.program.argv, rank=0, log_number=0)]


def port_nodes(_launch: Launch) -> list[int]:
    return []
