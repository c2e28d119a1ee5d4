"""Tests are shared out so that the cores compute and nothing waits in their way."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import durations, scheduling
from tests.scheduling import NUM_COMPUTING, ByWhatTheyDo

ROOT = Path(__file__).parents[2]
TRAINING = [f"{file}::a" for file in scheduling.TRAINING]
COMPUTING = [f"tests/modules/models/test_{number}.py::a" for number in range(9)]
WAITING = [f"tests/pipelines/runs/test_{number}.py::a" for number in range(30)]
LONG_WAIT = "tests/pipelines/user_modules/test_hostile_hooks.py::a"
TESTS = [*WAITING, LONG_WAIT, *COMPUTING, *TRAINING]


@dataclass(eq=False)
class Worker:
    """What the scheduler knows of a worker: a queue of tests, by their numbers."""

    name: str
    queue: list[int] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)
    shutting_down: bool = False

    @property
    def gateway(self) -> SimpleNamespace:
        return SimpleNamespace(id=self.name)

    def send_runtest_some(self, indices: Sequence[int]) -> None:
        assert not self.shutting_down
        self.queue += indices

    def shutdown(self) -> None:
        self.shutting_down = True


def started(num_workers: int, tests: list[str]) -> tuple[ByWhatTheyDo, list[Worker]]:
    option = SimpleNamespace(tx=[f"{num_workers}*popen"], loadscopereorder=False)
    config: Any = SimpleNamespace(
        option=option, getvalue=lambda name: getattr(option, name), hook=None
    )
    scheduler = ByWhatTheyDo(config)
    workers = [Worker(f"gw{number}") for number in range(num_workers)]
    for worker in workers:
        scheduler.add_node(worker)
        scheduler.add_node_collection(worker, tests)
    scheduler.schedule()
    return scheduler, workers


def run(scheduler: ByWhatTheyDo, workers: list[Worker], tests: list[str]) -> None:
    """Each worker runs a test in turn; its last one waits until it is told that no more come."""
    for _ in tests:
        for worker in workers:
            if scheduler.tests_finished:
                worker.shutdown()
            if len(worker.queue) > (not worker.shutting_down):
                index = worker.queue.pop(0)
                worker.ran.append(tests[index])
                scheduler.mark_test_complete(worker, index)


@pytest.mark.parametrize("num_workers", [1, NUM_COMPUTING, NUM_COMPUTING + 2])
@pytest.mark.parametrize("tests", [TESTS, COMPUTING[:3], WAITING, TRAINING])
def test_every_test_runs_once_and_few_compute(num_workers: int, tests: list[str]) -> None:
    scheduler, workers = started(num_workers, tests)
    run(scheduler, workers, tests)
    assert sorted(name for worker in workers for name in worker.ran) == sorted(tests)
    assert scheduler.tests_finished
    waiting = {*WAITING, LONG_WAIT}
    assert all(set(worker.ran) <= waiting for worker in workers[NUM_COMPUTING:])


def test_what_takes_longest_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = dict.fromkeys((*scheduling.TRAINING, LONG_WAIT.partition("::")[0]), 100)
    monkeypatch.setattr(scheduling, "recorded", lambda: seconds)
    scheduler, workers = started(NUM_COMPUTING + 1, TESTS)
    run(scheduler, workers, TESTS)
    assert {worker.ran[0] for worker in workers[:2]} == set(TRAINING)
    assert workers[-1].ran[0] == LONG_WAIT


def test_files_that_are_named_are_there() -> None:
    named = (*scheduling.TRAINING, *durations.recorded())
    assert [file for file in named if not (ROOT / file).is_file()] == []


def test_durations_are_recorded_by_file_and_those_of_removed_files_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, measured = scheduling.TRAINING
    known = {kept: 9, measured: 9, "tests/test_removed.py": 9}
    monkeypatch.setattr(durations, "recorded", lambda: known)
    monkeypatch.setattr(durations, "RECORD", tmp_path / "durations.json")
    recorder = durations.DurationRecorder()
    for test, seconds in (
        (f"{measured}::a", 20.0),
        (f"{measured}::b", 1.4),
        ("tests/x.py::a", 0.1),
    ):
        report = SimpleNamespace(nodeid=test, duration=seconds)
        recorder.pytest_runtest_logreport(report)  # type: ignore[arg-type]  # all that it reads
    recorder.pytest_sessionfinish()
    assert json.loads(durations.RECORD.read_text()) == {kept: 9, measured: 21}


def test_what_a_crashed_worker_had_is_taken_over_but_for_what_crashed_it() -> None:
    scheduler, workers = started(NUM_COMPUTING + 1, TESTS)
    crashed = workers.pop(0)
    lost = scheduler.remove_node(crashed)
    assert lost in TRAINING
    new = Worker("new")
    scheduler.add_node(new)
    scheduler.add_node_collection(new, TESTS)
    scheduler.schedule()
    workers.append(new)
    run(scheduler, workers, TESTS)
    ran = [name for worker in workers for name in worker.ran]
    assert sorted(ran) == sorted(each for each in TESTS if each != lost)
    assert scheduler.tests_finished


def test_browser_files_that_look_at_one_run_go_to_one_worker() -> None:
    files = (ROOT / "tests/browser").glob("test_*.py")
    looking = {path for path in files if "everything_run" in path.read_text("utf-8")}
    assert looking == {ROOT / file for file in scheduling.LOOKING_AT_ONE_RUN}
    tests = [f"{file}::a" for file in scheduling.LOOKING_AT_ONE_RUN]
    scheduler, workers = started(2, [*tests, *COMPUTING])
    run(scheduler, workers, [*tests, *COMPUTING])
    assert any(set(tests) <= set(worker.ran) for worker in workers)
