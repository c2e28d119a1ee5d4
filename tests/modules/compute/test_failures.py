"""Memory and disk that run out are told as such."""

from __future__ import annotations

import errno

import pytest
import torch

from modules.compute.failures import exhaustion_explained, indeterminism_explained
from modules.errors import ModuleOutOfMemoryError, NotInRangeValueError

EXHAUSTED = [
    MemoryError(),
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"),
    RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory"),
]


@pytest.mark.parametrize("error", EXHAUSTED)
def test_memory_names_half_the_batch(error: Exception) -> None:
    with pytest.raises(ModuleOutOfMemoryError) as caught, exhaustion_explained(32):
        raise error
    assert caught.value.remedy == {"set": {"batch_size": 16}}
    assert caught.value.__cause__ is error


def test_a_batch_of_one_cannot_be_halved() -> None:
    with pytest.raises(ModuleOutOfMemoryError, match="smaller images"), exhaustion_explained(1):
        raise MemoryError


def test_a_full_disk_is_no_matter_of_batches() -> None:
    with pytest.raises(ModuleOutOfMemoryError, match="disk") as caught, exhaustion_explained(32):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.parameter is None


def test_other_errors_pass() -> None:
    with pytest.raises(RuntimeError, match="shape"), exhaustion_explained(32):
        raise RuntimeError("shape mismatch")


def test_a_kernel_that_is_never_exact_names_the_switch() -> None:
    message = "adaptive_avg_pool2d_backward_cuda does not have a deterministic implementation"
    with pytest.raises(NotInRangeValueError) as caught, indeterminism_explained():
        raise RuntimeError(message)
    assert caught.value.remedy == {"set": {"reproducible": "off"}}
