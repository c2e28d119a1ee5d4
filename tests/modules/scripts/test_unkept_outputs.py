"""Outputs of other machines: kept where that is asked for, else reported by name."""

from __future__ import annotations

import pytest

from modules.context import Context
from modules.scripts.unkept_outputs import list_outputs, unkept_outputs
from modules.scripts.work_folder import WorkFolder
from tests.modules.scripts.conftest import ScriptStep

WRITES = """
import os
from pathlib import Path
rank = int(os.environ["RANK"])
Path("outputs/same.txt").write_text("same")
if rank == 0:
    Path("outputs/model.pt").write_text("weights")
if rank == 2:
    Path("outputs/parts").mkdir()
    Path("outputs/parts/only2.txt").write_text("part")
"""


def test_files_of_other_machines_that_are_not_kept_are_named(step: ScriptStep) -> None:
    settings = {"node_count": 2, "process_count_per_node": 2}
    outputs, _, _ = step.run(WRITES, settings=settings)
    names = sorted(each.name for each in outputs.location.rglob("*"))
    assert names == ["model.pt", "same.txt"]
    [warning] = [each for each in step.warnings if "not kept" in each]
    assert warning.startswith("Ranks 2, 3 wrote 1 file that is not kept: parts/only2.txt.")


@pytest.mark.parametrize("outputs_of", ["every process", "all processes together"])
def test_where_they_are_kept_nothing_is_reported(step: ScriptStep, outputs_of: str) -> None:
    settings = {"node_count": 2, "process_count_per_node": 2}
    outputs, _, _ = step.run(WRITES, settings=settings, outputs_of=outputs_of)
    assert "only2.txt" in {each.name for each in outputs.location.rglob("*")}
    assert not [each for each in step.warnings if "not kept" in each]


def test_a_machine_that_shares_no_folder_lists_its_outputs(step: ScriptStep) -> None:
    context: Context = step.context(node_count=2)
    work = WorkFolder.fresh(context, "first process")
    for home in work.homes:
        (home / "outputs").mkdir(parents=True)
    only = work.homes[1] / "outputs/only1.txt"
    only.write_text("part")
    list_outputs(work, 1)
    only.unlink()  # that machine's folder is not seen from the first one
    assert unkept_outputs(work) == {1: ["only1.txt"]}
