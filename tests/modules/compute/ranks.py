"""Several processes that train together, as the executor starts them: by environment variables."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path

from modules.scripts.launchers.ports import held_ports
from pipelines.workers.preloads import TORCH_IMPORTS


def run_ranks(work: Callable[[int, int, Path], None], world_size: int, folder: Path) -> list[int]:
    """The exit codes of ``work(rank, world_size, folder)``, each in a process of its own."""
    with held_ports(1, first=0) as [port]:  # held until torch takes it
        return _run_at(port, work, world_size, folder)


def _run_at(
    port: int, work: Callable[[int, int, Path], None], world_size: int, folder: Path
) -> list[int]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(TORCH_IMPORTS))
    processes = [
        context.Process(target=_run, args=(work, rank, world_size, port, folder))
        for rank in range(world_size)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
        if process.is_alive():
            process.kill()
            process.join()
    return [int(process.exitcode or 0) for process in processes]


def _run(
    work: Callable[[int, int, Path], None], rank: int, world_size: int, port: int, folder: Path
) -> None:
    os.environ.update(
        MASTER_ADDR="127.0.0.1",
        MASTER_PORT=str(port),
        RANK=str(rank),
        LOCAL_RANK=str(rank),
        WORLD_SIZE=str(world_size),
    )
    # Where it hangs, should it ever.
    faulthandler.dump_traceback_later(120)
    work(rank, world_size, folder)
