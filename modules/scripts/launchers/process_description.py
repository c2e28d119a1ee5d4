"""Description of one process that a launcher starts, as data only; nothing is started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from modules.scripts.launchers.program import Program

HOST = "127.0.0.1"
"""Address of nodes that are simulated on this machine."""
USUAL_PORT = 6105
"""Default ``MASTER_PORT``, if it is free."""


@dataclass(frozen=True)
class Launch:
    """The program, the counts and the machines of a launch."""

    program: Program
    node_count: int = 1
    processes_per_node: int = 1
    parameter_server_count: int = 0
    ports: Sequence[int] = ()
    """One port for each of the launcher's ``port_nodes``, reserved there for these processes."""
    hosts: Sequence[str] = ()
    """Addresses of the nodes; empty if all are on this machine."""
    networks: Sequence[str] = ()
    """Networks of those addresses, such as ``10.0.0.0/24``."""
    meeting_file: Path = Path("process_group")
    """Rendezvous file for ranks, in place of an address; it does not exist yet."""
    has_own_command: bool = False
    """True if a command replaces the script: on a node it starts the ranks."""
    give_pytorch_names: bool = True

    @property
    def world_size(self) -> int:
        return self.node_count * self.processes_per_node

    @property
    def master(self) -> dict[str, str]:
        """Return the address on which rank 0 waits for the others."""
        return {"MASTER_ADDR": self.host_of(0), "MASTER_PORT": str(self.ports[0])}

    def host_of(self, node: int) -> str:
        """Return the address of a node."""
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
    """Rank of the process; None if it starts the ranks itself."""
    log_number: int | None = None
    """Number of its driver log; None: it writes to the launcher's log."""
    starts_elsewhere: bool = False
    """True if it starts processes on other machines itself."""
    serves: bool = False
    """True if it only ends when it is terminated, as it serves other processes."""
