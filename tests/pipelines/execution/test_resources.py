"""Slots: cores, GPUs and memory are never promised twice, and nobody waits for ever."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipelines.execution.resources import MAX_JOBS, JobSlots, Need, Slots, threads_per_rank

GIB = 2**30
needs = st.builds(
    Need,
    cores=st.integers(1, 6),
    gpus=st.integers(0, 3),
    memory_bytes=st.integers(0, 12 * GIB),
    is_light=st.booleans(),
    shares=st.booleans(),
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


def trained(processes: int = 1) -> Need:
    return Need(processes, 0, GIB, is_light=False, shares=True)


def test_steps_that_share_get_as_many_cores_as_there_are_for_each() -> None:
    slots = Slots(4, (), 8 * GIB)
    slots.take("first", trained())
    assert slots.share_of("first") == 4
    slots.take("second", trained())
    assert (slots.share_of("first"), slots.share_of("second")) == (2, 2)
    slots.take("light", Need(1, 0, GIB, is_light=True))
    assert slots.share_of("light") is None
    assert slots.share_of("second") == 2
    slots.give_back("first")
    assert slots.share_of("second") == 4
    assert slots.share_of("first") is None


def test_processes_of_a_step_have_equal_parts_of_its_share() -> None:
    slots = Slots(8, (), 8 * GIB)
    slots.take("two ranks", trained(2))
    assert slots.share_of("two ranks") == 4
    slots.take("alone", trained())
    assert (slots.share_of("two ranks"), slots.share_of("alone")) == (2, 4)


def test_a_step_that_holds_its_cores_shares_them_with_nobody() -> None:
    slots = Slots(2, (), 8 * GIB)
    held = Need(2, 0, GIB, is_light=False)
    assert slots.take("held", held) == ()
    assert slots.take("shares", trained()) is None
    slots.give_back("held")
    assert slots.take("shares", trained()) == ()
    assert slots.take("held", held) is None


def test_no_more_steps_share_than_there_are_cores() -> None:
    slots = Slots(2, (), 8 * GIB)
    taken = [slots.take(owner, trained()) for owner in range(4)]
    assert taken == [(), (), None, None]
    assert slots.lacks(trained()) == "cores"


def test_a_job_that_has_ended_makes_room_for_another() -> None:
    slots, need = JobSlots(), Need(1, 0, GIB, is_light=False)
    assert all(slots.take(owner, need) == () for owner in range(MAX_JOBS))
    assert slots.take("one more", need) is None
    slots.give_back(0)
    assert slots.take("one more", need) == ()
    assert slots.take("another", need) is None


@given(st.integers(1, 64), st.integers(1, 64))
def test_ranks_times_threads_stay_within_the_cores(ranks: int, cores: int) -> None:
    threads = threads_per_rank(ranks, cores)
    assert threads >= 1
    assert threads == 1 or ranks * threads <= cores
