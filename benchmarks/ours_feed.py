"""This project's side of feeding a GPU: the batches that Train PyTorch Model steps through."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from benchmarks.ours_training import data_sets, settings, untrained_model
from benchmarks.peers.feeding import images_per_second, levels_of
from benchmarks.peers.telling import tell
from benchmarks.peers.training import read_work
from modules.compute.distributed import process_group
from modules.context import Context
from modules.image_loading.prefetch import BatchReader
from modules.training.epoch import training_plan
from modules.training.session import Session
from modules.training.setup import open_session

if TYPE_CHECKING:
    import torch


def epoch(session: Session, number: int) -> Iterator[torch.Tensor]:
    """The images of an epoch's batches, on the device."""
    import torch

    generator = torch.Generator().manual_seed(number)
    with closing(BatchReader([training_plan(session, number)])) as reader:
        for _, pixels in reader.next_pass():
            yield session.data.training.preparation(pixels, generator)


def main() -> None:
    """Print the images/s of going through epochs of batches."""
    from modules.models.recipe import recipe_of

    work = read_work()
    given, chosen = data_sets(work), settings(work)
    context = Context(
        work.folder / "feed", cache_dir=work.folder / "cache", threads=max(1, work.workers)
    )
    numbers = itertools.count(1)
    with (
        process_group(context) as group,
        open_session(recipe_of(untrained_model(work)), *given, chosen, group) as session,
    ):
        normalisation = session.data.normalisation
        levels = levels_of(epoch(session, next(numbers)), normalisation.mean, normalisation.std)
        rate = images_per_second(lambda: epoch(session, next(numbers)))
    tell({"rate": rate, **levels})


if __name__ == "__main__":
    main()
