"""Slots: cores, GPUs and memory are never promised twice, and nobody waits for ever."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modules.catalog import builtin_catalog
from pipelines.document.document import parse_document
from pipelines.execution.plan import make_plan
from pipelines.execution.resources import MAX_JOBS, JobSlots, Need, Slots, threads_per_rank

GIB = 2**30
needs = st.builds(
    Need,
    cores=st.integers(1, 6),
    gpus=st.integers(0, 3),
    memory_bytes=st.integers(0, 12 * GIB),
    is_light=st.booleans(),
    shares=st.booleans(),
    gpu_share=st.integers(1, 16).map(lambda steps: Fraction(1, steps)),
)


@given(st.lists(needs, max_size=20))
def test_what_is_taken_fits(asked: list[Need]) -> None:
    slots = Slots(4, ("0", "GPU-1"), 8 * GIB)
    taken: list[tuple[Need, tuple[str, ...]]] = []
    for owner, need in enumerate(asked):
        gpus = slots.take(owner, need)
        if gpus is not None:
            taken.append((need, gpus))
    for gpu in slots.gpus:
        assert sum(need.gpu_share for need, gpus in taken if gpu in gpus) <= 1
    assert all(len(gpus) == len(set(gpus)) for _, gpus in taken)  # of the ranks of one step
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


def on_gpu(steps: int = 1, gpus: int = 1, memory: int = GIB) -> Need:
    share = Fraction(1, steps)
    return Need(1, gpus, memory, is_light=False, gpu_share=share)


def two_gpus() -> Slots:
    return Slots(16, ("0", "1"), 16 * GIB)


def test_steps_take_whole_gpus_unless_they_share() -> None:
    slots = two_gpus()
    assert [slots.take(owner, on_gpu()) for owner in range(3)] == [("0",), ("1",), None]
    assert slots.lacks(on_gpu(16)) == "GPUs"


@pytest.mark.parametrize("steps", [2, 3, 16])
def test_as_many_steps_as_chosen_fill_one_gpu_before_the_next(steps: int) -> None:
    slots = Slots(64, ("0", "1"), 64 * GIB)
    taken = [slots.take(owner, on_gpu(steps)) for owner in range(2 * steps + 1)]
    assert taken == [*steps * [("0",)], *steps * [("1",)], None]
    assert slots.lacks(on_gpu(steps)) == "GPUs"
    slots.give_back(0)
    slots.start_round()
    assert slots.take("next", on_gpu(steps)) == ("0",)


def test_a_whole_gpu_is_not_shared_and_a_shared_one_not_taken_whole() -> None:
    slots = two_gpus()
    assert slots.take("third", on_gpu(3)) == ("0",)
    assert slots.take("whole", on_gpu()) == ("1",)
    assert slots.take("second whole", on_gpu()) is None
    assert slots.lacks(on_gpu()) == "GPUs"
    slots.start_round()
    assert slots.take("half", on_gpu(2)) == ("0",)  # 1/3 + 1/2
    assert slots.take("second half", on_gpu(2)) is None
    slots.give_back("whole")
    assert slots.take("second half", on_gpu(2)) == ("1",)
    for owner in ("third", "half"):
        slots.give_back(owner)
    slots.start_round()
    assert slots.take("second whole", on_gpu()) == ("0",)


def test_equal_shares_are_together() -> None:
    slots = two_gpus()
    assert slots.take("half", on_gpu(2)) == ("0",)
    slots.hold("third", on_gpu(3), ("1",))
    assert slots.take("second third", on_gpu(3)) == ("1",)
    assert slots.take("second half", on_gpu(2)) == ("0",)
    assert slots.take("last third", on_gpu(3)) == ("1",)
    assert slots.take("one more", on_gpu(16)) is None


def test_processes_of_a_step_have_different_gpus() -> None:
    slots = two_gpus()
    assert slots.take("first", on_gpu(2, gpus=2)) == ("0", "1")
    assert slots.take("second", on_gpu(2, gpus=2)) == ("0", "1")
    slots.give_back("first")
    assert slots.take("one", on_gpu(2)) == ("0",)
    assert slots.take("third", on_gpu(2, gpus=2)) is None
    assert slots.lacks(on_gpu(2, gpus=2)) == "GPUs"


def test_steps_on_one_gpu_need_memory_and_cores_for_each() -> None:
    slots = two_gpus()
    assert slots.take("first", on_gpu(4, memory=12 * GIB)) == ("0",)
    assert slots.take("second", on_gpu(4, memory=12 * GIB)) is None
    assert slots.lacks(on_gpu(4, memory=12 * GIB)) == "memory"


def test_a_step_that_waits_for_memory_reserves_no_gpu() -> None:
    slots = Slots(16, ("0",), 16 * GIB)
    large = on_gpu(3, memory=12 * GIB)
    assert slots.take("first", large) == ("0",)
    assert slots.take("second", large) is None
    assert slots.lacks(large) == "memory"
    assert slots.take("small", on_gpu(3)) == ("0",)


def test_a_shared_gpu_becomes_empty_for_an_earlier_step_that_needs_it_whole() -> None:
    slots = Slots(16, ("0",), 16 * GIB)
    for owner in ("first", "second"):
        assert slots.take(owner, on_gpu(2)) == ("0",)
    slots.start_round()
    assert slots.take("whole", on_gpu()) is None
    slots.give_back("first")
    assert slots.take("later", on_gpu(2)) is None
    assert slots.lacks(on_gpu(2)) == "GPUs"
    slots.start_round()
    assert slots.take("whole", on_gpu()) is None
    assert slots.take("later", on_gpu(2)) is None
    slots.give_back("second")
    slots.start_round()
    assert slots.take("whole", on_gpu()) == ("0",)


def test_a_step_that_no_longer_waits_reserves_nothing() -> None:
    slots = Slots(16, ("0",), 16 * GIB)
    assert slots.take("first", on_gpu(2)) == ("0",)
    assert slots.take("whole", on_gpu()) is None
    assert slots.take("second", on_gpu(2)) is None
    slots.start_round()  # the run of the step was cancelled
    assert slots.take("second", on_gpu(2)) == ("0",)


def test_a_shared_gpu_is_not_kept_empty_until_a_whole_one_is_given_back() -> None:
    slots = two_gpus()
    assert slots.take("whole", on_gpu()) == ("0",)
    assert slots.take("half", on_gpu(2)) == ("1",)
    assert slots.take("both", on_gpu(gpus=2)) is None
    assert slots.take("second half", on_gpu(2)) == ("1",)


def test_a_step_that_runs_already_keeps_its_gpus() -> None:
    slots = two_gpus()
    slots.hold("of an earlier runner", on_gpu(), ("1",))
    assert slots.take("next", on_gpu()) == ("0",)
    assert slots.take("last", on_gpu()) is None
    slots.give_back("of an earlier runner")
    assert slots.take("last", on_gpu()) == ("1",)


@pytest.mark.parametrize(("steps", "share"), [(None, 1), (1, 1), (3, Fraction(1, 3))])
def test_the_share_follows_from_the_run_settings(steps: int | None, share: Fraction) -> None:
    settings = {"steps_per_gpu": steps, "process_count_per_node": 2}
    node = {"id": "train", "module": "train_pytorch_model", "run_settings": settings}
    content = {"format": "pipeline-designer/2", "id": "p", "nodes": [node]}
    step = make_plan(parse_document(content), builtin_catalog(), lambda *_: "")["train"]
    assert Need.of(step, 8, 4).gpu_share == share
    assert Need.of(step, 8, 4).gpus == 2
    assert Need.of(step, 8, 0).gpus == 0


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
