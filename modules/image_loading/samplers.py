"""Assignment of images to batches.

An epoch's order depends only on (seed, epoch), its random operations only on (seed, epoch, rank): a
training that resumes between two epochs continues as if it had not been interrupted.
"""

from __future__ import annotations

from modules.compute.seeds import derived_seed

Indices = list[int]


def training_batches(
    num_images: int,
    batch_size: int,
    smallest_batch: int,
    seed: int,
    epoch: int,
    rank: int = 0,
    world_size: int = 1,
) -> list[Indices]:
    """Return this process's batches of one epoch, of the same number and size on every process.

    The images are shuffled in each epoch and dealt to the processes in turn. The rest after the
    last full round is dealt evenly too: at most ``world_size - 1`` images are skipped in an epoch,
    or the whole rest if a process would get fewer than ``smallest_batch`` of them.
    """
    import numpy as np

    order = np.random.default_rng(derived_seed("order", seed, epoch)).permutation(num_images)
    num_full, num_left = divmod(num_images, batch_size * world_size)
    num_last = num_left // world_size
    mine = order[rank::world_size]
    batches = [mine[k * batch_size : (k + 1) * batch_size] for k in range(num_full)]
    if num_last >= smallest_batch:
        start = num_full * batch_size
        batches.append(mine[start : start + num_last])
    return [[int(index) for index in batch] for batch in batches]


def ordered_batches(
    num_images: int, batch_size: int, rank: int = 0, world_size: int = 1
) -> list[Indices]:
    """Return this process's share in order, which may be empty; each image is in one share."""
    mine = range(rank, num_images, world_size)
    return [list(mine[k : k + batch_size]) for k in range(0, len(mine), batch_size)]
