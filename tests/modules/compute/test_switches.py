"""Each trick of computing can be switched off alone."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from modules.compute import switches
from modules.compute.gemm_convolution import may_gain
from modules.compute.openmp_spin import gnu_openmp, spins_that_fit
from modules.compute.thread_count import ThreadCount
from modules.image_loading import jpeg_regions


def spins() -> bool:
    """Whether a thread follows how busy the machine is."""
    with spins_that_fit():
        return any(each.name == "spins" for each in threading.enumerate())


def gives_threads_up() -> bool:
    threads = ThreadCount(2, free_cores=lambda: 0.0)
    threads.follow()
    return threads.current == 1


def multiplies() -> bool:
    return may_gain()


def decodes_in_part() -> bool:
    try:
        return jpeg_regions._load() is not None
    except ImportError:
        return False


@pytest.mark.parametrize(
    ("name", "works"),
    [
        (switches.SPIN_CONTROL, spins),
        (switches.THREAD_CONTROL, gives_threads_up),
        (switches.MATRIX_CONVOLUTIONS, multiplies),
        (switches.PARTIAL_DECODING, decodes_in_part),
    ],
)
def test_a_switch_turns_off_what_it_names_and_nothing_else(
    name: str, works: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    monkeypatch.setenv(switches.VARIABLE, "another, and another")
    if not works():
        pytest.skip(f"{name} does nothing on this machine (GNU OpenMP: {gnu_openmp()})")
    monkeypatch.setenv(switches.VARIABLE, f"another, {name}")
    assert not works()
