"""Steps on a real Ray, after whatever dies there; and what stays of them on purpose."""

from __future__ import annotations

import pytest

from tests.cluster.conftest import RayLab
from tests.cluster.machines import HEAD, wait_for
from tests.cluster.steps import (
    LONGER,
    epochs,
    probing,
    problem_of,
    processes_left,
    pulsing,
    under_way,
)

pytestmark = [pytest.mark.cluster, pytest.mark.full]
"""In `make test-all` Slurm shows losses, and Ray without a shared folder what stays warm."""


def test_machines_stay_warm_for_the_next_step_and_nothing_else_stays(ray_lab: RayLab) -> None:
    ray_lab.add_ray("warm", max_nodes=2, keep_warm=10)
    settings = {"target": "warm"}
    kept = []
    for _ in range(2):
        state = ray_lab.finish(ray_lab.submit(probing(run_settings=settings)))
        assert state.status == "completed", state.problem and state.problem["message"]
        assert len({each["weights"] for each in ray_lab.ranks(state)}) == 1
        wait_for(lambda: sum(map(len, processes_left(ray_lab))) == 2, "the step to end", 30)
        kept.append(processes_left(ray_lab))
    assert kept[0] == kept[1]
    assert [len(each) for each in kept[0]] == [1, 1]
    for program, ending in (("ray_driver.py", "failed"), ("", "cancelled")):
        run_id = under_way(ray_lab, pulsing(epochs=LONGER, run_settings=settings))
        if program:
            ray_lab.kill(HEAD, program)
        else:
            ray_lab.designer("runs", "cancel", run_id)
        assert ray_lab.finish(run_id).status == ending
        wait_for(lambda: processes_left(ray_lab) == kept[0], "only what stays", 40)
    for name, [pid] in zip(("m1", "m2"), kept[0], strict=True):
        ray_lab.machines.kill(name, pid)
    ray_lab.wait_until_empty()


def test_a_node_without_power_is_lost(ray_lab: RayLab) -> None:
    run_id = under_way(ray_lab, pulsing(epochs=LONGER))
    ray_lab.machines.off("m2")
    problem = problem_of(ray_lab.finish(run_id))
    assert problem["name"] == "MachineLost"
    assert "m2 (machine" in problem["message"]
    wait_for(lambda: not ray_lab.left("m1"), "the other machine to be empty", 30)


def test_without_its_head_a_step_goes_on_until_ray_ends_it(ray_lab: RayLab) -> None:
    run_id = under_way(ray_lab, pulsing(nodes=1, epochs=LONGER))
    ray_lab.ray.kill_head()
    done = epochs(ray_lab.state(run_id))
    wait_for(lambda: epochs(ray_lab.state(run_id)) > done + 10, "more epochs")
    problem = problem_of(ray_lab.finish(run_id))
    assert problem["name"] == "MachineLost"
    wait_for(lambda: not ray_lab.left("m1"), "the machine to be empty", 30)
