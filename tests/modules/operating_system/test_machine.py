"""What a machine lets us use, and what its user wants of it."""

from __future__ import annotations

import subprocess
import sys
import time

import psutil
import pytest

from modules.operating_system.machine import busy_share, cpu_use, gpu_names, num_cores, num_threads


@pytest.mark.parametrize(
    ("wanted", "threads"),
    [("", 4), ("1", 1), ("3,2", 3), ("64", 4), ("0", 4), ("-1", 4), ("many", 4), (" 2 ", 2)],
)
def test_threads_are_as_few_as_the_user_wants(
    wanted: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", wanted)
    assert num_threads(4) == threads
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert num_threads(4) == 4


@pytest.mark.parametrize(
    ("visible", "names"),
    [
        ("0, 3", ("0", "3")),
        ("GPU-8932f937-d72c,MIG-6be1a6cf-2b9f", ("GPU-8932f937-d72c", "MIG-6be1a6cf-2b9f")),
        ("MIG-GPU-8932f937-d72c/1/0", ("MIG-GPU-8932f937-d72c/1/0",)),
        ("1,-1,2", ("1",)),
        ("NoDevFiles", ()),
        ("", ()),
    ],
)
def test_gpus_have_the_names_that_cuda_gives_them(
    visible: str, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    gpu_names.cache_clear()
    try:
        assert gpu_names() == names
    finally:
        gpu_names.cache_clear()


def test_what_computes_elsewhere_is_seen() -> None:
    with subprocess.Popen([sys.executable, "-c", "print(flush=True)\nwhile True: pass"]) as other:
        try:
            share = busy_share(seconds=1.0)
        finally:
            other.kill()
    assert 0.5 / num_cores() <= share <= 1


@pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="only Linux counts the time of niced processes separately",
)
@pytest.mark.parametrize("niceness", [0, 15])
def test_a_core_that_a_niced_process_has_is_free(niceness: int) -> None:
    code = f"import os\nos.nice({niceness})\nprint(flush=True)\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None
            other.stdout.readline()
            spends = psutil.Process(other.pid)
            all_busy, busy, spent = -busy_of_all(), -cpu_use().busy_seconds, own(spends)
            while own(spends) < spent + 1:
                time.sleep(0.05)
            busy, all_busy = busy + cpu_use().busy_seconds, all_busy + busy_of_all()
        finally:
            other.kill()
    assert (all_busy - busy if niceness else busy) > 0.7


def busy_of_all() -> float:
    """Seconds of all cores in which they were not idle."""
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - times.iowait - times.guest - times.guest_nice)


def own(process: psutil.Process) -> float:
    return float(process.cpu_times().user)
