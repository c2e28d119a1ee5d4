"""PyTorch, per process: every rank is started here, with the variables of ``env://``."""

from __future__ import annotations

from modules.scripts.launchers.process_description import Launch, ProcessDescription


def plan(launch: Launch) -> list[ProcessDescription]:
    """Return one process for each rank."""
    return [_rank(launch, rank) for rank in range(launch.world_size)]


def port_nodes(_launch: Launch) -> list[int]:
    return [0]


def _rank(launch: Launch, rank: int) -> ProcessDescription:
    node, local_rank = divmod(rank, launch.processes_per_node)
    variables = {
        **launch.master,
        "WORLD_SIZE": str(launch.world_size),
        "RANK": str(rank),
        "LOCAL_RANK": str(local_rank),
        "LOCAL_WORLD_SIZE": str(launch.processes_per_node),
        "NODE_RANK": str(node),
        "GROUP_RANK": str(node),
        # Azure's name of the same for torch.distributed's older initialisation
        "AZ_BATCHAI_PYTORCH_INIT_METHOD": launch.meeting_file.as_uri(),
        "AZ_BATCHAI_TASK_INDEX": str(rank),
    }
    argv = launch.program.argv
    return ProcessDescription(f"rank {rank}", node, argv, variables, rank=rank, log_number=rank)
