"""Slots: cores, GPUs and memory are never promised twice, and nobody waits for ever."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipelines.execution.resources import Need, Slots, threads_per_rank

GIB = 2**30
needs = st.builds(
    Need,
    cores=st.integers(1, 6),
    gpus=st.integers(0, 3),
    memory_bytes=st.integers(0, 12 * GIB),
    is_light=st.booleans(),
)


@given(st.lists(needs, max_size=20))
def test_what_is_taken_fits(asked: list[Need]) -> None:
    slots = Slots(4, ("0", "GPU-1"), 8 * GIB)
    taken: list[tuple[Need, tuple[str, ...]]] = []
    for owner, need in enumerate(asked):
        gpus = slots.take(owner, need)
        if gpus is not None:
            taken.append((need, gpus))
    used = [gpu for _, gpus in taken for gpu in gpus]
    assert len(used) == len(set(used))
    for kind in (True, False):
        alike = [need for need, _ in taken if need.is_light == kind]
        assert len(alike) <= 1 or sum(need.cores for need in alike) <= 4


@given(needs)
def test_any_step_may_run_alone(need: Need) -> None:
    assert Slots(1, (), GIB).take("only", need) is not None


def test_given_back_is_free_again() -> None:
    slots = Slots(2, (), 8 * GIB)
    training = Need(2, 0, GIB, is_light=False)
    assert slots.take("first", training) == ()
    assert slots.take("second", training) is None
    assert slots.take("light", Need(1, 0, GIB, is_light=True)) == ()
    slots.give_back("first")
    assert slots.take("second", training) == ()


@given(st.integers(1, 64), st.integers(1, 64))
def test_ranks_times_threads_stay_within_the_cores(ranks: int, cores: int) -> None:
    threads = threads_per_rank(ranks, cores)
    assert threads >= 1
    assert threads == 1 or ranks * threads <= cores
