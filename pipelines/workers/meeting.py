"""Rendezvous of ranks on several machines: a store on one address of the first node."""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from collections.abc import Callable
from typing import NoReturn

from modules.operating_system.forking import fork
from modules.operating_system.parent_death import die_with_parent
from pipelines.workers.agent_files import AgentFiles
from pipelines.workers.networks import address_towards, interface_of

RENDEZVOUS_TIMEOUT_SECONDS = 300.0
"""Rendezvous timeout: the first node may have to import torch from a slow folder."""
MEETING = "meeting.json"
BACKLOG = 4096


def meet(world_size: int, files: AgentFiles, node_rank: int, address: str) -> dict[str, str]:
    """Return the environment variables with which this node's ranks find the others.

    ``address`` is the first node's. Raises ``TimeoutError`` if it has not opened its store in time.
    """
    if node_rank == 0:
        port = _serve(address, world_size)
        files.write(MEETING, {"port": port})
    rendezvous = _wait_for(lambda: files.names() and files.read(MEETING))
    interface = interface_of(address if node_rank == 0 else address_towards(address))
    names = ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME") if interface else ()
    return {
        "MASTER_ADDR": address,
        "MASTER_PORT": str(rendezvous["port"]),
        "TORCHELASTIC_USE_AGENT_STORE": "True",  # every rank is a client of the store below
        **{name: str(interface) for name in names},
    }


def _wait_for(find: Callable[[], dict[str, int] | set[str] | None]) -> dict[str, int]:
    deadline = time.monotonic() + RENDEZVOUS_TIMEOUT_SECONDS
    while not isinstance(rendezvous := find(), dict):
        if time.monotonic() > deadline:
            raise TimeoutError(
                "Rendezvous timeout: the first machine did not open it in "
                f"{RENDEZVOUS_TIMEOUT_SECONDS:g} s."
            )
        time.sleep(0.05)
    return rendezvous


def _serve(address: str, world_size: int) -> int:
    """Start a store in a child of this host, with which it ends; return its port.

    It imports torch when the first rank connects: steps whose ranks never meet do not need it.
    """
    listening = socket.socket()
    listening.bind((address, 0))
    listening.listen(BACKLOG)
    port, host = int(listening.getsockname()[1]), os.getpid()

    def serve() -> NoReturn:
        die_with_parent(host)
        select.select([listening], [], [])
        import torch.distributed as dist

        # It listens only on the given socket; by default it would listen on every interface.
        _store = dist.TCPStore(  # type: ignore[attr-defined]
            address,
            port,
            world_size,
            is_master=True,
            wait_for_workers=False,
            master_listen_fd=listening.detach(),
        )
        while True:
            signal.pause()

    fork(serve)
    listening.close()
    return port
