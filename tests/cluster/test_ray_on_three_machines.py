"""Three machines of Ray that share no folder, and what their scripts need there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests import s3
from tests.cluster.conftest import UnsharedRayLab, made
from tests.cluster.machines import Machines
from tests.cluster.packages import keep_environment, set_up_pip, sums_in_the_environment
from tests.cluster.ray_cluster import BIN
from tests.cluster.steps import nothing_is_left, probing

pytestmark = [pytest.mark.cluster, pytest.mark.full]  # as on two, but for more


class WideLab(UnsharedRayLab):
    """Whose user has set up pip."""

    def __init__(self, around: Machines, folder: Path, patch: pytest.MonkeyPatch) -> None:
        set_up_pip(around, folder, patch)
        super().__init__(around, folder)
        self.add_ray("wide", max_nodes=3, processes_per_node=1)


@pytest.fixture(scope="module")
def wide_lab() -> Iterator[WideLab]:
    if not (BIN / "ray").exists():
        pytest.skip("a simulated Ray cluster needs `make .venv-ray/.installed`")
    missing = s3.lacks()
    if missing:
        pytest.skip(missing)
    with (
        pytest.MonkeyPatch.context() as patch,
        made(partial(WideLab, patch=patch), workers=3) as lab,
    ):
        yield lab


def test_ranks_of_three_machines_meet(wide_lab: WideLab) -> None:
    lab = wide_lab
    state = lab.finish(lab.submit(probing(nodes=3, run_settings={"target": "wide"})))
    assert state.status == "completed", state.steps["probe"].problem
    ranks = lab.ranks(state)
    assert sorted(str(each["host"]) for each in ranks) == lab.machines.workers
    assert len({each["weights"] for each in ranks}) == 1
    nothing_is_left(lab)


def test_each_machine_builds_the_environment_of_a_script(wide_lab: WideLab) -> None:
    lab = wide_lab
    keep_environment(lab)
    run_id, folders = sums_in_the_environment(lab, "wide", 3)
    logs = lab.workspace.node_dir(run_id, "probe").glob("70_environment_log*.txt")
    assert [each.read_text().count("Building small@1") for each in logs] == [1, 1, 1]
    [folder] = set(folders)
    assert not Path(folder).exists(), "it lies in what is the machine's own"
    for name in lab.machines.workers:
        lab.machines.on(name, "test", "-d", folder)
    nothing_is_left(lab)
