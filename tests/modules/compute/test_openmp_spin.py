"""How long OpenMP's threads spin beside other work and alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import accumulate
from pathlib import Path

import pytest

from modules.compute.openmp_spin import Solitude, queues

pytestmark = pytest.mark.extended

needs_two_cores = pytest.mark.skipif(
    (os.cpu_count() or 1) < 2 or not sys.platform.startswith("linux"),
    reason="needs GNU OpenMP, and two cores: on one its threads always spin briefly",
)

PREAMBLE = """
import ctypes, json, os, threading, time
from modules.compute import openmp_spin

openmp = openmp_spin.gnu_openmp()
nothing = ctypes.cast(openmp.omp_get_thread_num, ctypes.c_void_p)

def cpu_seconds():
    "Of a second thread that has nothing to do for a second but to spin."
    openmp.GOMP_parallel(nothing, None, 2, 0)
    before = time.process_time()
    time.sleep(1)
    return time.process_time() - before
"""


def run(code: str, **more: str) -> list[float]:
    """What a process prints whose threads spin without end where they spin long."""
    spinning = {"GOMP_SPINCOUNT": "infinite", "OMP_NUM_THREADS": "2"}
    environment = {**os.environ, **spinning, **more}
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", PREAMBLE + code],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed: list[float] = json.loads(done.stdout)
    return printed


@needs_two_cores
def test_a_crowd_that_sleeps_makes_others_spin_briefly() -> None:
    before, beside, after = run("""
def hold():
    crowd = openmp_spin.Crowd(openmp)
    crowd.gather()
    gathered.set()
    over.wait()
    crowd.disperse()

found = [cpu_seconds()]
gathered, over = threading.Event(), threading.Event()
thread = threading.Thread(target=hold)
thread.start()
gathered.wait()
found.append(cpu_seconds())
over.set()
thread.join()
print(json.dumps([*found, cpu_seconds()]))
""")
    assert min(before, after) > 10 * beside


@needs_two_cores
def test_spins_follow_the_machine_and_leave_nothing_behind() -> None:
    num_before, at_first, alone, disturbed, num_after = run("""
def num_threads():
    return len(os.listdir("/proc/self/task"))

def become(busy):
    "Wait until the governor has looked so often that it must have noticed."
    global is_busy, looks
    is_busy, looks = busy, 0
    while looks <= 2:
        time.sleep(0.01)

def queues():
    global looks, queued
    looks, queued = looks + 1, queued + is_busy
    return {"a thread": queued}

is_busy, looks, queued = True, 0, 0
openmp_spin.queues, openmp_spin.LOOK_SECONDS = queues, 0.02
cpu_seconds()
found = [num_threads()]
with openmp_spin.spins_that_fit():
    for busy in (True, False, True):
        become(busy)
        found.append(cpu_seconds())
deadline = time.monotonic() + 120
while num_threads() > found[0] and time.monotonic() < deadline:
    time.sleep(0.01)  # the last thread of the crowd is on its way out
print(json.dumps([*found, num_threads()]))
""")
    assert alone > 10 * max(at_first, disturbed)
    assert num_after == num_before


@needs_two_cores
def test_a_wait_policy_of_the_user_is_kept() -> None:
    code = """
before = threading.active_count()
with openmp_spin.spins_that_fit():
    print(json.dumps([before, threading.active_count()]))
"""
    for policy, num_more in (("active", 0), ("", 1)):
        before, inside = run(code, OMP_WAIT_POLICY=policy)
        assert inside == before + num_more


def look(solitude: Solitude, *queued: float) -> list[bool]:
    """The answers to looks at one thread, a second apart, that queued for so long meanwhile."""
    totals = accumulate((0.0, *queued))
    answers = [solitude.observe(now, {"7": total}) for now, total in enumerate(totals)]
    return answers[1:]


def test_a_quiet_look_begins_solitude_and_a_contested_one_ends_it() -> None:
    assert look(Solitude(), 0.01, 0.01, 0.5, 0.01) == [True, True, False, True]


def test_what_a_runner_and_a_command_take_is_no_contest() -> None:
    """In a pipeline threads queue for 0.1 to 0.3 seconds a second, beside a busy process longer."""
    assert all(look(Solitude(), *[0.2] * 3))
    assert not any(look(Solitude(), *[0.5] * 3))


def test_threads_that_begin_and_end_are_no_contest() -> None:
    solitude = Solitude()
    assert not solitude.observe(0.0, {"1": 50.0})
    answers = [solitude.observe(now, {"1": 50.0, f"{now}": 10.0}) for now in range(2, 8)]
    assert answers[-1]


def test_where_the_kernel_tells_nothing_nobody_is_alone() -> None:
    solitude = Solitude()
    assert not any(solitude.observe(float(now), {}) for now in range(4))


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux tells how long threads queue"
)
def test_the_kernel_tells_of_each_thread() -> None:
    assert str(os.getpid()) in queues()
