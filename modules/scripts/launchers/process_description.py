"""One process that a launcher starts, and what it is made from: data only, nothing is started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from modules.scripts.launchers.program import Program

HOST = "127.0.0.1"
"""Where nodes are that are simulated on this machine."""
USUAL_PORT = 6105
"""``MASTER_PORT`` where it is free."""


@dataclass(frozen=True)
class Launch:
    """What is to be started, how often and where."""

    program: Program
    node_count: int = 1
    processes_per_node: int = 1
    parameter_server_count: int = 0
    ports: Sequence[int] = ()
    """One for each of the launcher's ``port_nodes``, there held for these processes."""
    hosts: Sequence[str] = ()
    """The addresses of the nodes; empty where all are on this machine."""
    networks: Sequence[str] = ()
    """In which those are, as ``10.0.0.0/24``."""
    meeting_file: Path = Path("process_group")
    """Where ranks may meet instead of at an address; not there yet."""
    has_own_command: bool = False
    """Whether a command was written in place of the script: on a node it starts the ranks."""
    give_pytorch_names: bool = True

    @property
    def world_size(self) -> int:
        return self.node_count * self.processes_per_node

    @property
    def master(self) -> dict[str, str]:
        """Where rank 0 waits for the others."""
        return {"MASTER_ADDR": self.host_of(0), "MASTER_PORT": str(self.ports[0])}

    def host_of(self, node: int) -> str:
        """The address of a node."""
        return self.hosts[node] if self.hosts else HOST


@dataclass(frozen=True)
class ProcessDescription:
    """A process to be started."""

    name: str
    """``rank 0``, ``node 1``, ``worker 0``: unique in its launch."""
    node: int
    argv: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    rank: int | None = None
    """Which rank it is; None where it starts the ranks itself."""
    log_number: int | None = None
    """Of its driver log; None: it prints into the launcher's."""
    starts_elsewhere: bool = False
    """True where it starts processes on other machines itself."""
    serves: bool = False
    """True where it ends only when it is ended: what it serves is done then."""
