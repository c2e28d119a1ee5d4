"""Facts of a node, and whether nodes fit a step and each other; without torch."""

from __future__ import annotations

import hashlib
import os
import platform
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypedDict

from modules.operating_system.machine import gpu_names, num_cores
from modules.sentences.sentence import Statement
from pipelines.sentences import targets as say
from pipelines.store.artifacts.cache_keys import library_version
from pipelines.workers.agent_files import NodeFacts, Order
from pipelines.workers.machine_lock import own_folder
from pipelines.workers.networks import own_networks
from pipelines.workers.step_spec import StepSpec

MOST_SKEW_SECONDS = 120.0
BLOCK_BYTES = 4096
ROOT = Path(__file__).resolve().parents[2]
NAMES = {"python": "Python", "torch": "torch", "code": "Pipeline Designer's code"}


class FolderLack(TypedDict):
    """Reason why a folder cannot be used."""

    missing: str
    """``folder`` (it does not exist) or ``writing``."""
    why: str
    """Message of the system."""


@cache
def software() -> dict[str, str]:
    """Return the versions that must be the same on all nodes and the runner's machine."""
    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "torch": library_version("torch"),
        "code": _code_hash(),
    }


def _code_hash() -> str:
    digest = hashlib.sha256()
    for package in ("modules", "pipelines"):
        for path in sorted((ROOT / package).rglob("*.py")):
            digest.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def node_facts() -> NodeFacts:
    """Return the facts of this node."""
    return {
        "host": platform.node(),
        "pid": os.getpid(),
        "networks": own_networks(),
        "cores": num_cores(),
        "gpus": len(gpu_names()),
        "time": time.time(),
        "software": software(),
        "lack": _own_lack(),
    }


def _own_lack() -> dict[str, str] | None:
    """Return why this node's local folder cannot be used: ``folder`` and ``why``."""
    try:
        folder = own_folder()
    except OSError as error:
        return {"folder": tempfile.gettempdir(), "why": error.strerror or str(error)}
    lack = folder_lack(folder)
    return None if lack is None else {"folder": str(folder), "why": lack["why"]}


def folder_lack(folder: Path) -> FolderLack | None:
    """Return why a folder of the workspace cannot be used here; None if it can."""
    if not folder.is_dir():
        return {"missing": "folder", "why": "folder not found"}
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(BLOCK_BYTES))  # a full disk accepts a file without content
    except OSError as error:
        return {"missing": "writing", "why": error.strerror or str(error)}
    return None


def misfit(spec: StepSpec, order: Order, nodes: Sequence[NodeFacts]) -> Statement | None:
    """Return why these nodes cannot run a step together; None if they can.

    Each has the facts of ``AgentFiles.node``.
    """
    for node in nodes:
        reason = _lacks(spec, order, node)
        if reason is not None:
            return reason
    return clocks_apart(nodes)


def clocks_apart(nodes: Sequence[NodeFacts]) -> Statement | None:
    """Return the nodes whose clocks differ from the first one's by more than trainings tolerate."""
    first, skews = nodes[0], [node["skew"] for node in nodes]
    worst = max(range(len(nodes)), key=lambda index: abs(skews[index] - skews[0]))
    apart = abs(skews[worst] - skews[0])
    if apart > MOST_SKEW_SECONDS:
        facts = {"host": nodes[worst]["host"], "first": first["host"], "seconds": round(apart)}
        return say.CLOCKS_DIFFER.about(facts)
    return None


def _lacks(spec: StepSpec, order: Order, node: NodeFacts) -> Statement | None:
    host, own = node["host"], node["software"]
    for name, required in order.software.items():
        if own.get(name) != required:
            facts = {"host": host, "what": NAMES[name], "theirs": own.get(name), "ours": required}
            return say.VERSIONS_DIFFER.about(facts)
    if node["lack"] is not None:
        return say.NODE_CANNOT_WRITE.about({"host": host, **node["lack"]})
    if node["gpus"] < order.gpus:
        return say.TOO_FEW_GPUS.about({"host": host, "count": node["gpus"], "wanted": order.gpus})
    cores = (spec.cores_per_process or 0) * spec.process_count_per_node
    if node["cores"] < cores:
        return say.TOO_FEW_CORES.about({"host": host, "count": node["cores"], "wanted": cores})
    return None
