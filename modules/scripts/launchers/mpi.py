"""MPI: one mpirun, which starts every rank with Open MPI's own names."""

from __future__ import annotations

import os
import shutil

from modules.scripts.launchers.process_description import Launch, ProcessDescription

LOOPBACK = (
    *("--mca", "btl_tcp_if_include", "lo"),
    *("--mca", "oob_tcp_if_include", "lo"),
    *("--mca", "btl_vader_single_copy_mechanism", "none"),
)


def mpirun() -> str | None:
    """Where mpirun is; None where Open MPI is not installed."""
    return shutil.which("mpirun")


def plan(launch: Launch) -> list[ProcessDescription]:
    """The one mpirun; every rank prints into a log of its own."""
    port = launch.master["MASTER_PORT"]
    handed_on = {
        **launch.master,
        "AZ_BATCH_MASTER_NODE": f"{launch.master['MASTER_ADDR']}:{port}",
        "DESIGNER_PROCESSES_PER_NODE": str(launch.processes_per_node),
        **({"DESIGNER_GIVE_PYTORCH_NAMES": "1"} if launch.give_pytorch_names else {}),
    }
    argv = (
        mpirun() or "mpirun",
        *_options(),
        *("-np", str(launch.world_size)),
        *(word for name in handed_on for word in ("-x", name)),
        *launch.program.argv,
    )
    return [ProcessDescription("mpirun", 0, argv, handed_on)]


def num_ports(_launch: Launch) -> int:
    return 1


def _options() -> tuple[str, ...]:
    as_root = ("--allow-run-as-root",) if hasattr(os, "getuid") and os.getuid() == 0 else ()
    return (*as_root, "--oversubscribe", "--bind-to", "none", *LOOPBACK)
