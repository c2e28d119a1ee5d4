"""Which images make up which batch."""

from __future__ import annotations

import pytest

from modules.images.batches import ordered_batches, training_batches
from modules.images.chance import derived_seed


@pytest.mark.parametrize("world_size", [1, 2, 3])
@pytest.mark.parametrize("num_images", [17, 32, 33, 65])
def test_every_process_gets_as_many_and_as_large_batches(num_images: int, world_size: int) -> None:
    shares = [
        training_batches(num_images, 4, 2, 1, 1, rank, world_size) for rank in range(world_size)
    ]
    sizes = [[len(batch) for batch in share] for share in shares]
    assert all(each == sizes[0] for each in sizes)
    assert min(sizes[0]) >= 2
    seen = [index for share in shares for batch in share for index in batch]
    assert len(seen) == len(set(seen))
    assert num_images - len(seen) < 2 * world_size


def test_a_last_batch_of_one_is_left_out_only_where_it_does_harm() -> None:
    assert [len(each) for each in training_batches(9, 4, 2, 1, 1)] == [4, 4]
    assert [len(each) for each in training_batches(9, 4, 1, 1, 1)] == [4, 4, 1]


def test_the_order_depends_on_seed_and_epoch_alone() -> None:
    assert training_batches(50, 8, 1, 1, 1) == training_batches(50, 8, 1, 1, 1)
    assert training_batches(50, 8, 1, 1, 1) != training_batches(50, 8, 1, 1, 2)
    assert training_batches(50, 8, 1, 1, 1) != training_batches(50, 8, 1, 2, 1)


@pytest.mark.parametrize(("num_images", "world_size"), [(10, 3), (2, 4), (64, 2)])
def test_validation_counts_every_image_once(num_images: int, world_size: int) -> None:
    shares = [ordered_batches(num_images, 4, rank, world_size) for rank in range(world_size)]
    seen = sorted(index for share in shares for batch in share for index in batch)
    assert seen == list(range(num_images))


def test_derived_seeds_fit_and_differ() -> None:
    seeds = {derived_seed("order", seed, epoch) for seed in (-5, 0, 2**52) for epoch in range(50)}
    assert len(seeds) == 150
    assert max(seeds) < 2**63
