"""MPI: one mpirun, which starts every rank with Open MPI's own names."""

from __future__ import annotations

import os
import shutil

from modules.scripts.launchers.process_description import Launch, ProcessDescription

AGENT = "/bin/sh -c eval${IFS}$DESIGNER_REMOTE_SHELL"
"""Command that mpirun calls to start its daemon on another machine. It splits it at spaces, and
puts it into double quotes for its daemons, so it must not contain paths or quotes.
"""
ALIKE = ("--mca", "btl_vader_single_copy_mechanism", "none")


def mpirun() -> str | None:
    """Return the path of mpirun; None if Open MPI is not installed."""
    return shutil.which("mpirun")


def plan(launch: Launch) -> list[ProcessDescription]:
    """Return the one mpirun; every rank writes to its own log."""
    port = launch.master["MASTER_PORT"]
    handed_on = {
        **launch.master,
        "AZ_BATCH_MASTER_NODE": f"{launch.master['MASTER_ADDR']}:{port}",
        "DESIGNER_PROCESSES_PER_NODE": str(launch.processes_per_node),
        **({"DESIGNER_GIVE_PYTORCH_NAMES": "1"} if launch.give_pytorch_names else {}),
    }
    argv = (
        mpirun() or "mpirun",
        *_options(launch),
        *("-np", str(launch.world_size)),
        *(word for name in handed_on for word in ("-x", name)),
        *launch.program.argv,
    )
    return [ProcessDescription("mpirun", 0, argv, handed_on, starts_elsewhere=True)]


def port_nodes(_launch: Launch) -> list[int]:
    return [0]


def _options(launch: Launch) -> tuple[str, ...]:
    as_root = ("--allow-run-as-root",) if hasattr(os, "getuid") and os.getuid() == 0 else ()
    places = _on_machines(launch) if launch.hosts else _on_this_one()
    return (*as_root, "--oversubscribe", "--bind-to", "none", *places, *ALIKE)


def _on_this_one() -> tuple[str, ...]:
    """Return options for one machine: without ssh, Open MPI would otherwise fail early."""
    return ("--mca", "plm_rsh_agent", "/bin/sh", *_networks("include", "lo"))


def _on_machines(launch: Launch) -> tuple[str, ...]:
    """Return options for several machines, like with ``ssh``: the machines start its daemons."""
    hosts = ",".join(f"{host}:{launch.processes_per_node}" for host in launch.hosts)
    networks = ",".join(launch.networks)
    return (
        *("--mca", "plm", "rsh"),
        *("--mca", "plm_rsh_agent", AGENT),
        *("--mca", "plm_rsh_no_tree_spawn", "1"),
        *(_networks("include", networks) if networks else _networks("exclude", "lo")),
        *("--host", hosts, "--map-by", "slot"),
    )


def _networks(how: str, names: str) -> tuple[str, ...]:
    """Return options for the networks of a machine, as Open MPI would otherwise try each."""
    kinds = (f"btl_tcp_if_{how}", f"oob_tcp_if_{how}")
    return tuple(word for kind in kinds for word in ("--mca", kind, names))
