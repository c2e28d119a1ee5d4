"""No launcher: one process, as it is."""

from __future__ import annotations

from modules.scripts.launchers.process_description import Launch, ProcessDescription


def plan(launch: Launch) -> list[ProcessDescription]:
    """One process without any variable of its own."""
    return [ProcessDescription("process", 0, launch.program.argv, rank=0, log_number=0)]


def port_nodes(_launch: Launch) -> list[int]:
    return []
