"""Exceptions of modules become problems with a fix."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from modules.compute.failures import exhaustion_explained
from modules.errors import ModuleOutOfMemoryError
from pipelines.sentences import steps
from pipelines.workers.failures import problem_of
from pipelines.workers.step_spec import StepSpec

FULL = torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")


def spec(folder: Path, steps_per_gpu: int | None) -> StepSpec:
    return StepSpec(
        run_id="run",
        node="train",
        attempt=1,
        module_id="train",
        origin={"kind": "import", "location": "a:b", "code_hash": None},
        parameters={},
        inputs={},
        key="0" * 64,
        node_dir=str(folder),
        staging_dir="",
        datasets_dir="",
        weights_dir="",
        cache_dir="",
        steps_per_gpu=steps_per_gpu,
    )


def explained(error: Exception) -> Exception:
    """The error of a training with this one as its cause."""
    with pytest.raises(ModuleOutOfMemoryError) as caught, exhaustion_explained(32):
        raise error
    return caught.value


def test_a_full_gpu_that_steps_share_names_the_setting(tmp_path: Path) -> None:
    problem = problem_of(explained(FULL), spec(tmp_path, 3))
    assert problem["reason"] == steps.SHARED_GPU_FULL.key
    assert "up to 3 steps share" in problem["message"]
    assert "Steps per GPU" in problem["cure"]
    assert problem["remedy"] == {"set": {"batch_size": 16}}  # as the training proposes
    assert problem_of(FULL, spec(tmp_path, 2))["reason"] == steps.SHARED_GPU_FULL.key


@pytest.mark.parametrize("steps_per_gpu", [None, 1])
def test_a_full_gpu_of_one_step_does_not(tmp_path: Path, steps_per_gpu: int | None) -> None:
    assert problem_of(FULL, spec(tmp_path, steps_per_gpu))["reason"] == steps.MEMORY_OUT.key
    problem = problem_of(explained(FULL), spec(tmp_path, steps_per_gpu))
    assert "Steps per GPU" not in problem["cure"]


def test_memory_of_the_machine_is_not_that_of_a_gpu(tmp_path: Path) -> None:
    assert problem_of(MemoryError(), spec(tmp_path, 2))["reason"] == steps.MEMORY_OUT.key
