"""Which images make up which batch, and when they are read."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from modules.compute.seeds import derived_seed
from modules.image_loading.prefetch import BatchPlan, BatchReader
from modules.image_loading.samplers import ordered_batches, training_batches
from modules.training.frozen_features import Features, ResidentRows


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


class Noted(Features):
    """Ten rows that write down what is read of them; reading one of them may fail."""

    def __init__(self, bad_index: int = -1) -> None:
        super().__init__(ResidentRows(np.arange(20, dtype=np.float32).reshape(10, 2)))
        self.indices: list[int] = []
        self._bad_index = bad_index
        self._more = threading.Condition()

    def read(self, indices: Sequence[int]) -> Any:
        if self._bad_index in indices:
            raise KeyError(self._bad_index)
        with self._more:
            self.indices += indices
            self._more.notify()
        return super().read(indices)

    def wait_for(self, num: int) -> bool:
        """True once so many have been read."""
        with self._more:
            return self._more.wait_for(lambda: len(self.indices) >= num, timeout=120)


def test_the_next_batch_is_read_in_advance_also_over_the_end_of_a_pass() -> None:
    training, validation = Noted(), Noted()
    plans = [
        BatchPlan(training, [[3, 1], [2]], ahead=True),
        BatchPlan(
            validation, [[0], [1]], ahead=True, load=lambda rows, batch: np.add(rows.read(batch), 1)
        ),
        BatchPlan(training, [[5]], ahead=True),
    ]
    with closing(BatchReader(iter(plans))) as reader:
        first = reader.next_pass()
        assert next(first)[0] == [3, 1]
        assert training.wait_for(3)
        assert validation.indices == []
        assert [(each, rows.tolist()) for each, rows in first] == [([2], [[4, 5]])]
        assert validation.wait_for(1), "before anybody has asked for it"
        second = list(reader.next_pass())
        assert [rows.tolist() for _, rows in second] == [[[1, 2]], [[3, 4]]]
        assert training.wait_for(4)
        assert [each for each, _ in reader.next_pass()] == [[5]]
        assert list(reader.next_pass()) == []
    assert training.indices == [3, 1, 2, 5], "each once"


def test_a_pass_that_is_left_early_is_followed_by_the_next_one() -> None:
    plans = [
        BatchPlan(Noted(), batches, ahead=ahead)
        for ahead in (True, False)
        for batches in ([[0], [1], [2]], [])
    ]
    with closing(BatchReader(plans)) as reader:
        assert next(reader.next_pass())[0] == [0]
        assert list(reader.next_pass()) == []
        assert [each for each, _ in reader.next_pass()] == [[0], [1], [2]]


def test_what_is_decoded_already_is_read_when_it_is_asked_for() -> None:
    images = Noted()
    with closing(BatchReader([BatchPlan(images, [[0], [1]], ahead=False)])) as reader:
        batches = reader.next_pass()
        next(batches)
        assert images.indices == [0]


def test_an_error_of_the_background_comes_with_its_batch() -> None:
    with closing(BatchReader([BatchPlan(Noted(bad_index=1), [[0], [1]], ahead=True)])) as reader:
        batches = reader.next_pass()
        assert next(batches)[0] == [0]
        with pytest.raises(KeyError):
            next(batches)


def test_several_batches_are_read_in_advance_of_this_pass_and_the_next() -> None:
    first, second = Noted(), Noted()
    plans = [
        BatchPlan(first, [[0], [1], [2]], ahead=3),
        BatchPlan(second, [[3], [4], [5]], ahead=2),
    ]
    with closing(BatchReader(plans)) as reader:
        batches = reader.next_pass()
        assert next(batches)[0] == [0]
        assert first.wait_for(3)
        assert second.indices == []
        assert next(batches)[0] == [1]
        assert second.wait_for(1)
        assert next(batches)[0] == [2]
        assert second.wait_for(2)
        assert [rows.tolist() for _, rows in reader.next_pass()] == [[[6, 7]], [[8, 9]], [[10, 11]]]
    assert sorted(first.indices + second.indices) == [0, 1, 2, 3, 4, 5], "each once"
