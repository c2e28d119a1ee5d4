"""Outputs of followers, which are not kept with those of the first process.

A machine that shares no folder with the leader lists its own:
``working/listings/outputs-<node>.json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from modules.files.json_files import read_if_valid, write_whole
from modules.scripts.work_folder import OUTPUTS, WorkFolder

MAX_LISTED = 1000


def list_outputs(work: WorkFolder, node: int) -> Path:
    """Write the names of a machine's outputs into its listing, and return the listing's path."""
    path = _listing(work, node)
    path.parent.mkdir(exist_ok=True)
    write_whole(path, {"names": sorted(_names_in(work, node))[:MAX_LISTED]})
    return path


def unkept_outputs(work: WorkFolder) -> Mapping[int, list[str]]:
    """Return the names of files that only other machines have in their outputs, by machine."""
    if work.kind != "node":
        return {}
    kept = _names_in(work, 0)
    by_node = {node: _names_in(work, node) | _listed(work, node) for node in range(work.node_count)}
    return {node: sorted(names - kept) for node, names in by_node.items() if names - kept}


def ranks_of(nodes: Iterable[int], work: WorkFolder) -> list[int]:
    """Return the ranks of machines, in order."""
    per_node = work.processes_per_node
    return [node * per_node + local_rank for node in nodes for local_rank in range(per_node)]


def _names_in(work: WorkFolder, node: int) -> set[str]:
    [home] = work.homes_of(node)
    folder = home / OUTPUTS
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix() for path in files}


def _listed(work: WorkFolder, node: int) -> set[str]:
    listing = read_if_valid(_listing(work, node)) or {}
    return set(map(str, listing.get("names", ())))


def _listing(work: WorkFolder, node: int) -> Path:
    return work.listings / f"outputs-{node}.json"
